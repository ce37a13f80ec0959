"""The one-time sign-in link that `manage.py up` prints for the owner of this machine. Not in production."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model, login
from django.contrib.auth.decorators import login_not_required
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

EXPIRES_S = 15 * 60


def make_link(person_id: int, *, address: str) -> str:
    token = secrets.token_urlsafe(32)
    cache.set(_key(token), person_id, timeout=EXPIRES_S)
    return address.rstrip("/") + reverse("sign_in", args=[token])


def owner_id() -> int:
    """The first superuser; on a new machine `owner` is made, who signs in by link until they set a password."""
    people = get_user_model().objects
    owner = people.filter(is_superuser=True, is_active=True).order_by("pk").first()
    if owner is None:
        owner = people.create_superuser("owner", email="", password=None)
    return int(owner.pk)


@login_not_required
@never_cache
@require_GET
def sign_in(request: HttpRequest, token: str) -> HttpResponse:
    if settings.PRODUCTION:
        raise Http404
    person = _take(token)
    if person is None:
        messages.error(
            request, _("This link was used before, or is too old. `manage.py sign_in_link` prints a new one.")
        )
        return redirect(settings.LOGIN_URL)
    login(request, person, backend="django.contrib.auth.backends.ModelBackend")
    return redirect(settings.LOGIN_REDIRECT_URL)


def _take(token: str) -> Any:
    person_id = cache.get(_key(token))
    # `add` succeeds for one caller only, so two clicks at once sign in one.
    if person_id is None or not cache.add(_key(token) + ":used", 1, timeout=EXPIRES_S):
        return None
    cache.delete(_key(token))
    return get_user_model().objects.filter(pk=person_id, is_active=True).first()


def _key(token: str) -> str:
    return "sign-in:" + hashlib.sha256(token.encode()).hexdigest()
