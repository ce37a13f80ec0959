"""What was read out of a person's own words: one statement each, with what kind it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from claude.standin.frames import frame
from claude.standin.meaning import Meaning, meaning


@dataclass(frozen=True)
class Statement:
    text: str  # third person
    quote: str  # verbatim
    kind: str = "semantic"
    category: str = "other"
    confidence: str = "high"
    plan: bool = False
    lasting: bool = True
    event_from: date | None = None
    event_until: date | None = None
    asked: bool = False  # asked outright to keep it
    key: bool = False  # to be kept at once
    why: str = "said in the person's own words"


@dataclass
class Known:
    """People and animals that the conversation introduced, so that a pronoun can be named; newest last."""

    named: dict[str, str] = field(default_factory=dict)  # name or noun, folded -> "sister Ines" / "貓"
    last: str = ""
    place: str = ""

    def introduce(self, called: str, *keys: str) -> None:
        self.last = called
        for key in keys:
            if key:
                self.named[key.lower()] = called


def category_of(text: str, *, event: bool = False, plan: bool = False) -> str:
    """Where a statement belongs: what happened is an event unless it is of someone, somewhere, work or health."""
    category = _category(text)
    if plan and category in ("taste", "routine", "other"):
        return "goal"
    if event and not plan and category in ("taste", "style", "routine", "goal", "other"):
        return "event"
    return category


def _category(text: str) -> str:
    about = meaning(text)
    of = frame(text)
    if of.subject:
        return "people"
    if of.attribute in _BY_ATTRIBUTE:
        return _BY_ATTRIBUTE[of.attribute]
    for category, groups in _CATEGORIES:
        if about.has(*groups):
            return category
    return "other"


def is_key(about: Meaning) -> bool:
    """What the next answer must heed, and not only those after the night: what the person does not bear or eat."""
    return about.has("allergy") or (about.has("diet") and not about.has("kin", "plan"))


_BY_ATTRIBUTE = {
    "allergy": "health",
    "commute": "routine", "residence": "place", "workplace": "work", "job": "work",
    "diet": "taste", "name": "profile",
    "format": "style", "age": "profile", "birthday": "profile",
    "taste": "taste", "instruct": "style", "project": "work",
}  # fmt: skip
_CATEGORIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("health", ("health", "allergy", "drug")),
    ("people", ("kin", "animal")),
    ("style", ("format", "deliver", "file", "style")),
    ("taste", ("taste", "diet", "avoid")),
    ("routine", ("weekday", "commute")),
    ("place", ("live", "move", "from", "time.zone")),
    ("work", ("work",)),
    ("learning", ("learn", "language", "school")),
    ("goal", ("goal",)),
    ("profile", ("name", "age", "birthday", "money")),
    ("routine", ("vehicle", "hobby", "sport", "music", "tool", "use")),
    ("taste", ("food",)),
)
