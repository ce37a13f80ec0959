# ruff: noqa: E501
"""Reading a Messages request: its fences, memory lines, turns and candidates, as typed parts. Never raises on any text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from claude.prompts import fences

Block = dict[str, Any]

_LINE = re.compile(r"^\W{0,4}\[(m\d+)\][ \t]*\(([^()\n]*)\)[ \t]*(.*)$", re.M)
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


@dataclass(frozen=True)
class MemoryLine:
    id: str
    said: date | None
    kind: str
    category: str
    statement: str
    plan: bool = False
    past: bool = False
    event_from: date | None = None
    event_until: date | None = None


@dataclass(frozen=True)
class Said:
    """A passage as a prompt shows it."""

    id: str
    role: str
    origin: str
    text: str
    at: datetime
    read: bool = False  # on an earlier night: to understand with, not to be listed again


@dataclass(frozen=True)
class Proposed:
    """A candidate of the night with the memories nearest to it."""

    id: str
    said: date | None
    statement: str
    nearest: tuple[MemoryLine, ...]


def outside(text: str) -> str:
    """What stands in no fence: the person's bare words."""
    kept, position = [], 0
    for fence in fences(text):
        kept.append(text[position : fence.start])
        position = fence.end
    return ("".join(kept) + text[position:]).strip()


def memory_lines(text: str) -> list[MemoryLine]:
    return [_memory_line(found[1], found[2], found[3]) for found in _LINE.finditer(text)]


def blocks_of(message: Block) -> list[Block]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content or [] if isinstance(block, dict)] if isinstance(content, list) else []


def text_of(block: Block) -> str:
    """The text of a text or tool_result block."""
    if block.get("type") == "text":
        return str(block.get("text") or "")
    content = block.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return ""


def all_text(request: Block) -> str:
    """Everything the user turns carry, as one text."""
    turns = (message for message in request.get("messages") or [] if isinstance(message, dict))
    return "\n".join(text_of(block) for turn in turns if turn.get("role") == "user" for block in blocks_of(turn))


def transcript(text: str) -> list[Said]:
    """The passages of all turns, or of a bare `passages` fence, in order."""
    said: list[Said] = []
    for outer in fences(text, "transcript", "passages"):
        turns = fences(outer.text, "turn")
        if not turns:
            said += _passages(outer.text, "user", moment(outer.attributes))
        for turn in turns:
            before = turn.attributes.get("read") == "before"
            said += _passages(turn.text, turn.attributes.get("role", "user"), moment(turn.attributes), read=before)
    return said


def proposed(text: str) -> list[Proposed]:
    lines = {line.id: line for near in fences(text, "nearest") for line in memory_lines(near.text)}
    found = []
    for outer in fences(text, "candidates"):
        for one in fences(outer.text, "candidate"):
            own = one.attributes
            nearest = tuple(lines[id] for id in own.get("nearest", "").split() if id in lines)
            found.append(Proposed(own.get("id", ""), day(own.get("said", "")), outside(one.text), nearest))
    return found


def now(text: str) -> datetime:
    """The newest `now` of the request; the wall clock where there is none."""
    newest = ""
    for fence in fences(text, "now"):
        newest = fence.text
    return moment({"at": newest}) if newest else datetime.now(UTC)


def day(text: str) -> date | None:
    found = _DAY.search(text)
    if not found:
        return None
    try:
        return date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None


def moment(attributes: dict[str, str]) -> datetime:
    """`2026-02-09 20:00 Monday [Europe/Dublin]` with an optional zone attribute."""
    text = attributes.get("at", "")
    zone = _zone(attributes.get("zone", "") or (text.split() or [""])[-1])
    on = day(text)
    if on is None:
        return datetime.now(zone)
    clock = re.search(r"[T ](\d{1,2}):(\d{2})", text)
    hour, minute = (int(clock[1]), int(clock[2])) if clock else (12, 0)
    return datetime(on.year, on.month, on.day, min(hour, 23), min(minute, 59), tzinfo=zone)


def _passages(text: str, role: str, at: datetime, *, read: bool = False) -> list[Said]:
    found = []
    for one in fences(text, "passage"):
        own = one.attributes
        when = moment(own) if own.get("at") else at
        origin = own.get("origin") or ("assistant" if own.get("role", role) == "assistant" else "typed")
        found.append(Said(own.get("id", ""), own.get("role", role), origin, one.text, when, read))
    return found


def _memory_line(label: str, markers: str, statement: str) -> MemoryLine:
    parts = [part.strip() for part in re.split(r"[;,]", markers)]
    event = next((part for part in parts if part.startswith("event ")), "")
    days = [found for found in (day(piece) for piece in event.removeprefix("event ").split("..")) if found]
    plain = [part for part in parts[1:] if part]
    return MemoryLine(
        id=label,
        said=day(parts[0]) if parts else None,
        kind=plain[0] if plain else "",
        category=plain[1] if len(plain) > 1 else "",
        statement=statement.strip(),
        plan="plan" in parts,
        past=any(part.startswith("past") for part in parts),
        event_from=days[0] if days else None,
        event_until=days[-1] if days else None,
    )


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name) if "/" in name else UTC
    except (ValueError, OSError, KeyError):
        return UTC
