"""Does a played scenario hold: what is to be remembered, what never, what waits, which questions are answered right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from evals.judging.strings import knows_not
from evals.replay import Answer, ask, dream
from evals.scripts import Question, Script
from memories.block import compose
from memories.forget import carry_out, plan
from memories.models import Memory, Person, Status, Tombstone, Via


@dataclass(frozen=True)
class Check:
    what: str
    name: str
    holds: bool
    seen: str = ""


def check_memories(script: Script, person: Person) -> list[Check]:
    return [*_expected(script, person), *_superseded(script, person), *_waiting(script, person)]


def check_never(script: Script, person: Person) -> list[Check]:
    """No active memory and no injected block holds any of these."""
    texts = [memory.statement for memory in Memory.objects.of(person).active()]
    block = compose(person, now=_end(script), budget=1_000).text
    checks = []
    for word in script.expected.get("never", []):
        seen = [text for text in [*texts, block] if word.casefold() in text.casefold()]
        checks.append(Check("never", word, not seen, seen[0] if seen else ""))
    return checks


def check_questions(script: Script, person: Person, names: list[str] | None = None) -> list[Answer]:
    return [ask(person, question) for question in script.questions if names is None or question.name in names]


def check_forgotten(script: Script, person: Person) -> list[Check]:
    """The request, in the person's own words, goes through the forget door; two nights later it is still gone."""
    wanted = script.forget.get("memories", [])
    now = _end(script) + timedelta(hours=1)
    asked = plan(person, query=script.forget["request"], now=now)
    if asked.ambiguous:
        # Which is meant is the person's to say; the file names it.
        meant = [group for group in asked.groups if any(_mentions(memory, wanted) for memory in group)]
        asked = plan(person, memories=[memory for group in meant for memory in group], about=asked.about, now=now)
    if asked.is_empty:
        return [Check("forgotten", script.forget["request"], False, "nothing was found to forget")]
    deletion = carry_out(asked, via=Via.COMMAND, now=now)
    for night in (1, 2):
        dream(person, at=now + timedelta(days=night))
    kept = Memory.objects.of(person).kept()
    left = [memory.statement for memory in kept if _mentions(memory, wanted)]
    checks = [Check("forgotten", "/".join(wanted), not left, left[0] if left else "")]
    for place in script.forget.get("tombstones", []):
        marked = Tombstone.objects.filter(passage__message_id=script.places.get(place, 0), deletion=deletion)
        checks.append(Check("tombstone", place, marked.exists()))
    for answer in check_questions(script, person, script.forget.get("then_unknown", [])):
        holds = knows_not(answer.text) and not any(word in answer.text for word in wanted)
        checks.append(Check("then unknown", answer.question.ask, holds, answer.text))
    for answer in check_questions(script, person, script.forget.get("keeps", [])):
        checks.append(Check("keeps", answer.question.ask, answer.right, answer.text))
    return checks


def _mentions(memory: Memory, words: list[str]) -> bool:
    return any(word.casefold() in memory.statement.casefold() for word in words)


def _expected(script: Script, person: Person) -> Iterator[Check]:
    active = list(Memory.objects.of(person).active().prefetch_related("evidence__passage"))
    for wanted in script.expected.get("active", []):
        fitting = [memory for memory in active if _fits(wanted, memory.statement)]
        if not fitting and len(wanted["says"]) > 1:
            # One memory, or several that say it together.
            parts = [[m for m in active if _says(part, m.statement)] for part in wanted["says"]]
            fitting = [memory for some in parts for memory in some] if all(parts) else []
        kinds = wanted.get("kind", "").split("|")
        places = {script.places.get(place) for place in wanted.get("evidence", [])}
        quoted = {e.passage.message_id for memory in fitting for e in memory.evidence.all() if e.passage}
        holds = bool(fitting) and any(m.kind in kinds for m in fitting) and bool(places & quoted or not places)
        seen = fitting[0] if fitting else None
        yield Check("active", " + ".join(wanted["says"]), holds, f"{seen.kind}: {seen.statement}" if seen else "")


def _superseded(script: Script, person: Person) -> Iterator[Check]:
    past = list(Memory.objects.of(person).filter(status=Status.SUPERSEDED).select_related("superseded_by"))
    for wanted in script.expected.get("superseded", []):
        fitting = [memory for memory in past if _fits(wanted, memory.statement)]
        by = [memory.superseded_by.statement for memory in fitting if memory.superseded_by]
        holds = any(wanted["by"].casefold() in statement.casefold() for statement in by)
        yield Check("replaced", " + ".join(wanted["says"]), holds, fitting[0].statement if fitting else "")


def _waiting(script: Script, person: Person) -> Iterator[Check]:
    waiting = list(Memory.objects.of(person).waiting())
    for wanted in script.expected.get("waiting", []):
        fitting = [memory.statement for memory in waiting if all(_says(word, memory.statement) for word in wanted)]
        yield Check("waiting", " + ".join(wanted), bool(fitting), fitting[0] if fitting else "")


def _fits(wanted: dict[str, Any], statement: str) -> bool:
    return all(_says(part, statement) for part in wanted["says"])


def _says(alternatives: str, statement: str) -> bool:
    return any(word.casefold() in statement.casefold() for word in alternatives.split("|"))


def _end(script: Script) -> Any:
    last = script.sessions[-1].turns[-1].at
    asked = [question.asked_at for question in script.questions]
    return max([last, *asked], default=timezone.now()) + timedelta(minutes=5)


__all__ = ["Check", "Question", "check_forgotten", "check_memories", "check_never", "check_questions"]
