"""One message of the transcript as the content blocks of an API message, without what was forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from claude.client import Block
from claude.prompts import fence, neutral
from memories.models import Message, Origin, Person, Role
from memories.transcript import readable, readable_message

NOTHING_LEFT = "(These words were forgotten at the person's wish.)"
NO_ANSWER = "(There was no answer.)"
CUT_OFF = "… (The answer stopped here.)"


def blocks_of(person: Person, message: Message) -> list[Block]:
    return user_blocks(person, message) if message.role == Role.USER else assistant_blocks(message)


def user_blocks(person: Person, message: Message, *, recalled: Sequence[str] = ()) -> list[Block]:
    """The clock, what was recalled for the message, then a block for each of its passages."""
    texts: list[str] = [fence("now", clock_text(person, message.said_at))]
    if recalled:
        texts.append(fence("recalled", "\n".join(recalled)))
    said: list[str] = []
    for passage in sorted(message.passages.all(), key=lambda passage: passage.position):
        text = readable(passage)
        if not text.strip():
            continue
        match passage.origin:
            case Origin.PASTED:
                said.append(fence("pasted", text))
            case Origin.FILE:
                said.append(fence("file", text, name=passage.name))
            case _:
                said.append(neutral(text))
    return [{"type": "text", "text": text} for text in [*texts, *(said or [NOTHING_LEFT])]]


def assistant_blocks(message: Message) -> list[Block]:
    text = readable_message(message).strip()
    if not text:
        return [{"type": "text", "text": NO_ANSWER if not message.passages.all() else NOTHING_LEFT}]
    return [{"type": "text", "text": text if message.state == "done" else text + CUT_OFF}]


def opening_text(memories: str, summary: str) -> str:
    """How a segment opens: what is always remembered, and what came before."""
    return "\n\n".join(part for part in (memories, fence("summary", summary) if summary else "") if part)


def clock_text(person: Person, at: datetime) -> str:
    """`2026-03-17 20:00 Tuesday Europe/Dublin`"""
    return f"{person.local(at):%Y-%m-%d %H:%M %A} {person.zone.key}"
