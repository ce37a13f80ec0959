"""A model that answers as a good one would on a suite that says what is planted in it: it finds what is told, sees what
replaces what, and answers from the memory lines that it was given and from nothing else."""

from __future__ import annotations

from typing import Any

from claude.standin import requests
from evals.scripts import Question, Script
from tests.fakes.scripted import Finds, ScriptedModel
from tests.fakes.wire import Answer, Request

UNKNOWN = {"en": "I don't know; you haven't told me.", "zh-Hant": "我不知道,你沒有提過。"}


class GoodModel(ScriptedModel):
    def __init__(self, life: Script) -> None:
        changes = life.planted["changing"]
        told = [
            # Of two passing remarks, one is taken for more than it is.
            *life.planted["lasting"], *life.planted["passing"][1:],
            *(one for change in changes for one in change.values()),
            *(one for joined in life.planted["joined"] for one in joined["parts"]),
        ]  # fmt: skip
        super().__init__(
            [self._finds(one) for one in told],
            [(one["is"]["statement"], "replaces", one["was"]["statement"]) for one in changes],
        )
        self.statements = {one["at"]: one["statement"] for one in told}
        self.life = life
        self.prompts: list[str] = []

    def answer(self, request: Request) -> Answer:
        if form := request.get("output_config", {}).get("format"):
            if "right" in form["schema"]["properties"]:
                return {"reasoning": "It does not say what the right answer says.", "right": False}
            return super().answer(request)
        newest = requests.outside(requests.all_text({"messages": request["messages"][-1:]}))
        question = next((one for one in self.life.questions if one.ask == newest), None)
        return self._reply(question, request) if question else "Understood."

    def _reply(self, question: Question, request: Request) -> str:
        lines = requests.memory_lines(requests.all_text(request))
        rests_on = [self.statements[place] for place in question.evidence]
        marks = [line.id for statement in rests_on for line in lines if line.statement == statement]
        if question.abstains or len(marks) < len(rests_on):
            return UNKNOWN[self.life.language]
        return question.accept[0] + "".join(f" [{mark}]" for mark in dict.fromkeys(marks))

    @staticmethod
    def _finds(one: dict[str, Any]) -> Finds:
        return Finds(one["quote"], one["statement"], one["kind"], one["category"], lasting=one.get("lasting", True))
