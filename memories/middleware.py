"""The person's language and clock, pages that are never kept by a browser, and redirects that htmx can follow."""

from __future__ import annotations

from zoneinfo import ZoneInfoNotFoundError

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render, resolve_url
from django.utils import timezone, translation
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails


class NothingUnstorable(MiddlewareMixin):
    """No NUL in an address or a cookie: the database takes none, and looks both up. Forms clean what they hold."""

    def process_request(self, request: HttpRequest) -> None:
        if "\0" in request.path_info:
            request.path_info = request.path_info.replace("\0", "")
        for name in [name for name, value in request.COOKIES.items() if "\0" in value]:
            del request.COOKIES[name]


class LanguageAndTimeZone(MiddlewareMixin):
    """The person's own choice of language wins over the browser's; times are shown on the person's clock."""

    def process_request(self, request: HttpRequest) -> None:
        timezone.deactivate()
        if not request.user.is_authenticated:
            return
        if request.user.language:
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language() or settings.LANGUAGE_CODE
        try:
            timezone.activate(request.user.zone)
        except (ZoneInfoNotFoundError, ValueError):
            timezone.deactivate()


class PrivatePages(MiddlewareMixin):
    """Nothing that was made for one person is stored by a browser or a proxy: Back after deleting shows no memory."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.has_header("Cache-Control"):
            response["Cache-Control"] = "no-store, private"
        return response


class SignInAgain(MiddlewareMixin):
    """An expired session answers htmx with a whole-page redirect; a sign-in form is never swapped into a slot."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not _is_htmx(request) or response.status_code != 302:
            return response
        if not response["Location"].startswith(resolve_url(settings.LOGIN_URL)):
            return response
        here = _page_of(request) or resolve_url(settings.LOGIN_REDIRECT_URL)
        return HttpResponseClientRedirect(redirect_to_login(here)["Location"])


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token is stale: htmx loads its page again, and says why."""
    if _is_htmx(request):
        messages.warning(request, gettext("The page had grown old. It was loaded again; please try once more."))
        return HttpResponseClientRedirect(_page_of(request) or "/")
    return render(request, "403.html", {"stale": True}, status=403)


def _is_htmx(request: HttpRequest) -> bool:
    return bool(HtmxDetails(request))


def _page_of(request: HttpRequest) -> str | None:
    """The page that htmx asked from."""
    return HtmxDetails(request).current_url_abs_path
