"""Tokens and cost by day and purpose as small static charts: numbers for an SVG, no script and no inline style."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import F, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from claude.models import Call
from claude.purposes import Purpose

DAYS = 14
WIDTH, HEIGHT, FOOT = 560, 120, 18
_COLOURS = ["#3b6ea8", "#7aa6d6", "#b8cfe8", "#b0632b", "#d9944f", "#efc898", "#5f8a4c", "#8d6aa8"]

type Amounts = Mapping[date, Mapping[str, float]]


@dataclass(frozen=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    colour: str
    told: str


@dataclass(frozen=True)
class Label:
    x: float
    y: float
    words: str


@dataclass(frozen=True)
class Chart:
    title: str | Promise
    most: str
    bars: list[Bar]
    labels: list[Label]
    legend: list[tuple[str, str]]
    width: int = WIDTH
    height: int = HEIGHT + FOOT


def charts(calls: QuerySet[Call]) -> list[Chart]:
    """Of the last days on which there was any call."""
    tokens: dict[date, dict[str, float]] = defaultdict(dict)
    cost: dict[date, dict[str, float]] = defaultdict(dict)
    for day, purpose, spent, paid in _rows(calls):
        tokens[day][purpose] = spent
        cost[day][purpose] = float(paid or 0)
    if not tokens:
        return []
    drawn = [_chart(_("Tokens by day and purpose"), tokens, "{:,.0f}")]
    if any(any(of_day.values()) for of_day in cost.values()):
        drawn.append(_chart(_("Known cost in USD"), cost, "{:.4f}"))
    return drawn


def _rows(calls: QuerySet[Call]) -> list[tuple[date, str, int, float | None]]:
    dated = calls.order_by().annotate(day=TruncDate("called_at"))
    days = dated.values_list("day", flat=True).distinct().order_by("-day")[:DAYS]
    spent = Sum(F("tokens_in") + F("tokens_out") + F("tokens_cache_write") + F("tokens_cache_read"))
    sums = dated.filter(day__in=days).values("day", "purpose").annotate(spent=spent, paid=Sum("cost"))
    return [(row["day"], row["purpose"], row["spent"] or 0, row["paid"]) for row in sums.order_by("day", "purpose")]


def _chart(title: str | Promise, amounts: Amounts, form: str) -> Chart:
    most = max((sum(of_day.values()) for of_day in amounts.values()), default=0) or 1
    step = WIDTH / max(len(amounts), 7)
    bars: list[Bar] = []
    labels: list[Label] = []
    for place, (day, of_day) in enumerate(sorted(amounts.items())):
        top = float(HEIGHT)
        for purpose, amount in of_day.items():
            height = amount / most * HEIGHT
            top -= height
            told = f"{day:%Y-%m-%d}, {Purpose(purpose).label}: {form.format(amount)}"
            bars.append(Bar(_to(place * step + 2), _to(top), _to(step - 4), _to(height), _colour(purpose), told))
        labels.append(Label(_to(place * step + step / 2), HEIGHT + FOOT - 4, f"{day:%m-%d}"))
    present = sorted({purpose for of_day in amounts.values() for purpose in of_day}, key=Purpose.values.index)
    return Chart(
        title, form.format(most), bars, labels, [(_colour(purpose), str(Purpose(purpose).label)) for purpose in present]
    )


def _colour(purpose: str) -> str:
    return _COLOURS[Purpose.values.index(purpose) % len(_COLOURS)]


def _to(number: float) -> float:
    return round(number, 2)
