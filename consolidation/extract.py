"""Read what no night has read yet and stage candidates: windows are planned first, then each is read by one call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from pydantic import BaseModel

from claude.batches import Asked, Expected
from claude.client import fill
from claude.errors import ClaudeError, TooLong, Truncated
from claude.prompts import Fenced, fence, render
from claude.purposes import Purpose
from claude.tokens import estimate_tokens
from consolidation.batching import Kind, Question
from consolidation.models import Candidate, Decision, Did, Guard, Night, Verdict, Window
from consolidation.schemas import ExtractedCandidate, Extraction
from memories.language import same_language
from memories.models import Language, Message, Origin, Passage, Person, RefusalReason
from memories.quotes import locate
from memories.reading import readable_text

PROMPT = Path(__file__).parent / "prompts" / "extract.v1.md"
CONTEXT_TURNS = 4
MAX_TOKENS = 8_192
# What is not the person's own words is context: its beginning is enough.
OTHER_WORDS_MAX = {Origin.ASSISTANT: 600, Origin.TOOL: 600, Origin.PASTED: 4_000, Origin.FILE: 4_000}
TYPED_PIECE_MAX = 8_000

type Span = tuple[Passage, int, int]


def plan_windows(night: Night) -> None:
    """Stage what this night reads and in which calls. Run again, it adds only what is in no window yet."""
    planned = Message.objects.filter(pk__in=night.windows.values("messages"))
    unread = (
        Message.objects.of(night.person)
        .unread_by_night()
        .shown()
        .filter(said_at__lte=night.reads_until)
        .exclude(pk__in=planned.values("pk"))
        .order_by("conversation_id", "position")
        .prefetch_related("passages")
    )
    last = night.windows.aggregate(last=Max("position"))["last"]
    position = 0 if last is None else last + 1
    with transaction.atomic():
        for spans in _windows(unread.iterator(chunk_size=500)):
            window = Window.objects.create(
                night=night, position=position, spans=[[passage.pk, start, end] for passage, start, end in spans]
            )
            window.messages.set({passage.message_id for passage, _, _ in spans})
            position += 1


def read_window(night: Night, window: Window, *, now: datetime) -> None:
    """One call: candidates with their located quotes, or a named error that leaves the window unread."""
    spans = _spans(window)
    if not _says_something(spans):
        _finish(window, [], [], now=now)
        return
    try:
        reading = _ask(night, spans, now=now)
    except (Truncated, TooLong):
        if not _split(window, spans):
            _fail(night, window, now=now)
            raise
    except ClaudeError as error:
        if not error.retryable:
            _fail(night, window, now=now)
        raise
    else:
        _finish(window, reading.candidates, reading.held_back, now=now)


def to_batch(night: Night, now: datetime) -> list[Question]:
    """The windows that are still to be read, as questions of a batch."""
    questions = []
    most = settings.NIGHT_MAX_TOKENS // settings.NIGHT_WINDOW_MAX_TOKENS
    for window in night.windows.filter(read_at=None).order_by("position")[:most]:
        spans = _spans(window)
        if _says_something(spans):
            expected = Expected(f"w{window.pk}", Purpose.EXTRACT, Extraction, night.person, run=night.run)
            asked = Asked(expected, render(PROMPT), _messages(night.person, spans, now=now), MAX_TOKENS)
            questions.append(Question(asked, [window.pk]))
    return questions


def take_from_batch(night: Night, keys: list[int], extraction: BaseModel, now: datetime) -> None:
    """An answer that must be asked for again leaves its window to be read directly."""
    window = night.windows.filter(pk__in=keys, read_at=None).first()
    if window is None or not isinstance(extraction, Extraction):
        return
    reading = _check(night, _spans(window), extraction, now=now)
    if not reading.is_in_another_language:
        _finish(window, reading.candidates, reading.held_back, now=now)


def leave_the_rest(night: Night) -> None:
    """The budget is spent: what was not read stays unread, and a message that was read in part is read again."""
    with transaction.atomic():
        unread = night.windows.filter(read_at=None)
        parted = set(unread.values_list("messages", flat=True)) - {None}
        for window in night.windows.exclude(read_at=None).filter(messages__in=parted).distinct():
            window.messages.remove(*parted)
        night.count(left=len(parted))
        unread.delete()


@dataclass(frozen=True)
class Reading:
    candidates: list[Candidate]
    held_back: list[Decision]

    @property
    def is_in_another_language(self) -> bool:
        return any(candidate.reason == Guard.WRONG_LANGUAGE for candidate in self.candidates)


def _windows(messages: Iterable[Message]) -> Iterator[list[Span]]:
    """Runs of one conversation that fit the budget; what the person typed at length is read in pieces."""
    window: list[Span] = []
    conversation, size = None, 0
    for message in messages:
        for span in _pieces(message):
            tokens = estimate_tokens(span[0].text[span[1] : span[2]]) + 20
            if window and (message.conversation_id != conversation or size + tokens > settings.NIGHT_WINDOW_MAX_TOKENS):
                yield window
                window, size = [], 0
            conversation, size = message.conversation_id, size + tokens
            window.append(span)
    if window:
        yield window


def _pieces(message: Message) -> Iterator[Span]:
    for passage in sorted(message.passages.all(), key=lambda passage: passage.position):
        length = len(passage.text)
        if passage.origin != Origin.TYPED:
            yield passage, 0, min(length, OTHER_WORDS_MAX[Origin(passage.origin)])
            continue
        start = 0
        while start < length:
            end = _break(passage.text, start, TYPED_PIECE_MAX)
            yield passage, start, end
            start = end
        if not length:
            yield passage, 0, 0


def _break(text: str, start: int, most: int) -> int:
    """Where a long text is cut: at the last end of a paragraph or sentence that fits."""
    if len(text) - start <= most:
        return len(text)
    piece = text[start : start + most]
    cut = max(piece.rfind(mark) + len(mark) for mark in ("\n", ". ", "。", "! ", "? ", "！", "？"))
    return start + (cut if cut > most // 2 else most)


def _spans(window: Window) -> list[Span]:
    ids = [passage for passage, _, _ in window.spans]
    found = Passage.objects.filter(pk__in=ids).select_related("message", "person").prefetch_related("tombstones")
    passages = {passage.pk: passage for passage in found}
    return [(passages[pk], start, end) for pk, start, end in window.spans if pk in passages]


def _says_something(spans: list[Span]) -> bool:
    return any(_speaks(passage) and _readable(passage, start, end).strip() for passage, start, end in spans)


def _speaks(passage: Passage) -> bool:
    return passage.origin in {Origin.TYPED, Origin.PASTED, Origin.FILE}


def _readable(passage: Passage, start: int, end: int) -> str:
    """The span's text without what was forgotten."""
    gone = [(max(begins - start, 0), ends - start) for begins, ends in _gone(passage) if ends > start]
    return readable_text(passage.text[start:end], gone)


