"""The preference page, in sections, and the topic pages: lines that each rest on memories. A section, or a whole topic
page, is written again only when its memories changed, always from the memories and never from a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from claude.prompts import render
from claude.purposes import Purpose
from consolidation import topics, wording
from consolidation.batching import Answered, Kind, Question
from consolidation.models import BuiltSection, Night
from consolidation.schemas import PageLines
from consolidation.wording import Written
from memories.models import PREFERENCES, Category, Line, Memory, Page, Person, lock_person
from memories.models.memory import MemoryQuerySet

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


def rebuild(night: Night, part: Part, *, now: datetime, without_model: bool = False) -> None:
    """Written from its memories, directly."""
    new = _new(night.person, part)
    if without_model:
        written = wording.plain(new.memories)
    else:
        written = [line for some in wording.in_calls(new.memories) for line in wording.ask(night, some)]
    _write(night, part, new, written, now=now)


def restate(person: Person, *, now: datetime) -> None:
    """At once and without the model: lines that no longer hold go, and what they leave untold is told by its statement.
    The next night writes it well. The caller holds the person's lock."""
    for part in stale(person, since=now):
        new = _new(person, part, keeping=True)
        if new.versions or part.slug == PREFERENCES:
            _put(person, part, new.kept, wording.plain(new.memories), now=now)
        else:
            Page.objects.of(person).filter(slug=part.slug).delete()


@dataclass(frozen=True)
class _New:
    """What is to be worded of a part, and which of its lines stay."""

    versions: Versions
    kept: set[int]
    memories: list[Memory]


def _new(person: Person, part: Part, *, keeping: bool = False) -> _New:
    versions = part.versions(person)
    if part.slug != PREFERENCES and len(versions) < settings.NIGHT_TOPIC_MEMORIES and not keeping:
        return _New(versions, set(), [])
    # A long part keeps the lines that still hold: a night costs by what is new.
    keeping = keeping or len(versions) > settings.NIGHT_PAGE_WHOLE
    kept = _lines_that_hold(person, part, versions) if keeping else {}
    untold = set(versions) - {memory for memories in kept.values() for memory in memories}
    memories = part.memories(person).filter(pk__in=[int(pk) for pk in untold])
    return _New(versions, set(kept), list(memories.order_by("said_at", "number")))


def _write(night: Night, part: Part, new: _New, written: Sequence[Written], *, now: datetime) -> None:
    with transaction.atomic():
        person = lock_person(night.person_id)
        if part.versions(person) != new.versions:
            return  # the memories changed while it was written: the next night writes it
        if part.slug != PREFERENCES and len(new.versions) < settings.NIGHT_TOPIC_MEMORIES:
            Page.objects.of(person).filter(slug=part.slug).delete()
            return
        page = _put(person, part, new.kept, written, now=now)
        BuiltSection.objects.update_or_create(
            page=page,
            section=part.section,
            defaults={"person": person, "built_from": new.versions, "built_at": now},
        )
        night.count(lines=night.counts.get("lines", 0) + len(written))


# --- In a batch: which part an answer is of is told by what the part is built from, never by a topic's name ---


def _to_batch(night: Night, now: datetime) -> list[Question]:
    questions: list[Question] = []
    for part in stale(night.person, since=night.last_done_at()):
        new = _new(night.person, part)
        for some in wording.in_calls(new.memories):
            about = [part.section, new.versions, [memory.pk for memory in some]]
            messages = wording.messages_about(night.person, some)
            questions.append(Question(len(questions), render(wording.PROMPT), messages, wording.MAX_TOKENS, about))
    return questions


def _take_from_batch(night: Night, answered: list[Answered], now: datetime) -> None:
    """A part of which an answer is missing, or whose memories changed, is left to be asked about directly."""
    for part in stale(night.person, since=night.last_done_at()):
        new = _new(night.person, part)
        written: list[Written] = []
        for some in wording.in_calls(new.memories):
            about = [part.section, new.versions, [memory.pk for memory in some]]
            answer = next((each.answer for each in answered if each.about == about), None)
            if not isinstance(answer, PageLines):
                break
            written += wording.check(some, answer.lines)
        else:
            _write(night, part, new, written, now=now)


BATCHED = Kind("p", Purpose.PAGES, PageLines, _to_batch, _take_from_batch)


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
