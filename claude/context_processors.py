"""What every page says of the model."""

from __future__ import annotations

from django.http import HttpRequest

from claude.client import is_standin


def standin(request: HttpRequest) -> dict[str, bool]:
    """Whether the offline stand-in answers, which every page must say."""
    return {"standin_answers": is_standin()}
