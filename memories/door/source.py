"""What a proposal rests on, and whether it may: the words, whose they are, their language, what was deleted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memories import language, quotes
from memories.door import said as sayings
from memories.door.proposal import Proposal, Refused
from memories.door.said import Said
from memories.forgetting.blocking import blocked
from memories.models import AskedBy, Language, Origin, Person, RefusalReason
from memories.spans import Span, overlaps_any


@dataclass(frozen=True)
class Source:
    """What a proposal rests on: a span of a passage, or the person's own entry."""

    said: Said | None
    span: Span | None
    said_at: datetime
    trusted: bool

    @property
    def passage_id(self) -> int | None:
        return self.said.passage_id if self.said else None


def source_of(person: Person, proposal: Proposal, *, now: datetime, asked_by: AskedBy) -> Source:
    if proposal.passage_id is None:
        if asked_by == AskedBy.PAGE:
            return Source(said=None, span=None, said_at=now, trusted=True)
        if asked_by == AskedBy.IMPORT:
            return Source(said=None, span=None, said_at=now, trusted=False)
        raise Refused(RefusalReason.QUOTE_NOT_FOUND)
    return passage_source(person, proposal.passage_id, quote=proposal.quote, asked_by=asked_by)


def passage_source(
    person: Person, passage_id: int, *, asked_by: AskedBy, quote: str = "", span: Span | None = None
) -> Source:
    said = sayings.find(person, passage_id)
    if said is None:
        raise Refused(RefusalReason.QUOTE_NOT_FOUND)
    if not said.learns:
        raise Refused(RefusalReason.LEARNING_OFF)
    if said.origin == Origin.ASSISTANT:
        raise Refused(RefusalReason.NOT_THEIR_WORDS)
    if span is None:
        span = quotes.locate(quote, said.text, said.gone)
        if span is None and quotes.stands_in_forgotten(quote, said.text, said.gone):
            raise Refused(RefusalReason.DELETED)
    elif overlaps_any(span, said.gone):
        raise Refused(RefusalReason.DELETED)
    if span is None or not 0 <= span[0] < span[1] <= len(said.text):
        raise Refused(RefusalReason.QUOTE_NOT_FOUND)
    return Source(said=said, span=span, said_at=said.said_at, trusted=said.origin == Origin.TYPED)


def check_language(person: Person, statement: str, quote: str, source: Source) -> None:
    if source.said is None:
        return
    traditional = person.language == Language.CHINESE
    around = source.said.readable[:2_000]
    if not language.same_language(statement, quote, around=around, traditional=traditional):
        raise Refused(RefusalReason.WRONG_LANGUAGE)


def check_not_deleted(person: Person, statement: str, source: Source) -> None:
    """What is older than a deletion that covers it is blocked for good; what is said anew is new."""
    if source.said is None:
        return
    # Nothing under a tombstone is a source: that need not be looked up again. And a rejected proposal is not proposed
    # again from the same words.
    if source.span in source.said.rejected or (
        source.said.is_before_a_deletion and blocked(person, statement=statement, said_at=source.said_at)
    ):
        raise Refused(RefusalReason.DELETED)
