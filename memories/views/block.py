"""The meter of what every conversation starts with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from claude.tokens import estimate_tokens
from memories.block import compose
from memories.models import Person


@dataclass(frozen=True)
class Meter:
    tokens: int
    most: int
    memories: int


def meter(person: Person, *, now: datetime) -> Meter:
    block = compose(person, now=now)
    return Meter(estimate_tokens(block.text), settings.INJECTED_BLOCK_MAX_TOKENS, len(block.memories))
