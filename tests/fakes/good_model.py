"""A scripted model that also chats: it answers a question only from the memory lines that the request really carries,
looks once when they are not there, and says that it does not know when that finds nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from claude.prompts import fences
from tests.fakes.scripted import ScriptedModel
from tests.fakes.wire import Answer, Request, filled, text, tool_use

MEMORY = re.compile(r"^\[(m\d+)\] \([^)]*\) .*$", re.MULTILINE)


@dataclass
class Answers:
    """What a question is answered with, and a pattern for each memory that takes. With none, nobody can know it."""

    question: str
    words: str = ""
    rests_on: list[str] = field(default_factory=list)


@dataclass
class Forgets:
    """What a request means: memories with any of these words, and the words in passages that say the same."""

    request: str
    memories: list[str]
    sayings: list[str]


@dataclass
class GoodModel(ScriptedModel):
    answers: list[Answers] = field(default_factory=list)
    forgets: list[Forgets] = field(default_factory=list)
    dont_know: str = "I don't know; you haven't told me."

    def answer(self, request: Request) -> Answer:
        if request.get("tools"):
            return self._chat(request)
        if "right" in str(request.get("output_config")):
            return filled({"reasoning": "It does not say what the right answer says.", "right": False})
        words = _text(request)
        if fences(words, "passages") and fences(words, "memories"):
            return filled({"verdicts": self._judge(words)})
        if asked := fences(words, "request"):
            return filled(self._targets(asked[0].text, words))
        return super().answer(request)

    def _chat(self, request: Request) -> Answer:
        words = _text(request)
        known = next((each for each in self.answers if each.question in words), None)
        lines = [found[0] for found in MEMORY.finditer(words)]
        if known is None:
            return text("Understood.")
        if known.rests_on:
            rests_on = [next((line for line in lines if re.search(part, line)), "") for part in known.rests_on]
            if all(rests_on):
                marks = "".join(dict.fromkeys(re.findall(r"^\[m\d+\]", "\n".join(rests_on), re.MULTILINE)))
                return text(f"{known.words} {marks}")
        if "tool_result" not in str(request["messages"][-1]):
            return tool_use("recall", {"query": known.question, "include_past": True})
        return text(self.dont_know)

    def _targets(self, request: str, words: str) -> dict[str, Any]:
        meant = [part for each in self.forgets if each.request in request for part in each.memories]
        labels = [line[1] for line in MEMORY.finditer(words) if any(part in line[0] for part in meant)]
        return {"reasoning": "They are about it.", "memories": labels, "ambiguous": False}

    def _judge(self, words: str) -> list[dict[str, Any]]:
        verdicts = []
        sayings = [saying for each in self.forgets for saying in each.sayings]
        for block in fences(words, "passages"):
            for passage in fences(block.text, "passage"):
                said = next((saying for saying in sayings if saying in passage.text), "")
                verdicts.append(
                    {
                        "passage": passage.attributes["id"],
                        "quote": said,
                        "reasoning": "It says so." if said else "It is about something else.",
                        "verdict": "says_it" if said else "unrelated",
                    }
                )
        return verdicts


def _text(request: Request) -> str:
    """All words of the request's turns, tool results included."""
    found: list[str] = []
    for message in request["messages"]:
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if block["type"] == "text":
                found.append(block["text"])
            elif block["type"] == "tool_result":
                inside = block["content"]
                found += [inside] if isinstance(inside, str) else [part["text"] for part in inside]
    return "\n".join(found)