def _gone(passage: Passage) -> list[tuple[int, int]]:
    return [(mark.start, mark.end) for mark in passage.tombstones.all()]


def _ask(night: Night, spans: list[Span], *, now: datetime) -> Reading:
    person = night.person
    messages = _messages(person, spans, now=now)

    def answer() -> Extraction:
        return fill(
            Purpose.EXTRACT, Extraction, system=render(PROMPT), messages=messages, person=person, run=night.run,
            max_tokens=MAX_TOKENS,
        )  # fmt: skip

    extraction = answer()
    reading = _check(night, spans, extraction, now=now)
    if reading.is_in_another_language:
        messages += [
            {"role": "assistant", "content": [{"type": "text", "text": extraction.model_dump_json()}]},
            {"role": "user", "content": [{"type": "text", "text": _SAY_AGAIN}]},
        ]
        reading = _check(night, spans, answer(), now=now)
    return reading


def _messages(person: Person, spans: list[Span], *, now: datetime) -> list[dict[str, Any]]:
    today = person.local(now)
    content = [
        {"type": "text", "text": fence("now", f"{today:%Y-%m-%d %H:%M %A} {person.zone.key}")},
        {"type": "text", "text": fence("transcript", *_transcript(person, spans))},
    ]
    return [{"role": "user", "content": content}]


_SAY_AGAIN = (
    "Some statements are not in the language and script of their quotes. Give the whole list again, each statement in"
    " the language and script of its own quote, with names and numbers exactly as written."
)


def _transcript(person: Person, spans: list[Span]) -> list[Fenced]:
    turns = [_turn(person, message, pieces) for message, pieces in _by_message(spans)]
    return [*_before(person, spans[0][0].message), *turns]


def _by_message(spans: list[Span]) -> Iterator[tuple[Message, list[Span]]]:
    run: list[Span] = []
    for span in spans:
        if run and span[0].message_id != run[0][0].message_id:
            yield run[0][0].message, run
            run = []
        run.append(span)
    if run:
        yield run[0][0].message, run


