"""Requests as they arrive, whatever is wrong with them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils.http import parse_header_parameters


class Request(ASGIRequest):
    """What is sent here is UTF-8, whatever it says it is: Python knows "charsets" that are none, and some that make
    half characters."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))
        self.content_params.pop("charset", None)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    too_large = isinstance(exception, RequestDataTooBig)
    return render(request, "400.html", {"too_large": too_large}, status=413 if too_large else 400)


@login_not_required
def favicon(request: HttpRequest) -> HttpResponse:
    """Browsers ask for it on pages that name none, such as the admin's."""
    return redirect(static("favicon.svg"))
