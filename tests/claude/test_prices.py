from __future__ import annotations

from decimal import Decimal

import pytest

from claude.prices import cost
from claude.tokens import estimate_tokens
from claude.usage import Usage

MILLION = 1_000_000


@pytest.mark.parametrize(
    ("model", "usage", "dollars"),
    [
        ("claude-sonnet-5-5", Usage(tokens_in=MILLION), "2"),
        ("claude-sonnet-5-5", Usage(tokens_out=MILLION), "10"),
        ("claude-sonnet-5-5", Usage(cache_write=MILLION), "2.5"),
        ("claude-sonnet-5-5", Usage(cache_write=MILLION, cache_write_1h=MILLION), "4"),
        ("claude-sonnet-5-5", Usage(cache_read=MILLION), "0.10"),
        ("claude-opus-5-5", Usage(tokens_in=1000, tokens_out=1000), "0.024"),
        ("claude-haiku-4-5-20251001", Usage(tokens_in=1000), "0.001"),
        ("claude-haiku-5-5", Usage(tokens_in=100_000), "0.01"),
    ],
)
def test_a_response_costs_what_the_list_says(model: str, usage: Usage, dollars: str) -> None:
    assert cost(model, usage) == Decimal(dollars)


def test_past_a_hundred_thousand_prompt_tokens_all_of_a_haiku_request_costs_more() -> None:
    assert cost("claude-haiku-5-5", Usage(tokens_in=1, cache_read=100_000, tokens_out=100)) == Decimal("0.0052505")
    assert cost("claude-haiku-5-5", Usage(cache_read=100_000, tokens_out=100)) == Decimal("0.00105")


def test_a_batch_costs_half() -> None:
    usage = Usage(tokens_in=1000, tokens_out=10)
    whole = cost("claude-sonnet-5-5", usage)
    assert whole is not None
    assert cost("claude-sonnet-5-5", usage, batch=True) == whole / 2


@pytest.mark.parametrize("model", ["qwen3:8b", "claude-sonnet-5-6", "", "claude-haiku"])
def test_an_unknown_model_has_no_known_cost(model: str) -> None:
    assert cost(model, Usage(tokens_in=1)) is None


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("我不吃香菜", 5), ("12345678", 2), ("123456789", 3), ("我 like 🙂", 4)]
)
def test_tokens_are_estimated_for_both_scripts(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens
