"""The tokens of one response, as its server counted them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Usage:
    """`tokens_in` are those that were neither written to the cache nor read from it."""

    tokens_in: int = 0
    tokens_out: int = 0
    cache_write: int = 0
    cache_read: int = 0
    # The part of `cache_write` that is kept for an hour.
    cache_write_1h: int = 0

    @property
    def prompt(self) -> int:
        return self.tokens_in + self.cache_write + self.cache_read


def read_usage(reported: Any) -> Usage:
    """From the SDK's object or the plain dictionary. Neither is validated: other servers leave fields out."""
    an_hour = _told(_told(reported, "cache_creation"), "ephemeral_1h_input_tokens")
    written = _count(_told(reported, "cache_creation_input_tokens"))
    return Usage(
        tokens_in=_count(_told(reported, "input_tokens")),
        tokens_out=_count(_told(reported, "output_tokens")),
        cache_write=written,
        cache_read=_count(_told(reported, "cache_read_input_tokens")),
        cache_write_1h=min(_count(an_hour), written),
    )


def _told(reported: Any, name: str) -> Any:
    return reported.get(name) if isinstance(reported, dict) else getattr(reported, name, None)


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0
