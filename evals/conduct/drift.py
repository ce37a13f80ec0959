"""Thirty nights change nothing that nobody changed: the statements stay word for word, no more and no fewer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from evals.conduct.outcome import Check, Outcome
from evals.conduct.telling import HEARD, active, day, sleep, tell
from evals.evidence import leads_to_its_words
from evals.journal import People
from evals.replay import play
from evals.scripts import Script, Session, Turn
from memories.block import compose
from memories.models import Evidence, Line, Memory, Origin, Person
from memories.transcript import Part

FILE = Path(__file__).parent / "drift.json"
NIGHTS = 30


def run(people: People) -> Outcome:
    data = json.loads(FILE.read_text(encoding="utf-8"))
    checks: list[Check] = []
    for language, life in data.items():
        person = people.fresh(f"drift {language}")
        checks += _nights(person, language, life["told"], life["later"])
        people.remove(person)
    broken = sum(not check.holds for check in checks)
    return Outcome("drift", f"{broken} of {len(checks)} checks broken over {NIGHTS} nights", checks)


def _nights(person: Person, language: str, told: list[str], later: list[str]) -> Iterator[Check]:
    script = tell(person, language, [told])
    first = active(person)
    block = compose(person, now=day(2)).text
    yield Check(f"{language}: something is remembered", bool(first), f"{len(first)} memories")
    for number in range(2, NIGHTS + 1):
        words = later[(number - 2) % len(later)]
        turn = Turn([Part(Origin.TYPED, words)], HEARD[language], day(number))
        play(Script(script.time_zone, language, [Session(f"d{number}", [turn])]), person, nights=False)
        sleep(person, number)
    last = active(person)
    yield Check(f"{language}: the same statements", sorted(first) == sorted(last), _difference(first, last))
    yield Check(f"{language}: none was retired", not Memory.objects.of(person).superseded().exists())
    after = compose(person, now=day(NIGHTS + 1)).text
    yield Check(f"{language}: the block has as many lines", len(block.splitlines()) == len(after.splitlines()))
    loose = Line.objects.filter(page__person=person, memories=None).count()
    yield Check(f"{language}: each page line rests on memories", not loose, str(loose))
    resting = Evidence.objects.filter(memory__person=person).select_related("passage")
    astray = [one.pk for one in resting if not leads_to_its_words(one)]
    yield Check(f"{language}: all evidence leads to its words", not astray, str(len(astray)))


def _difference(first: list[str], last: list[str]) -> str:
    gone, new = set(first) - set(last), set(last) - set(first)
    return " ".join([*(f"gone: {one}" for one in sorted(gone)), *(f"new: {one}" for one in sorted(new))])
