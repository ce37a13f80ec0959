"""Every other passage, of either role, that says what the memories to forget say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import Q

from memories.derived import given_elsewhere
from memories.forgetting.finding import (
    memories_with_any,
    messages_that_mean,
    messages_with_any,
    messages_with_most,
)
from memories.forgetting.judge import Judged, can_judge, judge
from memories.forgetting.likeness import Likeness, Saying, compare, saying, sentences
from memories.forgetting.plan import MemoryPart, SpanPart, Why
from memories.forgetting.spans import Span, blanked, merged, touched
from memories.language import same_language
from memories.models import Evidence, Memory, Message, Origin, Passage, Person, Recollection, Tombstone, Version

# So many messages with a name are looked at for one plan, and so many for each statement that goes.
FAR_LIMIT = 300
ABOUT_LIMIT = 3_000
# More than this nobody ticks; the newest are shown.
DOUBTFUL_LIMIT = 60
LIKE_LIMIT = 100
SAYINGS_LIMIT = 200
MEANT_LIMIT = 10
# Of a statement's words, for a place to be looked at.
LEAST_SHARE = 0.34
BLANK = " "


@dataclass(frozen=True)
class Targets:
    """What goes, as it is compared: a saying for each statement, each earlier version, each quote."""

    memories: tuple[Memory, ...]
    sayings: tuple[Saying, ...]
    evidence: tuple[Evidence, ...]

    @property
    def names(self) -> frozenset[str]:
        return frozenset().union(*(said.names for said in self.sayings))

    @property
    def terms(self) -> frozenset[str]:
        return frozenset().union(*(said.terms for said in self.sayings))


def targets_of(memories: Sequence[Memory]) -> Targets:
    keys = [memory.pk for memory in memories]
    evidence = tuple(Evidence.objects.filter(memory__in=keys, passage__isnull=False).select_related("passage__message"))
    texts = [memory.statement for memory in memories]
    texts += Version.objects.filter(memory__in=keys).values_list("statement", flat=True)
    texts += [e.passage.text[e.start : e.end] for e in evidence if e.passage]
    sayings = dict.fromkeys(said for said in map(saying, texts) if said.terms)
    return Targets(memories=tuple(memories), sayings=tuple(sayings), evidence=evidence)


def likeness(targets: Targets, words: str, *, echo: bool = False, about: bool = False) -> Likeness:
    return max((compare(said, words, echo=echo, about=about) for said in targets.sayings), default=Likeness.UNRELATED)


@dataclass
class Reading:
    """One passage and what its sentences were found to say."""

    passage: Passage
    # Without what was forgotten before, which no model reads again; every other word in its place.
    text: str
    echo: bool
    certain: list[Span] = field(default_factory=list)
    doubtful: list[Span] = field(default_factory=list)
    meant: bool = False

    @property
    def worth_asking(self) -> bool:
        return bool(self.certain or self.doubtful or self.echo or self.meant)


@dataclass(frozen=True)
class Sayings:
    evidence: list[SpanPart]
    certain: list[SpanPart]
    doubtful: list[SpanPart]
    judged: bool


def passages_that_say(person: Person, targets: Targets, *, about: bool, ask_model: bool = True) -> Sayings:
    """The evidence, what else says the same, and what perhaps does: by the model's judgement where there is one, by the
    words where there is none."""
    evidence = [SpanPart(found.passage, *found.span, Why.EVIDENCE) for found in targets.evidence if found.passage]
    readings = _read(person, targets, about=about)
    judged: Judged = {}
    if ask_model and can_judge():
        asked = sorted((r for r in readings if r.worth_asking), key=_most_telling)
        judged = judge(person, targets.memories, [(reading.passage, reading.text) for reading in asked])
    certain: list[SpanPart] = []
    doubtful: list[SpanPart] = []
    for reading in readings:
        if reading.passage.pk in judged:
            _follow(reading, *judged[reading.passage.pk])
        elif not reading.certain and not reading.doubtful and (reading.meant or _in_another_language(reading, targets)):
            reading.doubtful = [(0, len(reading.passage.text))]
        why = Why.ECHO if reading.echo else Why.SAME
        certain += [SpanPart(reading.passage, *span, why) for span in reading.certain]
        doubtful += [SpanPart(reading.passage, *span, Why.SAME) for span in reading.doubtful]
    doubtful.sort(key=lambda part: -part.passage.pk)
    return Sayings(evidence, certain, doubtful[:DOUBTFUL_LIMIT], judged=bool(judged))


def _read(person: Person, targets: Targets, *, about: bool) -> list[Reading]:
    near = _near(person, targets)
    meant = messages_that_mean(person, targets.memories, limit=MEANT_LIMIT).keys() - near
    far = _far(person, targets, about=about) - near
    readings = _readings(person, targets, near | far | meant, near=near, meant=meant, about=about)
    said = {reading.passage.message_id for reading in readings if reading.certain}
    repeating = given_elsewhere(person, said).keys() - near
    if repeating:
        readings = [reading for reading in readings if reading.passage.message_id not in repeating]
        readings += _readings(person, targets, repeating, near=repeating, about=about)
    return readings


def _readings(
    person: Person,
    targets: Targets,
    messages: Collection[int],
    *,
    near: Collection[int],
    meant: Collection[int] = (),
    about: bool = False,
) -> list[Reading]:
    going: dict[int, list[Span]] = defaultdict(list)
    for found in targets.evidence:
        if found.passage_id is not None:
            going[found.passage_id].append(found.span)
    passages = list(Passage.objects.of(person).filter(message__in=messages).select_related("message"))
    gone = _already_gone(person, passages)
    readings = []
    for passage in passages:
        text = blanked(passage.text, gone[passage.pk], BLANK)
        rest = blanked(text, going[passage.pk], BLANK)
        if not rest.strip():
            continue
        typed = passage.origin == Origin.TYPED
        reading = Reading(passage, text, echo=passage.message_id in near, meant=typed and passage.message_id in meant)
        for start, end in sentences(passage.text):
            if not rest[start:end].strip():
                continue
            like = likeness(targets, rest[start:end], echo=reading.echo, about=about)
            if like == Likeness.SAYS_IT:
                reading.certain.append((start, end))
            elif like == Likeness.DOUBTFUL:
                reading.doubtful.append((start, end))
        readings.append(reading)
    return readings


def passages_that_repeat(person: Person, passages: Sequence[Passage]) -> tuple[list[SpanPart], list[SpanPart]]:
    """What replies elsewhere repeat of words that they were given from these passages: certain, doubtful."""
    words: dict[int, list[str]] = defaultdict(list)
    for passage in passages:
        words[passage.message_id] += [passage.text[start:end] for start, end in sentences(passage.text)]
    certain: list[SpanPart] = []
    doubtful: list[SpanPart] = []
    for reply, given in given_elsewhere(person, words.keys()).items():
        said = dict.fromkeys(saying(sentence) for message in sorted(given) for sentence in words[message])
        targets = Targets(memories=(), sayings=tuple(one for one in said if one.terms), evidence=())
        for reading in _readings(person, targets, {reply}, near={reply}):
            certain += [SpanPart(reading.passage, *span, Why.ECHO) for span in reading.certain]
            doubtful += [SpanPart(reading.passage, *span, Why.ECHO) for span in reading.doubtful]
    return certain, doubtful[:DOUBTFUL_LIMIT]


def _in_another_language(reading: Reading, targets: Targets) -> bool:
    """The answer to the words themselves, which no word can tell because it is of another language than they are."""
    message = reading.passage.message
    answered = [
        e.passage.text[e.start : e.end]
        for e in targets.evidence
        if e.passage
        and e.passage.message.conversation_id == message.conversation_id
        and e.passage.message.position + 1 == message.position
    ]
    return bool(answered) and not any(same_language(reading.text, words) for words in answered)


def _most_telling(reading: Reading) -> tuple[bool, bool, bool, int]:
    return not reading.certain, not reading.doubtful, not reading.echo, -reading.passage.pk


def _follow(reading: Reading, verdict: str, quoted: Span | None) -> None:
    """The model goes before the words; only, what the words found certain is not dropped silently."""
    if verdict == "says_it":
        found = [span for span in reading.certain + reading.doubtful if quoted and touched(span, [quoted])]
        reading.certain = merged([*reading.certain, *found, *([quoted] if quoted else [])]) or [
            (0, len(reading.passage.text))
        ]
        reading.doubtful = [span for span in reading.doubtful if not touched(span, reading.certain)]
    elif verdict == "doubtful":
        reading.doubtful = merged([*reading.certain, *reading.doubtful, *([quoted] if quoted else [])]) or [
            (0, len(reading.passage.text))
        ]
        reading.certain = []
    else:
        reading.doubtful, reading.certain = list(reading.certain), []


def memories_that_tell(
    person: Person, targets: Targets, known: Collection[int], *, about: bool
) -> tuple[list[MemoryPart], list[MemoryPart]]:
    """Other memories that say the same, or that bear its name and so give it away: certain, doubtful."""
    certain: list[MemoryPart] = []
    doubtful: list[MemoryPart] = []
    for memory in memories_with_any(person, targets.terms, limit=FAR_LIMIT):
        if memory.pk in known:
            continue
        like = likeness(targets, memory.statement, about=about)
        bears_name = bool(targets.names & saying(memory.statement).terms)
        if like == Likeness.SAYS_IT:
            certain.append(MemoryPart(memory, Why.GIVES_AWAY if about and bears_name else Why.SAME))
        elif like == Likeness.DOUBTFUL:
            doubtful.append(MemoryPart(memory, Why.GIVES_AWAY))
    return certain, doubtful[:DOUBTFUL_LIMIT]


def _near(person: Person, targets: Targets) -> set[int]:
    """The messages with evidence, what was answered to them, and the replies that were given one of the memories, or
    these words from elsewhere."""
    spoken = {e.passage.message for e in targets.evidence if e.passage}
    beside = Q(pk__in=[message.pk for message in spoken])
    for message in spoken:
        beside |= Q(conversation=message.conversation_id, position=message.position + 1)
    given = Recollection.objects.filter(memory__in=targets.memories).values("reply")
    found = set(Message.objects.filter(beside).values_list("pk", flat=True)) if spoken else set()
    found |= given_elsewhere(person, found).keys()
    return found | set(Message.objects.filter(pk__in=given).values_list("pk", flat=True))


def _far(person: Person, targets: Targets, *, about: bool) -> set[int]:
    """Elsewhere: each place with one of the names, and the places with much of a statement."""
    found = messages_with_any(person, targets.names, limit=ABOUT_LIMIT if about else FAR_LIMIT)
    sayings = [said.terms for said in targets.sayings[:SAYINGS_LIMIT]]
    return found | messages_with_most(person, sayings, share=LEAST_SHARE, limit=LIKE_LIMIT)


def _already_gone(person: Person, passages: Iterable[Passage]) -> dict[int, list[Span]]:
    gone: dict[int, list[Span]] = defaultdict(list)
    for tombstone in Tombstone.objects.filter(person=person, passage__in=[passage.pk for passage in passages]):
        gone[tombstone.passage_id].append((tombstone.start, tombstone.end))
    return gone
