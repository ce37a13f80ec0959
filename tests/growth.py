"""How the time of something grows with the size of its text."""

from __future__ import annotations

import time
from collections.abc import Callable

# Below this a machine's other work is most of what is measured.
_TELLING_S = 0.3


def grows_too_fast(work: Callable[[str], object], text: str) -> bool:
    """Whether a text takes far more than four times what its first quarter takes. A square would take sixteen times."""
    whole = _processor_time(work, text)
    return whole > _TELLING_S and whole > 10 * _processor_time(work, text[: len(text) // 4])


def _processor_time(work: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    work(text)
    return time.process_time() - began
