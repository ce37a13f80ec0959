"""Booking: every response of the model leaves one row, and so does every one that failed or was aborted."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Self

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils import timezone

from claude import prices
from claude.errors import ClaudeError
from claude.models import Call
from claude.purposes import Purpose
from claude.usage import Usage

ABORTED = "aborted"


@dataclass
class Booking:
    """One call while it runs: started now, booked once, with what is known by then."""

    purpose: Purpose
    person: AbstractBaseUser | None
    run: str
    model: str
    standin: bool
    batch: bool = False
    # Its row stands already: a batch can be collected again.
    booked: bool = False
    started: float = field(default_factory=time.monotonic)

    def again(self) -> Self:
        """The same call, begun now."""
        return replace(self, started=time.monotonic())

    def cost(self, usage: Usage) -> Decimal | None:
        return Decimal(0) if self.standin else prices.cost(self.model, usage, batch=self.batch)

    def book(self, usage: Usage, *, stop_reason: str = "", error: str = "", request_id: str = "") -> None:
        self._write(usage, self.cost(usage), stop_reason=stop_reason, error=error, request_id=request_id)

    def book_failure(self, error: ClaudeError, usage: Usage | None, *, stop_reason: str = "") -> None:
        """`usage` is None where no response had begun: an answered error costs nothing, a lost one nobody knows."""
        if usage is None:
            cost = Decimal(0) if self.standin or (error.status or 0) >= 400 else None
        else:
            cost = self.cost(usage)
        return self._write(
            usage or Usage(), cost, stop_reason=stop_reason, error=error.code, request_id=error.request_id
        )

    def _write(self, usage: Usage, cost: Decimal | None, *, stop_reason: str, error: str, request_id: str) -> None:
        if self.booked:
            return
        Call.objects.create(
            person_id=self.person.pk if self.person is not None else None,
            purpose=self.purpose,
            run=self.run[:40],
            model=self.model[:80],
            standin=self.standin,
            tokens_in=usage.tokens_in,
            tokens_out=usage.tokens_out,
            tokens_cache_write=usage.cache_write,
            tokens_cache_read=usage.cache_read,
            cost=cost,
            duration_ms=max(0, round((time.monotonic() - self.started) * 1000)),
            stop_reason=stop_reason[:40],
            error=error[:40],
            request_id=request_id[:80],
            called_at=timezone.now(),
        )
