"""What calls of the model came to, by purpose."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Count, F, Q, QuerySet, Sum

from claude.models import Call
from claude.purposes import Purpose


@dataclass(frozen=True)
class Spent:
    purpose: str
    calls: int
    tokens_in: int
    tokens_out: int
    cost: Decimal | None
    # Answered by the stand-in alone: there is nothing to pay, and no model to name.
    standin: bool
    # Some calls came to an amount that nobody knows.
    at_least: bool


def spent_by_purpose(person: AbstractBaseUser, *, since: datetime) -> list[Spent]:
    """One person's calls, the most tokens first."""
    return _by_purpose(Call.objects.filter(person_id=person.pk, called_at__gte=since))


def spent_on(run: str) -> list[Spent]:
    """The calls that were made for one thing, the most tokens first."""
    return _by_purpose(Call.objects.filter(run=run))


def _by_purpose(calls: QuerySet[Call]) -> list[Spent]:
    rows = (
        calls.order_by()
        .values("purpose")
        .annotate(
            calls=Count("pk"),
            read=Sum(F("tokens_in") + F("tokens_cache_write") + F("tokens_cache_read")),
            written=Sum("tokens_out"),
            paid=Sum("cost", filter=Q(standin=False)),
            real=Count("pk", filter=Q(standin=False)),
            unknown=Count("pk", filter=Q(standin=False, cost=None)),
        )
        .order_by("-read", "purpose")
    )
    return [
        Spent(
            purpose=str(Purpose(row["purpose"]).label),
            calls=row["calls"],
            tokens_in=row["read"],
            tokens_out=row["written"],
            cost=row["paid"],
            standin=not row["real"],
            at_least=bool(row["unknown"]),
        )
        for row in rows
    ]
