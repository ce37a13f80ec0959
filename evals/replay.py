"""Play a file of dated conversations through the same code as the chat view, with the clock of the file, and let the
nights between them come. The assistant's words in the file take the place of the model's last words on the wire
itself, so that no product code knows of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2

from chat.reply import write_reply
from chat.send import send
from claude.connection import wrapping
from consolidation import night
from consolidation.models import AskedFor, Night
from memories.models import Conversation, MemoryMode, Message, Origin, Person
from memories.tasks import embed_pending
from memories.transcript import Part

BETWEEN_TURNS = timedelta(seconds=30)


@dataclass(frozen=True)
class Turn:
    """What the person says, and what the file has the assistant answer ("" where it leaves that to the model)."""

    parts: list[Part]
    answer: str
    at: datetime


@dataclass(frozen=True)
class Session:
    name: str
    turns: list[Turn]


@dataclass(frozen=True)
class Question:
    name: str
    category: str
    ask: str
    asked_at: datetime
    accept: list[str]
    reject: list[str]


@dataclass(frozen=True)
class Script:
    """A file to play."""

    time_zone: str
    language: str
    sessions: list[Session]
    questions: list[Question] = field(default_factory=list)
    expected: dict[str, Any] = field(default_factory=dict)
    forget: dict[str, Any] = field(default_factory=dict)
    # Where each turn of the file stands once it is played: "s3.2" -> message id.
    places: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    question: Question
    text: str

    @property
    def right(self) -> bool:
        said = self.text.casefold()
        return any(word.casefold() in said for word in self.question.accept) and not any(
            word.casefold() in said for word in self.question.reject
        )


def play(script: Script, person: Person, *, nights: bool = True) -> list[Night]:
    """All sessions in order, each with the nights that lie before the next, and one after the last."""
    _settle_in(script, person)
    dreamt: list[Night] = []
    for index, session in enumerate(script.sessions):
        conversation: Conversation | None = None
        for turn in session.turns:
            conversation = _say(script, person, conversation, turn, f"{script.sessions[index].name}").conversation
        if nights:
            embed_pending(person_id=person.pk)
            dreamt.append(dream(person, at=_night_after(person, session.turns[-1].at)))
    return dreamt


def dream(person: Person, *, at: datetime) -> Night:
    """One night, at once."""
    person.refresh_from_db()
    embed_pending(person_id=person.pk)
    begun = night.begin(person, now=at, asked_for=AskedFor.STAFF)
    if begun is None:
        raise RuntimeError("No night could begin: one is running or held.")
    over = night.run(begun.pk, now=at)
    embed_pending(person_id=person.pk)
    return over


def ask(person: Person, question: Question) -> Answer:
    """Asked in a conversation of its own that reads memory and teaches it nothing."""
    person.refresh_from_db()
    reply = send(
        person,
        conversation=None,
        parts=[Part(Origin.TYPED, question.ask)],
        key="",
        now=question.asked_at,
        memory_mode=MemoryMode.READ_ONLY,
    )
    write_reply(reply.pk, now=question.asked_at)
    return Answer(question, _text(reply.pk))


def read_script(file: Path, *, conversation: int = 0, person: str = "") -> Script:
    """A scenario, or one conversation of a file in LoCoMo's form with one of its speakers as the person."""
    data = json.loads(file.read_text(encoding="utf-8"))
    if isinstance(data, dict) and "sessions" in data:
        return _scenario(data)
    return _locomo(data[conversation] if isinstance(data, list) else data, person)


def _scenario(data: dict[str, Any]) -> Script:
    sessions = [
        Session(session["id"], list(_scenario_turns(session["turns"], datetime.fromisoformat(session["at"]))))
        for session in data["sessions"]
    ]
    questions = [
        Question(
            question["id"],
            question["category"],
            question["ask"],
            datetime.fromisoformat(question["asked_at"]).astimezone(UTC),
            question["accept"],
            question["reject"],
        )
        for question in data.get("questions", [])
    ]
    return Script(
        data["timezone"], data["language"], sessions, questions, data.get("expected", {}), data.get("forget", {})
    )


def _scenario_turns(turns: list[dict[str, Any]], at: datetime) -> Iterator[Turn]:
    spoken = [
        (
            turn["role"],
            [Part(Origin(part["origin"]), part["text"]) for part in turn["passages"]]
            if "passages" in turn
            else [Part(Origin.TYPED, turn["text"])],
        )
        for turn in turns
    ]
    yield from _pairs(spoken, at.astimezone(UTC))


