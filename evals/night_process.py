"""What a process of its own runs: it sets Django up before it knows any model."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from evals.night_speed import Measured


def dream(person_ids: Sequence[int], now: datetime) -> Measured:
    django.setup()
    from evals import night_speed

    return night_speed.dream(person_ids, now)
