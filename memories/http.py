"""Requests as views see them after the middleware: signed in, and known to be htmx's or not."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from memories.models import Person


class PersonRequest(HttpRequest):
    user: Person
    htmx: HtmxDetails
