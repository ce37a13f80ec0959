"""Every other passage, of either role, that says what the memories to forget say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q

from memories.forgetting.finding import memories_with_any, messages_with_any, messages_with_most
from memories.forgetting.likeness import Likeness, Saying, compare, saying, sentences
from memories.forgetting.plan import MemoryPart, SpanPart, Why
from memories.forgetting.spans import Span, blanked, covered
from memories.models import Evidence, Memory, Message, Passage, Person, Recollection, Tombstone, Version

# So many messages with a name are looked at for one plan, and so many for each statement that goes.
FAR_LIMIT = 2_000
LIKE_LIMIT = 100
SAYINGS_LIMIT = 200
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


def passages_that_say(
    person: Person, targets: Targets, *, about: bool
) -> tuple[list[SpanPart], list[SpanPart], list[SpanPart]]:
    """Evidence, then what else certainly says the same, then what perhaps does."""
    going: dict[int, list[Span]] = defaultdict(list)
    evidence: list[SpanPart] = []
    for found in targets.evidence:
        assert found.passage is not None
        going[found.passage.pk].append(found.span)
        evidence.append(SpanPart(found.passage, *found.span, Why.EVIDENCE))
    near = _near(targets)
    far = _far(person, targets) - near
    certain: list[SpanPart] = []
    doubtful: list[SpanPart] = []
    passages = Passage.objects.of(person).filter(message__in=near | far).select_related("message")
    gone = _already_gone(person, passages)
    for passage in passages:
        echo = passage.message_id in near
        taken = going[passage.pk]
        rest = blanked(passage.text, taken + gone[passage.pk], BLANK)
        for start, end in sentences(passage.text):
            if not rest[start:end].strip() or covered((start, end), taken + gone[passage.pk]):
                continue
            like = likeness(targets, rest[start:end], echo=echo, about=about)
            if like == Likeness.SAYS_IT:
                certain.append(SpanPart(passage, start, end, Why.ECHO if echo else Why.SAME))
            elif like == Likeness.DOUBTFUL:
                doubtful.append(SpanPart(passage, start, end, Why.SAME))
    return evidence, certain, doubtful


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
    return certain, doubtful


def _near(targets: Targets) -> set[int]:
    """The messages with evidence, what was answered to them, and the replies that were given one of the memories."""
    spoken = {e.passage.message for e in targets.evidence if e.passage}
    beside = Q(pk__in=[message.pk for message in spoken])
    for message in spoken:
        beside |= Q(conversation=message.conversation_id, position=message.position + 1)
    given = Recollection.objects.filter(memory__in=targets.memories).values("reply")
    found = set(Message.objects.filter(beside).values_list("pk", flat=True)) if spoken else set()
    return found | set(Message.objects.filter(pk__in=given).values_list("pk", flat=True))


def _far(person: Person, targets: Targets) -> set[int]:
    """Elsewhere: each place with one of the names, and the places with much of a statement."""
    found = messages_with_any(person, targets.names, limit=FAR_LIMIT)
    for said in targets.sayings[:SAYINGS_LIMIT]:
        found |= messages_with_most(person, said.terms, share=LEAST_SHARE, limit=LIKE_LIMIT)
    return found


def _already_gone(person: Person, passages: Iterable[Passage]) -> dict[int, list[Span]]:
    gone: dict[int, list[Span]] = defaultdict(list)
    for tombstone in Tombstone.objects.filter(person=person, passage__in=[passage.pk for passage in passages]):
        gone[tombstone.passage_id].append((tombstone.start, tombstone.end))
    return gone
