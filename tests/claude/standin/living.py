"""What a person said, kept as the nights would keep it, for questions that are asked later."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

from claude.standin.questions import understand
from claude.standin.reading import read
from claude.standin.recollecting import answer
from claude.standin.reconcile import reconcile
from claude.standin.requests import MemoryLine, Proposed
from claude.standin.statements import Known

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)


def remembered(said: list[tuple[date, str]]) -> list[MemoryLine]:
    lines: list[MemoryLine] = []
    known = Known()
    for day, words in said:
        for one in read(words, day, known):
            (verdict,) = reconcile([Proposed("c1", day, one.text, tuple(lines))])
            if verdict["verdict"] in ("same", "nothing"):
                continue
            if verdict["verdict"] == "replaces":
                lines = [replace(line, past=True) if line.id == verdict["memory"] else line for line in lines]
            lines.append(
                MemoryLine(
                    f"m{len(lines) + 1}",
                    day,
                    one.kind,
                    one.category,
                    one.text,
                    one.plan,
                    event_from=one.event_from,
                    event_until=one.event_until,
                )
            )
    return lines


def asked(question: str, lines: list[MemoryLine]) -> str:
    return answer(understand(question), lines, NOW)
