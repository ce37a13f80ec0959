"""A model that answers as a good one would: for each sentence it is told beforehand what to find in it, and for each
statement what becomes of it. It reads only the request, over the real SDK and the fake wire."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from claude.prompts import fences
from tests.fakes.wire import Answer, FakeWire, Request, filled


@dataclass
class Finds:
    """What stands in a sentence: the quote, and the statement made of it."""

    quote: str
    statement: str
    kind: str = "semantic"
    category: str = "other"
    confidence: str = "high"
    plan: bool = False
    lasting: bool = True
    event_from: str = ""
    event_until: str = ""

    def candidate(self, passage: str) -> dict[str, Any]:
        return {
            "reasoning": "It will help again.",
            "passage": passage,
            "quote": self.quote,
            "statement": self.statement,
            "kind": self.kind,
            "category": self.category,
            "confidence": self.confidence,
            "plan": self.plan,
            "lasting": self.lasting,
            "event_from": self.event_from,
            "event_until": self.event_until or self.event_from,
        }


@dataclass
class ScriptedModel:
    finds: list[Finds] = field(default_factory=list)
    # (a part of the new statement, the verdict, a part of the memory it is about)
    judges: list[tuple[str, str, str]] = field(default_factory=list)
    # Parts of the memories that the words which are left still say.
    holds: list[str] = field(default_factory=list)
    asked: dict[str, int] = field(default_factory=dict)

    def wire(self) -> FakeWire:
        return FakeWire(otherwise=self.answer)

    def answer(self, request: Request) -> Answer:
        wanted = (request.get("output_config") or {}).get("format")
        if not wanted:
            return "Understood."
        (shape,) = wanted["schema"]["properties"]
        self.asked[shape] = self.asked.get(shape, 0) + 1
        words = "\n".join(
            block["text"] for message in request["messages"] for block in message["content"] if block["type"] == "text"
        )
        answers = {
            "candidates": self._extract,
            "verdicts": self._reconcile,
            "lines": self._pages,
            "checks": self._check,
        }
        return filled({shape: answers[shape](words)})

    def _extract(self, words: str) -> list[dict[str, Any]]:
        found = []
        for transcript in fences(words, "transcript"):
            for turn in fences(transcript.text, "turn"):
                if turn.attributes.get("read") == "before":
                    continue
                for passage in fences(turn.text, "passage"):
                    found += [
                        find.candidate(passage.attributes["id"]) for find in self.finds if find.quote in passage.text
                    ]
        return found

    def _reconcile(self, words: str) -> list[dict[str, Any]]:
        verdicts = []
        listed = dict(re.findall(r"^\[(m\d+)\] \([^)]*\) (.*)$", fences(words, "nearest")[0].text, re.MULTILINE))
        for block in fences(fences(words, "candidates")[0].text, "candidate"):
            lines = [(label, listed[label]) for label in block.attributes["nearest"].split()]
            verdict, memory = "new", ""
            for part, judged, about in self.judges:
                match = next((label for label, line in lines if about in line), "")
                if part in block.text and match:
                    verdict, memory = judged, match
                    break
            verdicts.append(
                {
                    "candidate": block.attributes["id"],
                    "reasoning": "Compared.",
                    "verdict": verdict,
                    "memory": memory,
                }
            )
        return verdicts

    def _check(self, words: str) -> list[dict[str, Any]]:
        return [
            {
                "memory": block.attributes["id"],
                "reasoning": "Compared.",
                "verdict": "holds" if any(part in block.text for part in self.holds) else "gone",
            }
            for block in fences(fences(words, "candidates")[0].text, "candidate")
        ]

    def _pages(self, words: str) -> list[dict[str, Any]]:
        lines = re.findall(r"^\[(m\d+)\] \(.*?; \w+, (\w+)[^)]*\) (.*)$", words, re.MULTILINE)
        return [{"section": section, "text": text, "memories": [label]} for label, section, text in lines]
