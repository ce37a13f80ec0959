"""What every page says of the model."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def standin(request: HttpRequest) -> dict[str, bool]:
    """Whether the offline stand-in answers, which every page must say."""
    return {"standin_answers": settings.CLAUDE_STANDIN}
