"""What came before a segment, told in few words by the cheap model. Derived: dropped when any of it is forgotten."""

from __future__ import annotations

import logging
from pathlib import Path

from chat.connections import release_connection
from claude.client import complete
from claude.errors import ClaudeError
from claude.prompts import fence, render
from claude.purposes import Purpose
from claude.tokens import estimate_tokens
from memories.models import Message, Origin, Person, Role
from memories.transcript import readable, readable_message

logger = logging.getLogger(__name__)

PROMPT = Path(__file__).parent / "prompts" / "summary.v1.md"
READ_MAX_TOKENS = 40_000
SUMMARY_MAX_TOKENS = 600
# Used when no model answers: the person's newest own words stand in for a summary.
FALLBACK_CHARACTERS = 600


def summarise(person: Person, messages: list[Message], earlier: str, *, run: str) -> str:
    """A summary of `messages`, carrying on an earlier one. `messages` come with their passages and tombstones."""
    text = transcript(person, messages)
    content = [{"type": "text", "text": text}]
    if earlier:
        content.insert(0, {"type": "text", "text": fence("summary", earlier)})
    release_connection()
    try:
        response = complete(
            Purpose.SUMMARY,
            system=render(PROMPT),
            messages=[{"role": "user", "content": content}],
            person=person,
            run=run,
            max_tokens=SUMMARY_MAX_TOKENS,
        )
    except ClaudeError as error:
        logger.warning("No summary for %s: %s", run, error.code)
        return _own_words(messages, earlier)
    return response.text.strip() or _own_words(messages, earlier)


def transcript(person: Person, messages: list[Message]) -> str:
    """Turns as prompt text, the newest that fit, oldest first."""
    turns: list[str] = []
    room = READ_MAX_TOKENS
    for message in reversed(messages):
        turn = _turn(person, message)
        room -= estimate_tokens(turn)
        if room < 0 and turns:
            break
        if turn:
            turns.insert(0, turn)
    return fence("transcript", *turns)


def _turn(person: Person, message: Message) -> str:
    passages = sorted(message.passages.all(), key=lambda passage: passage.position)
    read = [(passage, readable(passage)) for passage in passages]
    said = [
        fence("passage", text, id=f"p{passage.pk}", origin=passage.origin) for passage, text in read if text.strip()
    ]
    if not said:
        return ""
    at = f"{person.local(message.said_at):%Y-%m-%d %H:%M %A}"
    return fence("turn", *said, role=message.role, at=at, zone=person.zone.key)


def _own_words(messages: list[Message], earlier: str) -> str:
    words = [readable_message(message, [Origin.TYPED]) for message in messages if message.role == Role.USER]
    return "\n".join(part for part in (earlier, " … ".join(words)[-FALLBACK_CHARACTERS:]) if part)
