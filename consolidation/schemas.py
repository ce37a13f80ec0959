"""What the model may answer at night. Every field is required and "" stands for nothing: that is what the structured
output of the wire takes best. What an answer says is a proposal; the guards beside each step decide."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class AnswerKind(StrEnum):
    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"


class AnswerCategory(StrEnum):
    PROFILE = "profile"
    STYLE = "style"
    PLACE = "place"
    WORK = "work"
    PEOPLE = "people"
    TASTE = "taste"
    HEALTH = "health"
    GOAL = "goal"
    LEARNING = "learning"
    ROUTINE = "routine"
    EVENT = "event"
    OTHER = "other"


class AnswerConfidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class AnswerVerdict(StrEnum):
    NEW = "new"
    SAME = "same"
    REPLACES = "replaces"
    NOTHING = "nothing"
    UNCLEAR = "unclear"


class AnswerCheck(StrEnum):
    HOLDS = "holds"
    GONE = "gone"
    UNCLEAR = "unclear"


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ExtractedCandidate(Strict):
    reasoning: str = Field(description="One short sentence: why this is worth remembering about the user.")
    passage: str = Field(description="The id of the passage the quote stands in, such as p12.")
    quote: str = Field(description="The user's words, copied character by character.")
    statement: str = Field(description="One statement about the user, third person, in the language of the quote.")
    kind: AnswerKind
    category: AnswerCategory
    confidence: AnswerConfidence
    plan: bool = Field(description="True for what is meant to happen and has not.")
    lasting: bool = Field(description="False for what passes within days.")
    event_from: str = Field(description="ISO date on which it happens or began, or an empty string.")
    event_until: str = Field(description="ISO date on which it ends, the same for one day, or an empty string.")


class Extraction(Strict):
    candidates: list[ExtractedCandidate]


class ReconcileVerdict(Strict):
    candidate: str = Field(description="The candidate's id, such as c3.")
    reasoning: str = Field(description="One short sentence comparing it with its nearest memories.")
    verdict: AnswerVerdict
    memory: str = Field(description="The id of the memory it is the same as or replaces, such as m12, or empty.")


class Reconciliation(Strict):
    verdicts: list[ReconcileVerdict]


class EvidenceCheck(Strict):
    memory: str = Field(description="The candidate's id, such as m12.")
    reasoning: str = Field(description="One short sentence comparing it with the words that are left.")
    verdict: AnswerCheck


class EvidenceChecks(Strict):
    checks: list[EvidenceCheck]


class PageLine(Strict):
    section: AnswerCategory
    text: str = Field(description="One line of the page, in the language of its memories.")
    memories: list[str] = Field(description="The ids of the memories it rests on, such as m12.")


class PageLines(Strict):
    lines: list[PageLine]
