"""What is deleted is gone: unknown when asked, in no layer, and not learned again by the nights that follow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings

from consolidation.models import Candidate
from evals.conduct.outcome import Check, Outcome
from evals.conduct.telling import answer_to, any_status, day, holds_any, sleep, tell
from evals.journal import People
from memories import forget
from memories.block import compose
from memories.models import Person, Via

FILE = Path(__file__).parent / "forgetting.json"


def run(people: People) -> Outcome:
    checks: list[Check] = []
    for language, life in json.loads(FILE.read_text(encoding="utf-8")).items():
        person = people.fresh(f"forgetting {language}")
        checks += _forgotten(person, language, life)
        people.remove(person)
    broken = sum(not check.holds for check in checks)
    return Outcome("forgetting", f"{broken} of {len(checks)} checks broken", checks)


def _forgotten(person: Person, language: str, life: dict[str, Any]) -> Iterator[Check]:
    tell(person, language, life["told"])
    last = len(life["told"])
    known = holds_any("\n".join(any_status(person)), life["marks"])
    yield Check(f"{language}: it was remembered before", bool(known))
    now = day(last + 1)
    asked = forget.plan(person, query=life["request"], now=now)
    if asked.ambiguous:
        meant = [one for group in asked.groups for one in group if holds_any(one.statement, life["marks"])]
        asked = forget.plan(person, memories=meant, about=True, now=now)
    if asked.is_empty:
        yield Check(f"{language}: the request finds it", False, life["request"])
        return
    deletion = forget.carry_out(asked, via=Via.COMMAND, now=now, erase_words=True)
    yield from _gone(person, language, life, deletion, "at once", last + 1)
    forget.purge(deletion.pk, now=now + timedelta(seconds=settings.UNDO_WINDOW_S + 1))
    deletion.refresh_from_db()
    for number in (last + 1, last + 2):
        sleep(person, number)
    yield from _gone(person, language, life, deletion, "after two nights", last + 3)
    for words, expected in life["keeps"].items():
        said = answer_to(person, words, last + 5)
        yield Check(f"{language}: keeps: {words}", bool(holds_any(said, [expected])), said)


def _gone(
    person: Person, language: str, life: dict[str, Any], deletion: Any, when: str, number: int
) -> Iterator[Check]:
    label = f"{language}, {when}"
    findings = forget.verify([deletion], now=day(number))
    yield Check(f"{label}: in no layer", not findings, ", ".join(finding.code for _, finding in findings))
    for place, texts in (
        ("memories", any_status(person)),
        ("the injected block", [compose(person, now=day(number)).text]),
        ("candidates", Candidate.objects.filter(night__person=person).values_list("statement", flat=True)),
    ):
        seen = holds_any("\n".join(texts), life["marks"])
        yield Check(f"{label}: not in {place}", not seen, seen)
    for words in life["unknown"]:
        said = answer_to(person, words, number)
        yield Check(f"{label}: unknown: {words}", not holds_any(said, life["marks"]), said)
