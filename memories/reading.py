"""Reading what was said, without what was forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from memories.forgetting.spans import blanked
from memories.models import Message, Origin, Passage, Tombstone
from memories.spans import Span


def readable(passage: Passage, tombstones: Iterable[Tombstone] | None = None) -> str:
    """The passage without what was forgotten; empty when nothing is left. Prefetch `tombstones` for many."""
    return readable_text(
        passage.text, [(t.start, t.end) for t in (passage.tombstones.all() if tombstones is None else tombstones)]
    )


def shown_text(passage: Passage) -> str:
    """The passage as the person's own page shows it: words that are to be erased are blank at once, before the undo
    window ends and they really go. Prefetch `tombstones__deletion` for many."""
    erased = [
        (tombstone.start, tombstone.end)
        for tombstone in passage.tombstones.all()
        if tombstone.deletion.erase_words and tombstone.deletion.undone_at is None
    ]
    return blanked(passage.text, erased) if erased else passage.text


def readable_text(text: str, gone: Iterable[Span]) -> str:
    pieces, at = [], 0
    gone = sorted(gone)
    if not gone:
        return text
    for start, end in gone:
        if start > at:
            pieces.append(text[at:start].strip())
        at = max(at, end)
    pieces.append(text[at:].strip())
    return " … ".join(piece for piece in pieces if re.search(r"\w", piece))


def readable_message(message: Message, origins: Sequence[Origin] | None = None) -> str:
    """All that may still be read of a message. Prefetch `passages__tombstones` for many."""
    passages = sorted(message.passages.all(), key=lambda passage: passage.position)
    texts = [readable(passage) for passage in passages if origins is None or passage.origin in origins]
    return "\n\n".join(text for text in texts if text)


def content(blocks: Any) -> str:
    """The text of an API message's content, which is a string or a list of blocks."""
    if isinstance(blocks, str):
        return blocks
    return "\n".join(block["text"] for block in blocks if block.get("type") == "text")
