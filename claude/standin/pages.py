"""The night's last step: page lines, each resting on the memories it tells."""

from __future__ import annotations

from claude.standin.meaning import fold
from claude.standin.requests import Block, MemoryLine

CATEGORIES = (
    "profile", "style", "place", "work", "people", "taste", "health", "goal", "learning", "routine", "event", "other",
)  # fmt: skip


def page_lines(lines: list[MemoryLine]) -> list[Block]:
    """One line a memory, those that say the same in one; in the order of the sections."""
    told: dict[tuple[str, str], Block] = {}
    for line in sorted(lines, key=lambda each: (_place(each.category), int(each.id[1:]))):
        if line.past or not line.statement:
            continue
        section = line.category if line.category in CATEGORIES else "other"
        key = (section, fold(line.statement).strip(" .。"))
        block = told.setdefault(key, {"section": section, "text": line.statement, "memories": []})
        if line.id not in block["memories"]:
            block["memories"].append(line.id)
    return list(told.values())


def _place(category: str) -> int:
    return CATEGORIES.index(category) if category in CATEGORIES else len(CATEGORIES)