def _locomo(data: dict[str, Any], person: str) -> Script:
    talk = data["conversation"]
    me = person or talk["speaker_a"]
    if me not in {talk["speaker_a"], talk["speaker_b"]}:
        raise ValueError("The file has no such speaker.")
    numbers = sorted(int(found[1]) for key in talk if (found := re.fullmatch(r"session_(\d+)", key)) and talk[key])
    sessions = []
    for number in numbers:
        at = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        spoken = [
            ("user" if turn["speaker"] == me else "assistant", [Part(Origin.TYPED, _locomo_words(turn))])
            for turn in talk[f"session_{number}"]
        ]
        sessions.append(Session(f"session {number}", list(_pairs(spoken, at))))
    return Script("UTC", "en", sessions)


def _locomo_words(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} [{caption}]" if caption else str(turn["text"])


def _pairs(spoken: Iterable[tuple[str, list[Part]]], at: datetime) -> Iterator[Turn]:
    """Turns of the person with the answer that follows. Several in a row are one; an answer to nothing is answered
    to "…"."""
    said: list[Part] = []
    answers: list[str] = []
    for role, parts in spoken:
        if role == "user" and (answers or not said):
            if answers:
                yield Turn(said, "\n\n".join(answers), at)
                at += BETWEEN_TURNS
            said, answers = list(parts), []
        elif role == "user":
            said += parts
        else:
            said = said or [Part(Origin.TYPED, "…")]
            answers += [part.text for part in parts]
    if said:
        yield Turn(said, "\n\n".join(answers), at)


def _settle_in(script: Script, person: Person) -> None:
    Person.objects.filter(pk=person.pk).update(
        time_zone=script.time_zone, language="zh-hant" if script.language.startswith("zh") else "en"
    )
    person.refresh_from_db()


def _say(script: Script, person: Person, conversation: Conversation | None, turn: Turn, session: str) -> Message:
    number = 1 if conversation is None else conversation.messages.shown().count() + 1
    reply = send(person, conversation=conversation, parts=turn.parts, key="", now=turn.at)
    with _answering(turn.answer):
        write_reply(reply.pk, now=turn.at)
    reply.refresh_from_db()
    asked = Message.objects.shown().get(conversation_id=reply.conversation_id, position=reply.position - 1)
    script.places[f"{session}.{number}"] = asked.pk
    script.places[f"{session}.{number + 1}"] = reply.pk
    return reply


def _text(reply_id: int) -> str:
    return "\n".join(passage.text for passage in Message.objects.get(pk=reply_id).passages.order_by("position"))


def _night_after(person: Person, at: datetime) -> datetime:
    """The person's next night hour."""
    local = person.local(at)
    night_of = local.replace(hour=person.night_hour, minute=0, second=0, microsecond=0)
    return (night_of if night_of > local else night_of + timedelta(days=1)).astimezone(UTC)


@contextmanager
def _answering(words: str) -> Iterator[None]:
    """While the reply is written, its last words on the wire are these; the tools that the model calls stay its own."""
    if not words:
        yield
        return
    with wrapping(lambda inner: Rewriting(inner, words)):
        yield


class Rewriting(httpx2.BaseTransport):
    """A transport around another: an answer that calls no tool gets other words, plain or streamed."""

    def __init__(self, inner: httpx2.BaseTransport, words: str) -> None:
        self._inner, self._words = inner, words

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        asked = json.loads(request.read() or b"{}")
        response = self._inner.handle_request(request)
        if response.status_code != 200 or not asked.get("tools"):
            return response
        body = response.read()
        response.close()
        streamed = "event-stream" in response.headers.get("content-type", "")
        rewritten = _rewrite_stream(body.decode(), self._words) if streamed else _rewrite_message(body, self._words)
        headers = {
            name: value
            for name, value in response.headers.items()
            if name.lower() not in {"content-length", "content-encoding", "transfer-encoding"}
        }
        return httpx2.Response(200, headers=headers, content=rewritten)


def _rewrite_message(body: bytes, words: str) -> bytes:
    message = json.loads(body)
    if any(block["type"] == "tool_use" for block in message.get("content", [])):
        return body
    message["content"] = [{"type": "text", "text": words}]
    return json.dumps(message).encode()


def _rewrite_stream(stream: str, words: str) -> bytes:
    events = [json.loads(line[5:]) for line in stream.splitlines() if line.startswith("data:")]
    blocks = [event for event in events if event["type"] == "content_block_start"]
    if any(block["content_block"]["type"] == "tool_use" for block in blocks) or not blocks:
        return stream.encode()
    start = [event for event in events if event["type"] == "message_start"]
    end = [event for event in events if event["type"] in {"message_delta", "message_stop"}]
    said = [
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": words}},
        {"type": "content_block_stop", "index": 0},
    ]
    return "".join(
        f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n" for event in [*start, *said, *end]
    ).encode()
