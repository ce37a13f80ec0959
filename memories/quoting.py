"""The words a memory came from, as they stand in what was said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse

from memories.models import Evidence, Memory, Passage

AROUND = 90  # characters of context on each side
_GAP = " … "


@dataclass(frozen=True)
class Quoted:
    """One piece of evidence for a page: the words, a little of what stands around them, and where that is."""

    evidence: Evidence
    before: str
    words: str
    after: str
    url: str

    @property
    def is_own_entry(self) -> bool:
        return self.evidence.passage_id is None


def quoted(memory: Memory) -> list[Quoted]:
    """The evidence of a memory: what was said first, then the person's own entries; each the newest first."""
    rows = (
        Evidence.objects.filter(memory=memory)
        .select_related("memory", "passage__message__conversation")
        .prefetch_related("passage__tombstones")
        .order_by("-said_at", "-pk")
    )
    return sorted((quote(evidence) for evidence in rows), key=lambda quoted: quoted.is_own_entry)


def quote(evidence: Evidence) -> Quoted:
    """Prefetch `passage__message` and `passage__tombstones` for many."""
    passage, start, end = evidence.passage, evidence.start, evidence.end
    if passage is None or start is None or end is None:
        return Quoted(evidence, "", "", "", "")
    gone = [(tombstone.start, tombstone.end) for tombstone in passage.tombstones.all()]
    before = _without(passage.text, max(0, start - AROUND), start, gone)
    after = _without(passage.text, end, min(len(passage.text), end + AROUND), gone)
    if start > AROUND:
        before = "…" + _from_word(before)
    if end + AROUND < len(passage.text):
        after = _to_word(after) + "…"
    return Quoted(evidence, before, _without(passage.text, start, end, gone), after, passage_url(passage, start, end))


def passage_url(passage: Passage, start: int, end: int) -> str:
    """The message in its conversation, with the words highlighted."""
    message = passage.message
    try:
        url = reverse("chat:conversation", args=[message.conversation_id])
    except NoReverseMatch:
        return ""
    return f"{url}?passage={passage.pk}&from={start}&to={end}#message-{message.pk}"


def _without(text: str, start: int, end: int, gone: Iterable[tuple[int, int]]) -> str:
    """The span without what was forgotten."""
    pieces, at = [], start
    for gone_from, gone_to in sorted(gone):
        if gone_to <= at or gone_from >= end:
            continue
        pieces.append(text[at : max(at, gone_from)])
        at = gone_to
    pieces.append(text[at:end] if at < end else "")
    return _GAP.join(pieces)


def _from_word(text: str) -> str:
    """Not from the middle of a word, where words are parted by spaces."""
    head, space, rest = text.partition(" ")
    return rest if space and len(head) < 20 else text


def _to_word(text: str) -> str:
    rest, space, tail = text.rpartition(" ")
    return rest if space and len(tail) < 20 else text
