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
    """From the SDK's object, which is not validated: other servers leave fields out."""
    an_hour = getattr(getattr(reported, "cache_creation", None), "ephemeral_1h_input_tokens", None)
    written = _count(getattr(reported, "cache_creation_input_tokens", None))
    return Usage(
        tokens_in=_count(getattr(reported, "input_tokens", None)),
        tokens_out=_count(getattr(reported, "output_tokens", None)),
        cache_write=written,
        cache_read=_count(getattr(reported, "cache_read_input_tokens", None)),
        cache_write_1h=min(_count(an_hour), written),
    )


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0
