"""How long to wait before the same request is sent again."""

from __future__ import annotations

import random

from claude.errors import ClaudeError

_FIRST_S = 0.5
_LONGEST_S = 8.0


def pause(error: ClaudeError, *, failed: int, retries: int) -> float | None:
    """Seconds to wait after the `failed`th failure; None when the failure is to be told instead."""
    if not error.retryable or failed > retries:
        return None
    if error.retry_after is not None:
        # Told to come back later than a person waits: that is for the caller to do.
        return error.retry_after if error.retry_after <= _LONGEST_S else None
    longest: float = min(_LONGEST_S, _FIRST_S * 2 ** (failed - 1))
    return longest * random.uniform(0.75, 1)  # noqa: S311
