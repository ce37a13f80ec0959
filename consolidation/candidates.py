"""What an extracting call proposed, as candidates with located quotes: what points to no words of the person's is held
back here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from consolidation.guards import turns_round
from consolidation.models import Candidate, Decision, Did, Guard, Night, Verdict
from consolidation.schemas import ExtractedCandidate, Extraction
from consolidation.windows import Span, gone_from, readable
from memories.language import same_language
from memories.models import Language, RefusalReason
from memories.quotes import locate


@dataclass(frozen=True)
class Reading:
    candidates: list[Candidate]
    held_back: list[Decision]

    @property
    def is_in_another_language(self) -> bool:
        return any(candidate.reason == Guard.WRONG_LANGUAGE for candidate in self.candidates)


def check(night: Night, spans: Sequence[Span], extraction: Extraction, *, now: datetime) -> Reading:
    reading = Reading([], [])
    traditional = night.person.language == Language.CHINESE
    seen: set[tuple[int, int, int, str]] = set()
    for proposed in extraction.candidates:
        place = _place(proposed, spans)
        if place is None:
            # The passage is unknown or was only context; nothing points to words, so nothing is kept.
            reading.held_back.append(held_back(night, RefusalReason.QUOTE_NOT_FOUND, None, now=now))
            continue
        passage, start, end = place
        statement = proposed.statement.strip()
        if not statement:
            reading.held_back.append(held_back(night, RefusalReason.BLANK, place, now=now))
        elif (key := (passage.pk, start, end, statement)) not in seen:
            seen.add(key)
            candidate = _candidate(night, proposed, place)
            around = readable(passage, 0, 2_000)
            if not same_language(statement, proposed.quote, around=around, traditional=traditional):
                # Compared with nothing: the person reads it beside their own words and decides.
                candidate.verdict, candidate.reason = Verdict.UNCLEAR, Guard.WRONG_LANGUAGE
            elif turns_round(passage.text[start:end], statement):
                candidate.verdict, candidate.reason = Verdict.UNCLEAR, Guard.TURNED
            reading.candidates.append(candidate)
    return reading


def _place(proposed: ExtractedCandidate, spans: Sequence[Span]) -> Span | None:
    """Where the quoted words stand: in the passage that was named, and in the part that is read here."""
    for passage, start, end in spans:
        if f"p{passage.pk}" != proposed.passage.strip() or not proposed.quote.strip():
            continue
        elsewhere = [span for span in ((0, start), (end, len(passage.text))) if span[0] < span[1]]
        if found := locate(proposed.quote, passage.text, [*gone_from(passage), *elsewhere]):
            return passage, *found
    return None


def _candidate(night: Night, proposed: ExtractedCandidate, place: Span) -> Candidate:
    passage, start, end = place
    event_from, event_until = _event(proposed, passage.message.said_at)
    return Candidate(
        night=night,
        passage=passage,
        said_at=passage.message.said_at,
        start=start,
        end=end,
        statement=proposed.statement.strip(),
        kind=proposed.kind.value,
        category=proposed.category.value,
        confidence=proposed.confidence.value,
        plan=proposed.plan,
        lasting=proposed.lasting,
        event_from=event_from,
        event_until=event_until,
    )


def _event(proposed: ExtractedCandidate, said_at: datetime) -> tuple[date | None, date | None]:
    """The event's days, or none where they make no sense; a wrong date is worse than no date."""
    begins, ends = _day(proposed.event_from), _day(proposed.event_until)
    begins, ends = begins or ends, ends or begins
    if begins is None or ends is None or begins > ends:
        return None, None
    if not said_at.year - 120 <= begins.year <= ends.year <= said_at.year + 60:
        return None, None
    return begins, ends


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None


def held_back(night: Night, reason: str, place: Span | None, *, now: datetime) -> Decision:
    passage, start, end = place or (None, None, None)
    return Decision(
        night=night, did=Did.HELD_BACK, reason=reason, passage=passage, start=start, end=end, decided_at=now
    )
