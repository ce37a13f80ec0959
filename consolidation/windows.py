"""The runs of passages that extracting reads: planned before any call, so that a resumed night reads the same, without
what was forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from claude.tokens import estimate_tokens
from consolidation.models import Night, Window
from memories.models import Message, Origin, Passage
from memories.reading import readable_text

# What is not the person's own words is context: its beginning is enough.
OTHER_WORDS_MAX = {Origin.ASSISTANT: 600, Origin.TOOL: 600, Origin.PASTED: 4_000, Origin.FILE: 4_000}
TYPED_PIECE_MAX = 8_000
# What the fences of a passage and its turn take.
_TOKENS_AROUND = 40

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


def leave_the_rest(night: Night) -> None:
    """The budget is spent: what was not read stays unread, and a message that was read in part is read again."""
    with transaction.atomic():
        unread = night.windows.filter(read_at=None)
        parted = set(unread.values_list("messages", flat=True)) - {None}
        for window in night.windows.exclude(read_at=None).filter(messages__in=parted).distinct():
            window.messages.remove(*parted)
        night.count(left=len(parted))
        unread.delete()


def split(window: Window, spans: list[Span]) -> bool:
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
                failures=window.failures,
                spans=[[passage.pk, start, end] for passage, start, end in part],
            )
            smaller.messages.set({passage.message_id for passage, _, _ in part})
        window.delete()
    return True


def _windows(messages: Iterable[Message]) -> Iterator[list[Span]]:
    """Runs that fit the budget, short conversations together; what the person typed at length is read in pieces."""
    window: list[Span] = []
    size = 0
    for message in messages:
        for span in pieces(message):
            tokens = estimate_tokens(span[0].text[span[1] : span[2]]) + _TOKENS_AROUND
            if window and size + tokens > settings.NIGHT_WINDOW_MAX_TOKENS:
                yield window
                window, size = [], 0
            size += tokens
            window.append(span)
    if window:
        yield window


def pieces(message: Message) -> Iterator[Span]:
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


def spans_of(window: Window) -> list[Span]:
    ids = [passage for passage, _, _ in window.spans]
    found = Passage.objects.filter(pk__in=ids).select_related("message", "person").prefetch_related("tombstones")
    passages = {passage.pk: passage for passage in found}
    return [(passages[pk], start, end) for pk, start, end in window.spans if pk in passages]


def say_something(spans: list[Span]) -> bool:
    return any(_speaks(passage) and readable(passage, start, end).strip() for passage, start, end in spans)


def _speaks(passage: Passage) -> bool:
    return passage.origin in {Origin.TYPED, Origin.PASTED, Origin.FILE}


def readable(passage: Passage, start: int, end: int) -> str:
    """The span's text without what was forgotten."""
    gone = [(max(begins - start, 0), ends - start) for begins, ends in gone_from(passage) if ends > start]
    return readable_text(passage.text[start:end], gone)


def gone_from(passage: Passage) -> list[tuple[int, int]]:
    return [(mark.start, mark.end) for mark in passage.tombstones.all()]
