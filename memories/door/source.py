"""What a proposal rests on, and whether it may: the words, whose they are, their language, what was deleted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memories import language, quotes
from memories.door.proposal import Proposal, Refused
from memories.forgetting.blocking import blocked
from memories.models import AskedBy, Evidence, Language, Origin, Passage, Person, RefusalReason, Status
from memories.reading import readable
from memories.spans import Span, overlaps_any


@dataclass(frozen=True)
class Source:
    """What a proposal rests on: a span of a passage, or the person's own entry."""

    passage: Passage | None
    span: Span | None
    said_at: datetime
    trusted: bool


def source_of(person: Person, proposal: Proposal, *, now: datetime, asked_by: AskedBy) -> Source:
    if proposal.passage_id is None:
        if asked_by == AskedBy.PAGE:
            return Source(passage=None, span=None, said_at=now, trusted=True)
        if asked_by == AskedBy.IMPORT:
            return Source(passage=None, span=None, said_at=now, trusted=False)
        raise Refused(RefusalReason.QUOTE_NOT_FOUND)
    return passage_source(person, proposal.passage_id, quote=proposal.quote, asked_by=asked_by)


def passage_source(
    person: Person, passage_id: int, *, asked_by: AskedBy, quote: str = "", span: Span | None = None
) -> Source:
    passage = (
        Passage.objects.of(person)
        .select_related("message__conversation")
        .prefetch_related("tombstones")
        .filter(pk=passage_id)
        .first()
    )
    if passage is None:
        raise Refused(RefusalReason.QUOTE_NOT_FOUND)
    if not passage.message.conversation.learns:
        raise Refused(RefusalReason.LEARNING_OFF)
    if passage.origin == Origin.ASSISTANT:
        raise Refused(RefusalReason.NOT_THEIR_WORDS)
    gone = [(tombstone.start, tombstone.end) for tombstone in passage.tombstones.all()]
    if span is None:
        span = quotes.locate(quote, passage.text, gone)
        if span is None and quotes.stands_in_forgotten(quote, passage.text, gone):
            raise Refused(RefusalReason.DELETED)
    elif overlaps_any(span, gone):
        raise Refused(RefusalReason.DELETED)
    if span is None or not 0 <= span[0] < span[1] <= len(passage.text):
        raise Refused(RefusalReason.QUOTE_NOT_FOUND)
    return Source(passage=passage, span=span, said_at=passage.message.said_at, trusted=passage.origin == Origin.TYPED)


def check_language(person: Person, statement: str, quote: str, source: Source) -> None:
    if source.passage is None:
        return
    traditional = person.language == Language.CHINESE
    around = readable(source.passage)[:2_000]
    if not language.same_language(statement, quote, around=around, traditional=traditional):
        raise Refused(RefusalReason.WRONG_LANGUAGE)


def check_not_deleted(person: Person, statement: str, source: Source) -> None:
    """What is older than a deletion that covers it is blocked for good; what is said anew is new."""
    if source.passage is None:
        return
    assert source.span is not None
    start, end = source.span
    # Nothing under a tombstone is a source: that need not be looked up again.
    covered = blocked(person, statement=statement, said_at=source.said_at)
    # A rejected proposal is not proposed again from the same words.
    rejected = Evidence.objects.filter(
        memory__person=person,
        memory__status=Status.DELETED,
        memory__statement="",
        passage=source.passage,
        start=start,
        end=end,
    )
    if covered or rejected.exists():
        raise Refused(RefusalReason.DELETED)
