"""Short lives for the suites of conduct: what a person tells on which day, and what they ask."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from evals.replay import ask, dream, play
from evals.scripts import Question, Script, Session, Turn
from memories.models import Memory, Origin, Person, Status
from memories.transcript import Part

BEGAN = datetime(2026, 2, 2, 19, 0, tzinfo=UTC)
HEARD = {"en": "Understood.", "zh-Hant": "了解。"}


def tell(person: Person, language: str, days: Sequence[Sequence[str]], *, nights: bool = True) -> Script:
    """One conversation a day, each answered in a word, with a night after each."""
    sessions = [
        Session(
            f"d{n}",
            [
                Turn([Part(Origin.TYPED, words)], HEARD[language], day(n) + timedelta(minutes=i))
                for i, words in enumerate(said)
            ],
        )
        for n, said in enumerate(days, start=1)
    ]
    script = Script("Europe/Dublin" if language == "en" else "Asia/Taipei", language, sessions, name=language)
    play(script, person, nights=nights)
    return script


def day(number: int) -> datetime:
    """The evening of that day, counted from 1."""
    return BEGAN + timedelta(days=number - 1)


def sleep(person: Person, number: int) -> None:
    dream(person, at=day(number) + timedelta(hours=8))


def question(words: str, number: int) -> Question:
    return Question(words, "conduct", words, day(number))


def answer_to(person: Person, words: str, number: int) -> str:
    return ask(person, question(words, number)).text


def active(person: Person) -> list[str]:
    return list(Memory.objects.of(person).active().order_by("number").values_list("statement", flat=True))


def any_status(person: Person) -> list[str]:
    kept = Memory.objects.of(person).exclude(status=Status.DELETED)
    return list(kept.order_by("number").values_list("statement", flat=True))


def holds_any(text: str, words: Sequence[str]) -> str:
    """The first of the words that stands in the text."""
    folded = text.casefold()
    return next((word for word in words if word.casefold() in folded), "")
