"""US dollars per million tokens, as published on 2026-11-29. A model that is not here has no known cost, never none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from claude.usage import Usage

_MILLION = Decimal(1_000_000)
_BATCH_SHARE = Decimal("0.5")
_DATED = re.compile(r"-\d{8}$")


@dataclass(frozen=True)
class Price:
    tokens_in: Decimal
    tokens_out: Decimal
    cache_write: Decimal
    cache_write_1h: Decimal
    cache_read: Decimal


def _price(*per_million: str) -> Price:
    return Price(*(Decimal(amount) for amount in per_million))


# Per model: the price of a request up to so many prompt tokens (None: any number).
_PRICES: dict[str, list[tuple[int | None, Price]]] = {
    "claude-haiku-5-5": [
        (100_000, _price(".10", ".50", ".125", ".20", ".01")),
        (None, _price(".50", "2.50", ".625", "1", ".05")),
    ],
    "claude-sonnet-5-5": [(None, _price("2", "10", "2.5", "4", ".10"))],
    "claude-opus-5-5": [(None, _price("4", "20", "5", "8", ".20"))],
    "claude-haiku-4-5": [(None, _price("1", "5", "1.25", "2", ".10"))],
}


def cost(model: str, usage: Usage, *, batch: bool = False) -> Decimal | None:
    """What one response cost; None where the model's price is not known."""
    price = _price_of(model, usage.prompt)
    if price is None:
        return None
    total = (
        usage.tokens_in * price.tokens_in
        + usage.tokens_out * price.tokens_out
        + (usage.cache_write - usage.cache_write_1h) * price.cache_write
        + usage.cache_write_1h * price.cache_write_1h
        + usage.cache_read * price.cache_read
    ) / _MILLION
    return (total * _BATCH_SHARE if batch else total).quantize(Decimal("0.00000001"))


def _price_of(model: str, prompt_tokens: int) -> Price | None:
    for up_to, price in _PRICES.get(_DATED.sub("", model), []):
        if up_to is None or prompt_tokens <= up_to:
            return price
    return None
