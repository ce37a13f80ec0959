"""The preference page: sections of lines, each resting on memories. A section is written again only when its memories
changed, always from the memories and never from a page."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from claude.client import fill
from claude.prompts import fence, render
from claude.purposes import Purpose
from consolidation.models import BuiltSection, Night
from consolidation.schemas import PageLine, PageLines
from memories.models import PREFERENCES, Category, Line, Memory, Page, Person, lock_person
from memories.wording import memory_line
from memories.words import fold, tokens

PROMPT = Path(__file__).parent / "prompts" / "pages.v1.md"
# Events are found by recall; a page of them would grow for ever.
SECTIONS = [category for category in Category if category != Category.EVENT]


type Versions = dict[str, int]


@dataclass(frozen=True)
class Written:
    text: str
    memories: list[Memory]


def stale(person: Person) -> list[Category]:
    """The sections whose memories are not those they were built from."""
    now, built, covered = _now(person), _built(person), _covered(person)
    return [
        category
        for category in SECTIONS
        # Lines that forgetting took along are missed, even where the memories are the same again.
        if now[category] != built[category] or set(now[category]) != covered[category]
    ]


def rebuild(night: Night, category: Category, *, now: datetime) -> None:
    """One section, written from its memories. What the model's lines leave out or get wrong is told by the
    statements."""
    person = night.person
    versions, built = _now(person)[category], _built(person)[category]
    # A long section keeps the lines that still hold: a night costs by what is new.
    keep = len(versions) > settings.NIGHT_PAGE_MEMORIES
    kept = _lines_that_hold(person, category, versions, built) if keep else {}
    untold = set(versions) - {memory for memories in kept.values() for memory in memories}
    memories = Memory.objects.of(person).active().filter(pk__in=[int(pk) for pk in untold])
    written = _write(night, category, list(memories.order_by("said_at", "number")))
    with transaction.atomic():
        person = lock_person(night.person_id)
        if _now(person)[category] != versions:
            return  # the memories changed while it was written: the next night writes it
        page, _ = Page.objects.get_or_create(person=person, slug=PREFERENCES, defaults={"built_at": now})
        page.lines.filter(section=category).exclude(pk__in=kept).delete()
        first = (page.lines.aggregate(last=Max("position"))["last"] or 0) + 1
        for position, line in enumerate(written, start=first):
            row = Line.objects.create(page=page, section=category, position=position, text=line.text)
            row.memories.set(line.memories)
        BuiltSection.objects.update_or_create(
            page=page, section=category, defaults={"person": person, "built_from": versions, "built_at": now}
        )
        Page.objects.filter(pk=page.pk).update(built_at=now)
        night.count(lines=night.counts.get("lines", 0) + len(written))


def _now(person: Person) -> dict[str, Versions]:
    versions: dict[str, Versions] = defaultdict(dict)
    active = Memory.objects.of(person).active().filter(category__in=SECTIONS)
    for pk, version, category in active.values_list("pk", "version", "category"):
        versions[category][str(pk)] = version
    return versions


def _built(person: Person) -> dict[str, Versions]:
    built = BuiltSection.objects.filter(page__person=person, page__slug=PREFERENCES)
    return defaultdict(dict, built.values_list("section", "built_from"))


def _covered(person: Person) -> dict[str, set[str]]:
    covered: dict[str, set[str]] = defaultdict(set)
    lines = Line.objects.filter(page__person=person, page__slug=PREFERENCES)
    for section, memory in lines.values_list("section", "memories"):
        covered[section].add(str(memory))
    return covered


def _lines_that_hold(person: Person, category: str, now: Versions, built: Versions) -> dict[int, set[str]]:
    """Lines all of whose memories are as they were when the line was written."""
    rests_on: dict[int, set[str]] = defaultdict(set)
    lines = Line.objects.filter(page__person=person, page__slug=PREFERENCES, section=category)
    for line, memory in lines.values_list("pk", "memories"):
        rests_on[line].add(str(memory))
    same = {memory for memory, version in now.items() if built.get(memory) == version}
    return {line: memories for line, memories in rests_on.items() if memories <= same}


def _write(night: Night, category: Category, memories: list[Memory]) -> list[Written]:
    lines: list[Written] = []
    for start in range(0, len(memories), settings.NIGHT_PAGE_MEMORIES):
        some = memories[start : start + settings.NIGHT_PAGE_MEMORIES]
        lines += _checked(category, some, _ask(night, some).lines)
    return lines


def _ask(night: Night, memories: list[Memory]) -> PageLines:
    shown = fence("memories", *(memory_line(memory, night.person) for memory in memories))
    return fill(
        Purpose.PAGES,
        PageLines,
        system=render(PROMPT),
        messages=[{"role": "user", "content": [{"type": "text", "text": shown}]}],
        person=night.person,
        run=night.run,
        max_tokens=4_096,
    )


def _checked(category: Category, memories: list[Memory], proposed: list[PageLine]) -> list[Written]:
    by_label = {memory.label: memory for memory in memories}
    kept: list[Written] = []
    told: set[int] = set()
    for line in proposed:
        named = list(dict.fromkeys(label.strip().strip("[]") for label in line.memories))
        rests_on = [by_label[label] for label in named if label in by_label]
        if line.section.value != category or not rests_on or len(rests_on) != len(named):
            continue
        text = re.sub(r"\s+", " ", re.sub(r"\[m\d+\]", "", line.text)).strip()
        if text and not {memory.pk for memory in rests_on} & told and keeps_to(text, rests_on):
            kept.append(Written(text, rests_on))
            told |= {memory.pk for memory in rests_on}
    left_out = [Written(memory.statement, [memory]) for memory in memories if memory.pk not in told]
    return [*kept, *left_out]


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
