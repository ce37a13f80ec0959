"""The lines of a part of a page, as the model words them. What they leave out or get wrong, the statements tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import batched
from pathlib import Path

from django.conf import settings

from claude.client import Block, fill
from claude.prompts import fence, render
from claude.purposes import Purpose
from consolidation.models import Night
from consolidation.schemas import PageLine, PageLines
from memories.models import Memory, Person
from memories.wording import memory_line
from memories.words import fold, tokens

PROMPT = Path(__file__).parent / "prompts" / "pages.v1.md"
MAX_TOKENS = 4_096


@dataclass(frozen=True)
class Written:
    section: str
    text: str
    memories: list[Memory]


def in_calls(memories: Sequence[Memory]) -> list[tuple[Memory, ...]]:
    """What one call each is to word."""
    return list(batched(memories, settings.NIGHT_PAGE_MEMORIES))


def ask(night: Night, memories: Sequence[Memory]) -> list[Written]:
    answer = fill(
        Purpose.PAGES,
        PageLines,
        system=render(PROMPT),
        messages=messages_about(night.person, memories),
        person=night.person,
        run=night.run,
        max_tokens=MAX_TOKENS,
    )
    return check(memories, answer.lines)


def messages_about(person: Person, memories: Sequence[Memory]) -> list[Block]:
    shown = fence("memories", *(memory_line(memory, person) for memory in memories))
    return [{"role": "user", "content": [{"type": "text", "text": shown}]}]


def plain(memories: Sequence[Memory]) -> list[Written]:
    """Without the model: each memory by its statement."""
    return [Written(memory.category, memory.statement, [memory]) for memory in memories]


def check(memories: Sequence[Memory], proposed: Sequence[PageLine]) -> list[Written]:
    by_label = {memory.label: memory for memory in memories}
    kept: list[Written] = []
    told: set[int] = set()
    for line in proposed:
        named = list(dict.fromkeys(label.strip().strip("[]") for label in line.memories))
        rests_on = [by_label[label] for label in named if label in by_label]
        if not rests_on or len(rests_on) != len(named) or {m.category for m in rests_on} != {line.section.value}:
            continue
        text = re.sub(r"\s+", " ", re.sub(r"\[m\d+\]", "", line.text)).strip()
        if text and not {memory.pk for memory in rests_on} & told and keeps_to(text, rests_on):
            kept.append(Written(line.section.value, text, rests_on))
            told |= {memory.pk for memory in rests_on}
    return [*kept, *plain([memory for memory in memories if memory.pk not in told])]


_DENIES = re.compile(
    r"\b(?:not|no|never|cannot|without|hates?|dislikes?|avoids?|allerg\w+)\b|n't\b|can't|[不沒没別别無无避]|討厭|讨厌|過敏|过敏",
    re.IGNORECASE,
)
_VALUE = re.compile(r"\d+(?:[.:/]\d+)*|[A-Za-z][\w.+#@-]*|[一二三四五六七八九十百千兩两]+")
_CAPITAL = re.compile(r"(?<=\s)[A-Z][\w'-]+")


def keeps_to(text: str, memories: list[Memory]) -> bool:
    """Whether a line says only what its memories say: no number or name of its own, nothing denied turned round, and
    mostly their words. And whether it says all of it: their numbers and what they deny."""
    source = " ".join(memory.statement for memory in memories)
    return (
        _numbers(text) == _numbers(source)
        and {name.casefold() for name in _CAPITAL.findall(text)} <= {w.casefold() for w in _VALUE.findall(source)}
        and bool(_DENIES.search(text)) == bool(_DENIES.search(source))
        and _share(text, source) >= 0.75
        and _share(source, text) >= 0.4
    )


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.:/]\d+)*", fold(text)))


def _share(text: str, source: str) -> float:
    words = set(tokens(re.sub(r"(?:the )?user(?:['’]s)?\b|使用者的?", " ", text, flags=re.IGNORECASE)))
    return len(words & set(tokens(source))) / len(words) if words else 1.0
