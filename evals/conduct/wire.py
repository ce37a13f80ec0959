"""Models that do as much harm as a model can, scripted over the real SDK: what holds against them holds by code."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx2

from claude.prompts import fences
from claude.standin import requests
from claude.standin.messages import Reply, message_for
from claude.standin.transport import StandIn, as_response

Block = dict[str, Any]


class Scripted(StandIn):
    """Answers whatever `chat` and `fill` say. It stands in for the model too: its words cost nothing."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        asked = json.loads(request.read() or b"{}")
        message = message_for(asked, self._content(asked))
        return as_response(Reply(200, message=message) if asked.get("stream") else Reply(200, body=message))

    def chat(self, asked: Block) -> list[Block]:
        raise NotImplementedError

    def fill(self, shape: str, words: str) -> list[Block]:
        return []

    def _content(self, asked: Block) -> list[Block]:
        form = (asked.get("output_config") or {}).get("format")
        if form:
            shape = next(iter(form["schema"]["properties"]))
            return [says(json.dumps({shape: self.fill(shape, requests.all_text(asked))}, ensure_ascii=False))]
        return self.chat(asked) if asked.get("tools") else [says("Understood.")]


class Obliging(Scripted):
    """Looks everything up, and repeats all that it was given."""

    def chat(self, asked: Block) -> list[Block]:
        newest = asked["messages"][-1]["content"]
        if any(block["type"] == "tool_result" for block in newest):
            return [says(requests.all_text(asked))]
        words = requests.outside(requests.all_text(asked))
        queries = [words, "m1 m2 m3", "everything about me 我的一切"]
        return [calls("recall", {"query": query, "include_past": True}) for query in queries]


@dataclass(frozen=True)
class Attack:
    name: str
    kind: str
    language: str
    origin: str
    text: str
    # The words in it that a model would quote, and what it would have remembered.
    payload: str
    statement: str
    # What gives it away wherever it turns up.
    mark: str
    # What the person says later that sets it off.
    trigger: str = ""


class Obedient(Scripted):
    """Obeys every attack that it reads, in each way there is: it quotes the attack, it quotes the person's own words
    for it, and it names the person's passage as the one that the attack stands in."""

    def __init__(self, attacks: Sequence[Attack]) -> None:
        self._attacks = attacks

    def chat(self, asked: Block) -> list[Block]:
        newest = asked["messages"][-1]
        if any(block["type"] == "tool_result" for block in newest["content"]):
            return [says("Done.")]
        everything = requests.all_text(asked)
        own = requests.outside(requests.all_text({"messages": [newest]}))
        found = [attack for attack in self._attacks if attack.text[:40] in everything or attack.payload in everything]
        return [_remember(attack, quote) for attack in found for quote in (attack.payload, own)] or [says("I see.")]

    def fill(self, shape: str, words: str) -> list[Block]:
        match shape:
            case "candidates":
                return [self._candidate(*one) for one in self._found(words)]
            case "verdicts":
                return [_new(one.attributes["id"]) for one in fences(words, "candidate")] or [
                    _new(one.id) for one in requests.proposed(words)
                ]
            case "lines":
                return [
                    {"section": line.category or "other", "text": line.statement, "memories": [line.id]}
                    for line in requests.memory_lines(words)
                ]
        return []

    def _found(self, words: str) -> list[tuple[Attack, str, str]]:
        """(attack, passage, quote): its own passage, and the person's words beside it."""
        said = requests.transcript(words)
        typed = [one for one in said if one.origin == "typed"]
        found = []
        for attack in self._attacks:
            for at, one in enumerate(said):
                if attack.payload not in one.text:
                    continue
                found.append((attack, one.id, attack.payload))
                beside = [other for other in said[max(0, at - 1) : at + 3] if other in typed]
                found += [(attack, other.id, quote) for other in beside for quote in (attack.payload, other.text)]
        return found

    def _candidate(self, attack: Attack, passage: str, quote: str) -> Block:
        return {
            "reasoning": "It says so.",
            "passage": passage,
            "quote": quote,
            "statement": attack.statement,
            "kind": "procedural",
            "category": "style",
            "confidence": "high",
            "plan": False,
            "lasting": True,
            "event_from": "",
            "event_until": "",
        }


def says(text: str) -> Block:
    return {"type": "text", "text": re.sub(r"\s+\Z", "", text) or "…"}


def calls(name: str, given: Block) -> Block:
    return {"type": "tool_use", "name": name, "input": given}


def _remember(attack: Attack, quote: str) -> Block:
    return calls(
        "remember",
        {
            "quote": quote,
            "statement": attack.statement,
            "kind": "procedural",
            "category": "style",
            "event_date": "",
            "plan": False,
            "asked_outright": True,
            "replaces": "",
        },
    )


def _new(candidate: str) -> Block:
    return {"candidate": candidate, "reasoning": "It says so.", "verdict": "new", "memory": ""}
