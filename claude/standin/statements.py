"""What was read out of a person's own words: one statement each, with what kind it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

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

    named: dict[str, str] = field(default_factory=dict)  # name or noun, folded -> "niece Orla" / "貓"
    last: str = ""
    place: str = ""

    def introduce(self, called: str, *keys: str) -> None:
        self.last = called
        for key in keys:
            if key:
                self.named[key.lower()] = called


def category_of(text: str, *, event: bool = False) -> str:
    about = meaning(text)
    for category, groups in _CATEGORIES:
        if about.has(*groups):
            return category
    return "event" if event else "other"


def is_health(about: Meaning) -> bool:
    return about.has("health", "allergy", "drug")


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
