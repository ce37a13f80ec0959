"""The person's memories as a list: filtered, searched, counted, sorted. What a filter says it would show, it shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from memories.models import Category, Evidence, Kind, Origin, Person, Status
from memories.search import search

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memories.models.memory import MemoryQuerySet

ALL = "all"
OWN = "own"
QUERY_MAX_CHARACTERS = 200
FACETS = ("status", "kind", "category", "source", "said")
# How many days back, counted from the beginning of the person's day.
SAID_WITHIN = {
    "week": (7, gettext_noop("In the last 7 days")),
    "month": (30, gettext_noop("In the last 30 days")),
    "year": (365, gettext_noop("In the last year")),
}
SORTS = {
    "newest": gettext_noop("Newest"),
    "oldest": gettext_noop("Oldest"),
    "used": gettext_noop("Last quoted"),
}


@dataclass(frozen=True)
class Filters:
    """What the address of the list says. An unknown value is no filter."""

    q: str = ""
    status: str = Status.ACTIVE.value
    kind: str = ""
    category: str = ""
    source: str = ""
    said: str = ""
    sort: str = "newest"

    @classmethod
    def read(cls, said: Mapping[str, str]) -> Filters:
        return cls(
            q=_clean(said.get("q", "")),
            status=_one_of(said.get("status"), [*_shown_statuses(), ALL], Status.ACTIVE.value),
            kind=_one_of(said.get("kind"), Kind.values, ""),
            category=_one_of(said.get("category"), Category.values, ""),
            source=_one_of(said.get("source"), [*Origin.values, OWN], ""),
            said=_one_of(said.get("said"), list(SAID_WITHIN), ""),
            sort=_one_of(said.get("sort"), list(SORTS), "newest"),
        )

    def address(self, **changes: str) -> str:
        """The query string of the list with these filters, the usual ones left out."""
        changed = replace(self, **changes)
        usual = Filters()
        said = {
            name: value for name in ("q", *FACETS, "sort") if (value := getattr(changed, name)) != getattr(usual, name)
        }
        return "?" + urlencode(said)

    @property
    def everything(self) -> str:
        """The same search among all memories."""
        return Filters(q=self.q, status=ALL).address()

    @property
    def besides_words(self) -> list[tuple[str, str]]:
        """What the search field sends along."""
        usual = Filters()
        return [(name, value) for name in (*FACETS, "sort") if (value := getattr(self, name)) != getattr(usual, name)]


@dataclass(frozen=True)
class Choice:
    value: str
    words: str
    count: int
    chosen: bool
    # Where its link goes: to the list with it, or without it when it is chosen already.
    address: str


@dataclass(frozen=True)
class Facet:
    name: str
    words: str
    choices: list[Choice]


def listed(person: Person, filters: Filters, *, now: datetime) -> MemoryQuerySet:
    """The memories that the filters leave, sorted, each with the number of its sources."""
    order = {
        "newest": (F("said_at").desc(), "-number"),
        "oldest": (F("said_at").asc(), "number"),
        "used": (F("used_at").desc(nulls_last=True), "-number"),
    }[filters.sort]
    found = _narrowed(person, filters, now)
    return found.annotate(sources=Count("evidence", distinct=True)).order_by(*order)


def facets(person: Person, filters: Filters, *, now: datetime) -> list[Facet]:
    """Each filter's values with what the list would count, the other filters kept."""
    return [
        _facet(filters, "status", _("Status"), _counts(person, filters, "status", now), _status_words()),
        _facet(filters, "kind", _("Kind"), _counts(person, filters, "kind", now), _words_of(Kind)),
        _facet(filters, "category", _("About"), _counts(person, filters, "category", now), _words_of(Category)),
        _facet(filters, "source", _("Source"), _source_counts(person, filters, now), _source_words()),
        _facet(filters, "said", pgettext("when", "Said"), _said_counts(person, filters, now), _said_words()),
    ]


def _narrowed(person: Person, filters: Filters, now: datetime, *, but: str = "") -> MemoryQuerySet:
    found = search(person, filters.q)
    if filters.status != ALL and but != "status":
        found = found.filter(status=filters.status)
    if filters.kind and but != "kind":
        found = found.filter(kind=filters.kind)
    if filters.category and but != "category":
        found = found.filter(category=filters.category)
    if filters.source and but != "source":
        found = found.filter(Exists(_evidence_from(filters.source)))
    if filters.said and but != "said":
        found = found.filter(said_at__gte=_since(person, filters.said, now))
    return found


def _since(person: Person, said: str, now: datetime) -> datetime:
    days, _words = SAID_WITHIN[said]
    midnight = person.local(now).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight - timedelta(days=days - 1)


def _evidence_from(source: str) -> QuerySet[Evidence]:
    evidence = Evidence.objects.filter(memory=OuterRef("pk"))
    return evidence.filter(passage=None) if source == OWN else evidence.filter(passage__origin=source)


def _counts(person: Person, filters: Filters, name: str, now: datetime) -> dict[str, int]:
    rows = _narrowed(person, filters, now, but=name).order_by().values_list(name).annotate(Count("pk"))
    return dict(rows)


def _source_counts(person: Person, filters: Filters, now: datetime) -> dict[str, int]:
    rows = (
        _narrowed(person, filters, now, but="source")
        .order_by()
        .filter(evidence__isnull=False)
        .values_list("evidence__passage__origin")
        .annotate(Count("pk", distinct=True))
    )
    return {origin or OWN: count for origin, count in rows}


def _said_counts(person: Person, filters: Filters, now: datetime) -> dict[str, int]:
    sums = {said: Count("pk", filter=Q(said_at__gte=_since(person, said, now))) for said in SAID_WITHIN}
    return _narrowed(person, filters, now, but="said").order_by().aggregate(**sums)


def _facet(filters: Filters, name: str, words: str, counts: dict[str, int], values: dict[str, str]) -> Facet:
    chosen = getattr(filters, name)
    choices = [
        Choice(
            value,
            label,
            counts.get(value, 0),
            value == chosen,
            _toggled(filters, name, value),
        )
        for value, label in values.items()
        if counts.get(value) or value == chosen
    ]
    if name == "status":
        everything = Choice(ALL, _("All"), sum(counts.values()), chosen == ALL, filters.address(status=ALL))
        choices.append(everything)
    return Facet(name, words, choices)


def _toggled(filters: Filters, name: str, value: str) -> str:
    """Choosing what is chosen already lets go of it; some status is always chosen."""
    lets_go = value == getattr(filters, name) and name != "status"
    return filters.address(**{name: "" if lets_go else value})


def _words_of(choices: type[TextChoices]) -> dict[str, str]:
    return {value: str(label) for value, label in choices.choices}


def _status_words() -> dict[str, str]:
    return {status: str(Status(status).label) for status in _shown_statuses()}


def _source_words() -> dict[str, str]:
    return {**_words_of(Origin), OWN: _("Written on these pages")}


def _said_words() -> dict[str, str]:
    return {said: _(words) for said, (_days, words) in SAID_WITHIN.items()}


def _shown_statuses() -> list[str]:
    return [status.value for status in Status if status != Status.DELETED]


def _one_of(said: str | None, values: list[str], usual: str) -> str:
    return said if said in values else usual


def _clean(query: str) -> str:
    return query.replace("\0", "").encode(errors="ignore").decode().strip()[:QUERY_MAX_CHARACTERS]
