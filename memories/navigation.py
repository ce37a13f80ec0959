"""Where the person can go: the links of the header, and which of them the page belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext, gettext_noop

from memories.models import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

# The link's URL name, its words, its icon, and the URL names (or their beginnings) that it stands for.
PLACES = [
    ("chat:home", gettext_noop("Chat"), "chat", ("chat:",)),
    ("memories:list", gettext_noop("Memories"), "memory", ("memories:",)),
    (
        "memories:waiting",
        gettext_noop("Waiting for you"),
        "waiting",
        ("memories:waiting", "memories:accept", "memories:reject"),
    ),
    ("memories:pages", gettext_noop("Pages"), "page", ("memories:pages", "memories:page")),
    ("nights:list", gettext_noop("Nights"), "moon", ("nights:",)),
    ("memories:privacy", gettext_noop("Privacy"), "shield", ("memories:privacy",)),
]


@dataclass(frozen=True)
class Link:
    url: str
    words: str
    icon: str
    current: bool
    counts_waiting: bool


def navigation(request: HttpRequest) -> dict[str, Any]:
    """A context processor. The count is asked for only where a page shows it."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    return {
        "navigation": list(_links(request)),
        "waiting_count": SimpleLazyObject(lambda: Memory.objects.of(user).waiting().count()),
    }


def _links(request: HttpRequest) -> Iterator[Link]:
    here = _place_of(request.resolver_match.view_name if request.resolver_match else "")
    for name, words, icon, _ in PLACES:
        try:
            url = reverse(name)
        except NoReverseMatch:
            continue
        yield Link(url, gettext(words), icon, current=name == here, counts_waiting=name == "memories:waiting")


def _place_of(view_name: str) -> str:
    """The place whose longest name fits: `memories:page` is Pages, `memories:edit` is Memories."""
    fitting = [
        (len(beginning), name)
        for name, _, _, beginnings in PLACES
        for beginning in beginnings
        if view_name.startswith(beginning)
    ]
    return max(fitting)[1] if fitting else ""
