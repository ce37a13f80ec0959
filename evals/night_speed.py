"""How fast nights are without the time of the model, whether they grow with what is known, and what they send."""

from __future__ import annotations

import json
import random
import re
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from unittest import mock

import httpx2
import numpy as np
from django.db import connection
from django.db.models import F, Sum

from claude.client import using
from claude.models import Call
from claude.prompts import fences
from claude.tokens import estimate_tokens
from consolidation import night
from consolidation.models import AskedFor, Night, NightState
from evals.recall_speed import EMBEDDER, RandomEmbedder, fill_person
from memories import question
from memories.embedding import embedder as real_embedder
from memories.models import Conversation, Origin, Person, Role
from memories.transcript import Part, say

HISTORY = {"memories": 30, "passages": 100}
# A short evening, and one of about a thousand words.
EXCHANGES, MANY_EXCHANGES = 4, 32
_THINGS = ["oboe", "kiln", "loom", "canoe", "sourdough", "chess", "beekeeping", "pottery", "fencing", "lute"]
_DONE = ["started to learn", "sold the things for", "gave up on", "bought a second-hand book about", "met a teacher of"]
_WHERE = ["in the old hall by the river", "with two neighbours from upstairs", "at the weekend", "most days"]


@dataclass(frozen=True)
class Measured:
    seconds: float
    # Of this process alone, whatever else the machine does; the database's own work is not in it.
    cpu: float
    queries: int
    states: dict[str, int]
    memory_mb: float


class Model(httpx2.BaseTransport):
    """Answers at once: one statement for each thing the person typed, all of it new, pages as the memories say."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        asked = json.loads(request.read())
        words = "\n".join(block["text"] for message in asked["messages"] for block in message["content"])
        (shape,) = asked["output_config"]["format"]["schema"]["properties"]
        answer = json.dumps({shape: _ANSWERS[shape](words)})
        system = "".join(block["text"] for block in asked.get("system", []))
        usage = {
            "input_tokens": estimate_tokens(system + words),
            "output_tokens": estimate_tokens(answer),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        }
        body = {
            "id": "msg_bench", "type": "message", "role": "assistant", "model": asked["model"], "stop_sequence": None,
            "content": [{"type": "text", "text": answer}], "stop_reason": "end_turn", "usage": usage,
        }  # fmt: skip
        return httpx2.Response(200, json=body)


def _extract(words: str) -> list[dict[str, Any]]:
    typed = [
        passage
        for transcript in fences(words, "transcript")
        for turn in fences(transcript.text, "turn")
        for passage in fences(turn.text, "passage")
        if passage.attributes["origin"] == "typed" and "read" not in turn.attributes
    ]
    return [
        {
            "reasoning": "It will help again.", "passage": passage.attributes["id"], "quote": passage.text.strip(),
            "statement": "The user" + passage.text.strip().removeprefix("I"), "kind": "semantic", "category": "other",
            "confidence": "high", "plan": False, "lasting": True, "event_from": "", "event_until": "",
        }
        for passage in typed
    ]  # fmt: skip


def _reconcile(words: str) -> list[dict[str, Any]]:
    found = re.findall(r'<candidate id="(\w+)"', words)
    return [{"candidate": key, "reasoning": "It is not there.", "verdict": "new", "memory": ""} for key in found]


def _pages(words: str) -> list[dict[str, Any]]:
    lines = re.findall(r"^\[(m\d+)\] \(.*?; \w+, (\w+)[^)]*\) (.*)$", words, re.MULTILINE)
    return [{"section": section, "text": text, "memories": [label]} for label, section, text in lines]


_ANSWERS: dict[str, Any] = {"candidates": _extract, "verdicts": _reconcile, "lines": _pages, "checks": lambda words: []}


class Embedder(RandomEmbedder):
    """Takes the real one's time, and gives vectors that can be compared with those of the rows."""

    name = EMBEDDER

    def query(self, text: str) -> np.ndarray:
        if (real := real_embedder()) is not None:
            real.query(text)
        return super().query(text)


def people(count: int, *, times: int, now: datetime) -> list[int]:
    """People with a history, and a conversation that no night has read."""
    made = []
    for number in range(count):
        person = Person.objects.create(username=f"night bench {now.timestamp()} {times} {number}", is_active=False)
        fill_person(person, now=now - timedelta(days=30), **{name: size * times for name, size in HISTORY.items()})
        person.messages.update(read_at=now)
        made.append(person.pk)
    return made


def speak(person_ids: Sequence[int], *, now: datetime, exchanges: int = EXCHANGES) -> int:
    """Something new to read; how many words it is."""
    words = 0
    for person in Person.objects.filter(pk__in=person_ids):
        draw = random.Random(f"{person.pk} {now}")  # noqa: S311
        conversation = Conversation.objects.create(person=person, started_at=now, last_said_at=now)
        for _ in range(exchanges):
            said = f"I {draw.choice(_DONE)} {draw.choice(_THINGS)} {draw.choice(_WHERE)}, {draw.randint(2, 99)} times."
            answer = "That sounds like a good plan; tell me how it goes and what you would do differently next time."
            say(conversation, Role.USER, [Part(Origin.TYPED, said)], now=now)
            say(conversation, Role.ASSISTANT, [Part(Origin.ASSISTANT, answer)], now=now)
            words += len(said.split()) + len(answer.split())
    return words


def dream(person_ids: Sequence[int], now: datetime) -> Measured:
    """One night each, one after the other."""
    states: dict[str, int] = {}
    asked = _Queries()
    began, cpu = time.perf_counter(), time.process_time()
    fast = mock.patch.object(question, "embedder", return_value=Embedder())
    with connection.execute_wrapper(asked), using(Model()), fast:
        for person in Person.objects.filter(pk__in=person_ids):
            begun = night.begin(person, now=now, asked_for=AskedFor.STAFF)
            state = night.run(begun.pk, now=now).state if begun else "none"
            states[state] = states.get(state, 0) + 1
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Measured(time.perf_counter() - began, time.process_time() - cpu, asked.count, states, memory_mb)


class _Queries:
    def __init__(self) -> None:
        self.count = 0

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.count += 1
        return execute(sql, params, many, context)


def is_done(measured: Sequence[Measured]) -> bool:
    return all(set(each.states) <= {NightState.DONE.value} for each in measured)


def tokens(person_ids: Sequence[int]) -> dict[str, int]:
    """What their last nights sent and got, by purpose."""
    nights = Night.objects.filter(person__in=person_ids).order_by("person", "-started_at").distinct("person")
    calls = Call.objects.filter(run__in=[one.run for one in nights]).order_by().values("purpose")
    spent = calls.annotate(spent=Sum(F("tokens_in") + F("tokens_out"))).values_list("purpose", "spent")
    return {str(purpose): int(tokens or 0) for purpose, tokens in spent}