def _before(person: Person, first: Message) -> list[Fenced]:
    """A few turns before the window, so that "it" and "there" have a meaning."""
    earlier = (
        Message.objects.of(person)
        .standing()
        .filter(conversation_id=first.conversation_id, position__lt=first.position)
        .order_by("-position")
        .prefetch_related("passages__tombstones")[:CONTEXT_TURNS]
    )
    return [_turn(person, message, list(_pieces(message))[:2], read="before") for message in reversed(earlier)]


def _turn(person: Person, message: Message, pieces: list[Span], **marks: str) -> Fenced:
    passages = [
        fence("passage", text, id=f"p{passage.pk}", origin=passage.origin)
        for passage, start, end in pieces
        if (text := _readable(passage, start, end)).strip()
    ]
    at = f"{person.local(message.said_at):%Y-%m-%d %H:%M %A}"
    return fence("turn", *passages, role=message.role, at=at, zone=person.zone.key, **marks)


def _check(night: Night, spans: list[Span], extraction: Extraction, *, now: datetime) -> Reading:
    reading = Reading([], [])
    traditional = night.person.language == Language.CHINESE
    seen: set[tuple[int, int, int, str]] = set()
    for proposed in extraction.candidates:
        place = _place(proposed, spans)
        if place is None:
            # The passage is unknown or was only context; nothing points to words, so nothing is kept.
            reading.held_back.append(_held(night, RefusalReason.QUOTE_NOT_FOUND, None, now=now))
            continue
        passage, start, end = place
        statement = proposed.statement.strip()
        if not statement:
            reading.held_back.append(_held(night, RefusalReason.BLANK, place, now=now))
        elif (key := (passage.pk, start, end, statement)) not in seen:
            seen.add(key)
            candidate = _candidate(night, proposed, place)
            around = _readable(passage, 0, 2_000)
            if not same_language(statement, proposed.quote, around=around, traditional=traditional):
                # Compared with nothing: the person reads it beside their own words and decides.
                candidate.verdict, candidate.reason = Verdict.UNCLEAR, Guard.WRONG_LANGUAGE
            reading.candidates.append(candidate)
    return reading


def _place(proposed: ExtractedCandidate, spans: list[Span]) -> Span | None:
    """Where the quoted words stand: in the passage that was named, and in the part that is read here."""
    for passage, start, end in spans:
        if f"p{passage.pk}" != proposed.passage.strip() or not proposed.quote.strip():
            continue
        elsewhere = [span for span in ((0, start), (end, len(passage.text))) if span[0] < span[1]]
        if found := locate(proposed.quote, passage.text, [*_gone(passage), *elsewhere]):
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


def _held(night: Night, reason: str, place: Span | None, *, now: datetime) -> Decision:
    passage, start, end = place or (None, None, None)
    return Decision(
        night=night, did=Did.HELD_BACK, reason=reason, passage=passage, start=start, end=end, decided_at=now
    )


def _finish(window: Window, candidates: list[Candidate], held_back: list[Decision], *, now: datetime) -> None:
    with transaction.atomic():
        if not Window.objects.filter(pk=window.pk, read_at=None).update(read_at=now):
            return  # another worker was faster
        for candidate in candidates:
            candidate.window = window
        Candidate.objects.bulk_create(candidates)
        Decision.objects.bulk_create(held_back)


def _split(window: Window, spans: list[Span]) -> bool:
    """Read it in two halves instead, where it has two; false where it cannot be cut."""
    if len(spans) < 2:
        return False
    half = len(spans) // 2
    with transaction.atomic():
        last = Window.objects.filter(night_id=window.night_id).aggregate(last=Max("position"))["last"]
        for offset, part in enumerate((spans[:half], spans[half:]), start=1):
            smaller = Window.objects.create(
                night_id=window.night_id,
                position=last + offset,
                spans=[[passage.pk, start, end] for passage, start, end in part],
            )
            smaller.messages.set({passage.message_id for passage, _, _ in part})
        window.delete()
    return True


def _fail(night: Night, window: Window, *, now: datetime) -> None:
    """Count the failure; words that the model cannot answer about are skipped in the end, and the night says so."""
    window.failures += 1
    window.save(update_fields=["failures"])
    if window.failures < settings.NIGHT_MAX_FAILURES:
        return
    spans = _spans(window)
    place = spans[0] if spans and spans[0][2] > spans[0][1] else None
    _finish(window, [], [_held(night, Guard.NOT_READ, place, now=now)], now=now)


BATCHED = Kind(Purpose.EXTRACT, Extraction, to_batch, take_from_batch)
