"""The readable report: one HTML file that needs nothing else, neither network nor script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from evals import charts
from evals.results import ALL
from evals.table import Share

STYLE = Path(__file__).parent / "report.css"


def render(results: dict[str, Any], *, table: list[str], times: dict[str, Any]) -> str:
    return render_to_string(
        "evals/report.html",
        {
            # A file of ours, and charts whose words are escaped where they are drawn.
            "style": mark_safe(STYLE.read_text(encoding="utf-8")),  # noqa: S308
            "accuracy": [mark_safe(chart) for chart in _accuracy(results)],  # noqa: S308
            "tokens": mark_safe(_tokens(results)),  # noqa: S308
            "results": results,
            "table": "\n".join(table),
            "times": times,
            "wrong": [row for row in results["answers"] if not row["right"]],
        },
    )


def _accuracy(results: dict[str, Any]) -> list[str]:
    drawn = []
    for suite in dict.fromkeys(arm["suite"] for arm in results["arms"]):
        arms = [arm for arm in results["arms"] if arm["suite"] == suite]
        shares = [
            (f"{category} · {arm['arm']}", arm["arm"], Share(counted["right"], counted["of"]))
            for category in dict.fromkeys([ALL, *(name for arm in arms for name in arm["categories"])])
            for arm in arms
            if (counted := arm["categories"].get(category))
        ]
        drawn.append(charts.accuracy(f"{suite}: right answers by category, with 95 % intervals", shares))
    return drawn


def _tokens(results: dict[str, Any]) -> str:
    values = [(f"{arm['suite']} · {arm['arm']}", arm["arm"], arm["tokens_in"]) for arm in results["arms"]]
    return charts.amounts("Input tokens per question", values)
