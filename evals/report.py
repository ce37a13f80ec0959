"""The readable report: one HTML file that needs nothing else, neither network nor script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from evals import charts
from evals.arms import Arm
from evals.results import ALL, remarks, share_of
from memories.models import How

STYLE = Path(__file__).parent / "report.css"


def render(results: dict[str, Any], *, table: list[str], times: dict[str, Any]) -> str:
    wrong = [row for row in results["answers"] if not row["right"]]
    return render_to_string(
        "evals/report.html",
        {
            # A file of ours, and charts whose words are escaped where they are drawn.
            "style": mark_safe(STYLE.read_text(encoding="utf-8")),  # noqa: S308
            "accuracy": [(suite, mark_safe(chart)) for suite, chart in _accuracy(results)],  # noqa: S308
            "tokens": mark_safe(_tokens(results)),  # noqa: S308
            "results": results,
            "arms": _arms(results, times),
            "remarks": remarks(results),
            "table": "\n".join(table),
            "times": times,
            "wrong": [row | _by_door(row) for row in wrong if row["arm"] == Arm.MEMORY],
            "others": _others([row for row in wrong if row["arm"] != Arm.MEMORY]),
        },
    )


def _arms(results: dict[str, Any], times: dict[str, Any]) -> list[dict[str, Any]]:
    took = {(row["suite"], row["arm"]): row["p50_ms"] / 1_000 for row in times["latencies"]}
    return [arm | {"all": share_of(arm, ALL), "p50": took[arm["suite"], arm["arm"]]} for arm in results["arms"]]


def _by_door(row: dict[str, Any]) -> dict[str, Any]:
    """What was looked up for the question, apart from what every conversation carries."""
    always = [one for one in row["recalled"] if one["how"] == How.INJECTED]
    return {"always": always, "found": [one for one in row["recalled"] if one not in always]}


def _others(wrong: list[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    named = [(f"{row['suite']} · {row['arm']}", row) for row in wrong]
    return [(name, [row for one, row in named if one == name]) for name in dict.fromkeys(name for name, _ in named)]


def _accuracy(results: dict[str, Any]) -> list[tuple[str, str]]:
    drawn = []
    for suite, arms in _by_suite(results):
        categories = dict.fromkeys([ALL, *(name for arm in arms for name in arm["categories"])])
        groups = [
            (category, [(arm["arm"], share_of(arm, category)) for arm in arms if category in arm["categories"]])
            for category in categories
        ]
        drawn.append((suite, charts.accuracy(f"{suite}: right answers by category, with 95 % intervals", groups)))
    return drawn


def _tokens(results: dict[str, Any]) -> str:
    groups = [(suite, [(arm["arm"], arm["tokens_in"]) for arm in arms]) for suite, arms in _by_suite(results)]
    return charts.amounts("Input tokens per question", groups)


def _by_suite(results: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    suites = dict.fromkeys(arm["suite"] for arm in results["arms"])
    return [(suite, [arm for arm in results["arms"] if arm["suite"] == suite]) for suite in suites]
