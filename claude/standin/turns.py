"""The newest turn of a chat request, and what the person told in it that no memory says yet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from claude.prompts import fences
from claude.standin import forgetting
from claude.standin.reading import read
from claude.standin.requests import Block, MemoryLine, blocks_of, now, outside, text_of
from claude.standin.statements import Known, Statement

UNKEPT = 9_000_000_000  # the first mark of what is said and not remembered
UNMARKED = re.compile(r" ?\[m9\d{9}\]")


@dataclass(frozen=True)
class Turn:
    """The newest thing the person said, and what the assistant has already done about it."""

    typed: str
    material: list[str]
    calls: list[Block]
    results: list[Block]


def newest(request: Block) -> Turn:
    messages = [message for message in request.get("messages") or [] if isinstance(message, dict)]
    calls: list[Block] = []
    results: list[Block] = []
    for message in reversed(messages):
        blocks = blocks_of(message)
        if message.get("role") == "assistant":
            calls = [block for block in blocks if block.get("type") == "tool_use"] + calls
            continue
        outcomes = [block for block in blocks if block.get("type") == "tool_result"]
        if outcomes:
            results = outcomes + results
            continue
        texts = [text_of(block) for block in blocks if block.get("type") == "text"]
        typed = "\n".join(part for part in (outside(text) for text in texts) if part)
        material = [fence.text for text in texts for fence in fences(text, "pasted", "file")]
        return Turn(typed, material, calls, results)
    return Turn("", [], calls, results)


def told_here(request: Block, lines: list[MemoryLine], moment: datetime) -> list[MemoryLine]:
    """What the person said in this conversation and no memory says yet, as lines whose marks are not shown."""
    said: list[tuple[str, datetime]] = []
    for message in request.get("messages") or []:
        if not isinstance(message, dict) or message.get("role") != "user":
            continue
        whole = "\n".join(text_of(block) for block in blocks_of(message))
        at = now(whole) if fences(whole, "now") else moment
        said += [(outside(text_of(block)), at) for block in blocks_of(message) if block.get("type") == "text"]
    return unremembered(said, lines)


def unremembered(said: Iterable[tuple[str, datetime]], lines: list[MemoryLine]) -> list[MemoryLine]:
    """What these words of the person's tell and none of the lines says, as lines whose marks are not shown."""
    known, found = Known(), dict[str, tuple[Statement, datetime]]()
    for words, at in said:
        if words and not forgetting.is_request(words):
            found |= {one.text: (one, at) for one in read(words, at.date(), known)}
    remembered = {line.statement for line in lines}
    return [
        MemoryLine(
            f"m{UNKEPT + place}",
            at.date(),
            one.kind,
            one.category,
            one.text,
            one.plan,
            event_from=one.event_from,
            event_until=one.event_until,
        )
        for place, (one, at) in enumerate(found.values())
        if one.text not in remembered
    ]
