"""Settings of the model that cannot work, said before the first call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

EFFORTS = ("", "low", "medium", "high", "xhigh", "max")


@register(Tags.compatibility)
def check_model_settings(**_: Any) -> list[CheckMessage]:
    return list(_problems())


def _problems() -> Iterator[CheckMessage]:
    if settings.CLAUDE_EFFORT not in EFFORTS:
        yield Error("CLAUDE_EFFORT is not one of low, medium, high, xhigh, max, or blank.", id="claude.E001")
    if settings.ANTHROPIC_BASE_URL.rstrip("/").endswith("/v1"):
        yield Warning("ANTHROPIC_BASE_URL ends in /v1, which is added to it.", id="claude.W001")
    if settings.STANDIN_DELAY_S < 0:
        yield Error("STANDIN_DELAY_S is below nothing.", id="claude.E002")
