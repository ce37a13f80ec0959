"""What a question, an answer or a memory says is words in the report, whatever markup it has."""

from __future__ import annotations

from typing import Any

from evals import report
from tests.house.test_markup import VECTORS, run_by


def _row(arm: str, hostile: str) -> dict[str, Any]:
    one = {"label": "m1", "how": "retrieved", "statement": hostile, "at": hostile}
    return {
        "suite": hostile, "life": "a life", "question": hostile, "category": hostile, "arm": arm, "right": False,
        "judged_by": hostile, "why_wrong": hostile, "ask": hostile, "expected": hostile, "answer": hostile,
        "recalled": [one, one | {"how": "injected"}], "stored": [one], "cited": [hostile], "reasoning": hostile,
    }  # fmt: skip


def _page(hostile: str) -> str:
    arms: list[dict[str, Any]] = [
        {
            "suite": hostile, "arm": arm, "tokens_in": 7.0, "tokens_out": 1.0, "cost": None, "undecided": 0,
            "why_wrong": {}, "categories": {name: {"right": 1, "of": 2, "low": 0.1, "high": 0.9}
                                            for name in ("all", hostile)},
        }
        for arm in ("memory", "full")
    ]  # fmt: skip
    results = {
        "model": hostile, "offline": False, "arms": arms, "lives": [], "judge": None,
        "conduct": [{"name": hostile, "holds": False, "figure": hostile,
                     "details": [{"holds": False, "what": hostile, "seen": hostile}]}],
        "answers": [_row("memory", hostile), _row("full", hostile)],
    }  # fmt: skip
    times = {
        "begun": hostile, "ended": hostile, "stopped": hostile,
        "latencies": [{"suite": hostile, "arm": arm, "p50_ms": 5, "p95_ms": 9} for arm in ("memory", "full")],
    }  # fmt: skip
    return report.render(results, table=[hostile], times=times)


def test_no_markup_runs_or_loads_anything() -> None:
    assert {hostile: found for hostile in VECTORS if (found := run_by(_page(hostile)))} == {}


def test_what_was_said_can_still_be_read() -> None:
    page = _page("<b>7731</b> & more")
    assert "<b>" not in page
    assert page.count("&lt;b&gt;7731&lt;/b&gt; &amp; more") > 20
