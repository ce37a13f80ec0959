"""What the model fills in when it is asked what says the same, and which memories a request means."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    passage: str
    quote: str
    reasoning: str
    verdict: Literal["says_it", "doubtful", "unrelated"]


class ForgetJudgement(BaseModel):
    model_config = ConfigDict(extra="forbid")

    verdicts: list[Verdict]


class ForgetTargets(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reasoning: str
    memories: list[str]
    ambiguous: bool
