"""From the journal's rows to figures: the same rows give the same figures, and nothing in them is a time of day."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from evals.journal import Journal, Row
from evals.judging import Judged
from evals.table import Share, lines

ALL = "all"
_LATENCY = "latency_ms"


def gather(journal: Journal, *, offline: bool, model: str) -> dict[str, Any]:
    answers = journal.rows("answer")
    return {
        "model": "the offline stand-in" if offline else model,
        "offline": offline,
        "arms": [
            _arm(suite, arm, [row for row in answers if (row["suite"], row["arm"]) == (suite, arm)])
            for suite, arm in dict.fromkeys((row["suite"], row["arm"]) for row in answers)
        ],
        "lives": journal.rows("life"),
        "conduct": journal.rows("conduct"),
        "judge": next(iter(journal.rows("judge")), None),
        "answers": [{name: value for name, value in row.items() if name != _LATENCY} for row in answers],
    }


def latencies(journal: Journal) -> list[Row]:
    """Apart from the rest: these are never the same twice."""
    answers = journal.rows("answer")
    timed = []
    for suite, arm in dict.fromkeys((row["suite"], row["arm"]) for row in answers):
        took = sorted(row[_LATENCY] for row in answers if (row["suite"], row["arm"]) == (suite, arm))
        timed.append({"suite": suite, "arm": arm, "p50_ms": _at(took, 0.5), "p95_ms": _at(took, 0.95)})
    return timed


def broken(results: dict[str, Any]) -> list[str]:
    """The suites of conduct that do not hold."""
    return [row["name"] for row in results["conduct"] if not row["holds"]]


def table(results: dict[str, Any], timed: list[Row]) -> list[str]:
    """All of it in one table: arms by category, then the suites of conduct."""
    categories = list(dict.fromkeys(name for arm in results["arms"] for name in arm["categories"]))
    took = {(row["suite"], row["arm"]): row for row in timed}
    heading = ["suite", "arm", *categories, "tokens/question", "p50", "cost $"]
    rows = []
    for arm in results["arms"]:
        time = took.get((arm["suite"], arm["arm"]))
        rows.append(
            [
                arm["suite"],
                arm["arm"],
                *[str(share_of(arm, name)) for name in categories],
                f"{arm['tokens_in']:,.0f}",
                # The stand-in's time says nothing of a model's.
                "offline" if results["offline"] or time is None else f"{time['p50_ms'] / 1000:.1f} s",
                "unknown" if arm["cost"] is None else f"{arm['cost']:.4f}",
            ]
        )
    told = lines(heading, rows) if rows else []
    told += [""] * bool(told)
    told += remarks(results)
    if results["conduct"]:
        told += [""] * bool(told)
        told += lines(
            ["conduct", "holds", "figure"],
            [[row["name"], "yes" if row["holds"] else "BROKEN", row["figure"]] for row in results["conduct"]],
        )
    return told


def remarks(results: dict[str, Any]) -> list[str]:
    """What became of what was said, and how far the judge is to be trusted."""
    told = [_life(life) for life in results["lives"]]
    told += _undecided(results["arms"])
    return told + (_agreement(results["judge"]) if results["judge"] else [])


def share_of(arm: Row, category: str) -> Share:
    counted = arm["categories"].get(category)
    return Share(counted["right"], counted["of"]) if counted else Share(0, 0)


def _arm(suite: str, arm: str, rows: list[Row]) -> dict[str, Any]:
    categories = {ALL: _counted(rows)} | {
        category: _counted([row for row in rows if row["category"] == category])
        for category in dict.fromkeys(row["category"] for row in rows)
    }
    costs = [row["cost"] for row in rows]
    return {
        "suite": suite,
        "arm": arm,
        "categories": categories,
        "tokens_in": _mean(row["tokens_in"] for row in rows),
        "tokens_out": _mean(row["tokens_out"] for row in rows),
        "cost": None if None in costs else round(sum(costs), 6),
        "undecided": sum(row["judged_by"] == Judged.BY_NOBODY for row in rows),
        "why_wrong": _count(row["why_wrong"] for row in rows if row["why_wrong"]),
    }


def _counted(rows: list[Row]) -> dict[str, Any]:
    share = Share(sum(row["right"] for row in rows), len(rows))
    low, high = share.interval
    return {"right": share.hits, "of": share.of, "low": round(low, 4), "high": round(high, 4)}


def _life(life: Row) -> str:
    told = (
        f"{_name(life)}: {life['candidates']} candidates, {life['active']} active memories"
        f" ({life['with_evidence']} lead to their words), {life['superseded']} replaced, {life['waiting']} waiting"
    )
    if life["passing"]:
        told += f", {life['passing_kept_out']} of {life['passing']} passing remarks kept out"
    if life["failed_replies"]:
        told += f", {life['failed_replies']} replies failed"
    return told + (f", POISON KEPT: {', '.join(life['poison_seen'])}" if life["poison_seen"] else "")


def _name(life: Row) -> str:
    return life["suite"] if life["life"] == life["suite"] else f"{life['suite']} {life['life']}"


def _undecided(arms: list[Row]) -> list[str]:
    left = sum(arm["undecided"] for arm in arms)
    of = sum(arm["categories"][ALL]["of"] for arm in arms)
    return [f"Strings cannot tell of {left} of {of} answers: without a model these count as wrong."] if left else []


def _agreement(judge: Row) -> list[str]:
    """With the labelled answers: of what strings decide, and of what a model does."""

    def share(name: str) -> Share:
        return Share(judge[name]["agreed"], judge[name]["of"])

    by_strings = f"Strings decide {judge['strings']['of']} of the labelled answers and agree on {share('strings')}"
    if not judge["model"]:
        return [f"{by_strings}; {judge['left']} need a model."]
    return [
        f"{by_strings}; of the {judge['left']} left, {judge['model']} agrees on {share('of_left')}.",
        f"{judge['model']} agrees on all labelled answers: {share('of_all')}",
    ]


def _count(words: Iterable[str]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for word in words:
        counted[word] = counted.get(word, 0) + 1
    return dict(sorted(counted.items()))


def _mean(values: Iterable[float], round_to: Callable[[float], float] = lambda mean: round(mean, 1)) -> float:
    every = list(values)
    return round_to(sum(every) / len(every)) if every else 0.0


def _at(ordered: list[int], share: float) -> int:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0
