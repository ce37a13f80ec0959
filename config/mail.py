"""Whether mail goes out. Without a server for it, it is printed to the log, and the pages say so."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def mail(request: HttpRequest) -> dict[str, bool]:
    """A context processor."""
    return {"mail_goes_out": settings.MAIL_GOES_OUT}
