"""The preference page, in sections, and the topic pages: lines that each rest on memories. A section, or a whole topic
page, is written again only when its memories changed, always from the memories and never from a page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from claude.client import fill
from claude.prompts import fence, render
from claude.purposes import Purpose
from consolidation import topics
from consolidation.models import BuiltSection, Night
from consolidation.schemas import PageLine, PageLines
from memories.models import PREFERENCES, Category, Line, Memory, Page, Person, lock_person
from memories.models.memory import MemoryQuerySet
from memories.wording import memory_line
from memories.words import fold, tokens

PROMPT = Path(__file__).parent / "prompts" / "pages.v1.md"
# Events are found by recall; a page of them would grow for ever.
SECTIONS = [category for category in Category if category != Category.EVENT]


type Versions = dict[str, int]


@dataclass(frozen=True)
class Part:
    """What is written at once: one section of the preference page, or one topic's page as a whole."""

    slug: str = PREFERENCES
    section: str = ""
    title: str = ""

    def memories(self, person: Person) -> MemoryQuerySet:
        active = Memory.objects.of(person).active()
        if self.slug == PREFERENCES:
            return active.filter(category=self.section)
        return active.filter(pk__in=[memory.pk for memory in topics.members(person, self.title)])

    def versions(self, person: Person) -> Versions:
        return {str(pk): version for pk, version in self.memories(person).values_list("pk", "version")}

    def lines(self, person: Person) -> Iterator[tuple[int, str]]:
        """Each line with each memory it rests on."""
        lines = Line.objects.filter(page__person=person, page__slug=self.slug)
        if self.slug == PREFERENCES:
            lines = lines.filter(section=self.section)
        for line, memory in lines.values_list("pk", "memories"):
            yield line, str(memory)

    def built_from(self, person: Person) -> Versions:
        built = BuiltSection.objects.filter(page__person=person, page__slug=self.slug, section=self.section).first()
        return dict(built.built_from) if built else {}


@dataclass(frozen=True)
class Written:
    section: str
    text: str
    memories: list[Memory]


def stale(person: Person, *, since: datetime | None = None) -> list[Part]:
    """What is to be written: sections and topic pages whose memories are not those they were built from, and topics
    about which enough has gathered. `since`: when the last night looked for such."""
    now, built, covered = _now(person), _built(person), _covered(person)
    sections = [
        Part(section=category)
        for category in SECTIONS
        # Lines that forgetting took along are missed, even where the memories are the same again.
        if now[category] != built[category] or set(now[category]) != covered[category]
    ]
    known = [Part(page.slug, title=page.title) for page in Page.objects.of(person).exclude(slug=PREFERENCES)]
    changed = [part for part in known if part.versions(person) != part.built_from(person)]
    new = [Part(topics.slug_of(name), title=name) for name in topics.gathering(person, since=since)]
    return [*sections, *changed, *new]


def rebuild(night: Night, part: Part, *, now: datetime) -> None:
    """Written from its memories. What the model's lines leave out or get wrong is told by the statements."""
    person = night.person
    versions = part.versions(person)
    if part.slug != PREFERENCES and len(versions) < settings.NIGHT_TOPIC_MEMORIES:
        Page.objects.of(person).filter(slug=part.slug).delete()
        return
    # A long section keeps the lines that still hold: a night costs by what is new.
    keep = len(versions) > settings.NIGHT_PAGE_MEMORIES
    kept = _lines_that_hold(person, part, versions) if keep else {}
    untold = set(versions) - {memory for memories in kept.values() for memory in memories}
    memories = part.memories(person).filter(pk__in=[int(pk) for pk in untold])
    written = _write(night, list(memories.order_by("said_at", "number")))
    with transaction.atomic():
        person = lock_person(night.person_id)
        if part.versions(person) != versions:
            return  # the memories changed while it was written: the next night writes it
        page = _put(person, part, set(kept), written, now=now)
        BuiltSection.objects.update_or_create(
            page=page,
            section=part.section,
            defaults={"person": person, "built_from": versions, "built_at": now},
        )
        night.count(lines=night.counts.get("lines", 0) + len(written))


def restate(person: Person, *, now: datetime) -> None:
    """At once and without the model: lines that no longer hold go, and what they leave untold is told by its statement.
    The next night writes it well. The caller holds the person's lock."""
    for part in stale(person, since=now):
        versions = part.versions(person)
        kept = _lines_that_hold(person, part, versions)
        untold = set(versions) - {memory for memories in kept.values() for memory in memories}
        memories = part.memories(person).filter(pk__in=[int(pk) for pk in untold]).order_by("said_at", "number")
        if not versions and part.slug != PREFERENCES:
            Page.objects.of(person).filter(slug=part.slug).delete()
            continue
        _put(person, part, set(kept), [Written(m.category, m.statement, [m]) for m in memories], now=now)


def _put(person: Person, part: Part, kept: set[int], written: Sequence[Written], *, now: datetime) -> Page:
    page, _ = Page.objects.get_or_create(person=person, slug=part.slug, defaults={"built_at": now, "title": part.title})
    old = page.lines.exclude(pk__in=kept)
    (old.filter(section=part.section) if part.slug == PREFERENCES else old).delete()
    first = (page.lines.aggregate(last=Max("position"))["last"] or 0) + 1
    for position, line in enumerate(written, start=first):
        row = Line.objects.create(page=page, section=line.section, position=position, text=line.text)
        row.memories.set(line.memories)
    Page.objects.filter(pk=page.pk).update(built_at=now)
    return page


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


def _lines_that_hold(person: Person, part: Part, now: Versions) -> dict[int, set[str]]:
    """Lines all of whose memories are as they were when the line was written."""
    rests_on: dict[int, set[str]] = defaultdict(set)
    for line, memory in part.lines(person):
        rests_on[line].add(memory)
    built = part.built_from(person)
    same = {memory for memory, version in now.items() if built.get(memory) == version}
    return {line: memories for line, memories in rests_on.items() if memories <= same}


def _write(night: Night, memories: list[Memory]) -> list[Written]:
    lines: list[Written] = []
    for start in range(0, len(memories), settings.NIGHT_PAGE_MEMORIES):
        some = memories[start : start + settings.NIGHT_PAGE_MEMORIES]
        lines += _checked(some, _ask(night, some).lines)
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


def _checked(memories: list[Memory], proposed: list[PageLine]) -> list[Written]:
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
    left_out = [Written(memory.category, memory.statement, [memory]) for memory in memories if memory.pk not in told]
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
