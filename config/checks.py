"""Misconfiguration, said at the start with an id, not found out at night."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register


@register(Tags.security, deploy=True)
def check_production(app_configs: Any, **kwargs: Any) -> Iterable[CheckMessage]:
    if not settings.PRODUCTION:
        yield Warning("PRODUCTION is not set.", hint="Set PRODUCTION=1 where others use it.", id="reverie.W001")


@register(Tags.security)
def check_debug(app_configs: Any, **kwargs: Any) -> Iterable[CheckMessage]:
    if settings.PRODUCTION and settings.DEBUG:
        yield Error("DEBUG shows people's words to strangers; it cannot be on in production.", id="reverie.E001")


@register()
def check_model(app_configs: Any, **kwargs: Any) -> Iterable[CheckMessage]:
    address = settings.ANTHROPIC_BASE_URL
    if address and urlsplit(address).scheme not in {"http", "https"}:
        yield Error("ANTHROPIC_BASE_URL is not an http or https address.", id="reverie.E002")
    for purpose, model in settings.CLAUDE_MODELS.items():
        if not model:
            yield Error(f"No model is set for the purpose {purpose!r}.", id="reverie.E003")


@register()
def check_numbers(app_configs: Any, **kwargs: Any) -> Iterable[CheckMessage]:
    if settings.INJECTED_BLOCK_MAX_TOKENS > 1_000:
        yield Error("INJECTED_BLOCK_MAX_TOKENS is more than 1,000.", id="reverie.E004")
    if settings.UNDO_WINDOW_S < 0:
        yield Error("UNDO_WINDOW_S is less than nothing.", id="reverie.E005")
    if not 0 < settings.NIGHT_MAX_RETIRED_SHARE <= 1:
        yield Error("NIGHT_MAX_RETIRED_SHARE is not a share: more than 0, at most 1.", id="reverie.E006")


@register()
def check_origins(app_configs: Any, **kwargs: Any) -> Iterable[CheckMessage]:
    if settings.PRODUCTION and any(host in {"*", ""} for host in settings.ALLOWED_HOSTS):
        yield Error("ALLOWED_HOSTS allows every host.", hint="Name your own.", id="reverie.E007")
