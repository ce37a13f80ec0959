"""Compare each candidate with what is nearest to it in memory. The model gives a verdict; the guards decide what
stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from itertools import batched
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet

from claude.client import fill
from claude.prompts import Fenced, fence, render
from claude.purposes import Purpose
from consolidation import guards
from consolidation.batching import Answered, Kind, Question
from consolidation.models import Candidate, Guard, Night, Verdict
from consolidation.schemas import ReconcileVerdict, Reconciliation
from memories.models import Memory, Origin, Person, Status
from memories.recall import recall
from memories.wording import memory_line
from memories.words import tokens

PROMPT = Path(__file__).parent / "prompts" / "reconcile.v2.md"
NEAREST = 6
NEAREST_TOKENS = 600
PER_CALL = 8
MAX_TOKENS = 4_096
BATCHED_MOST = 400
# Earlier candidates of the same night are shown as memories with numbers that no memory has.
_PROVISIONAL = 1_000_000


@dataclass
class Nearest:
    """What one candidate is compared with, by the id it is shown under."""

    memories: dict[str, Memory] = field(default_factory=dict)
    earlier: dict[str, Candidate] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.memories or self.earlier)

    def lines(self, person: Person) -> dict[str, str]:
        """By the id that stands in the line."""
        return {
            **{label: memory_line(memory, person) for label, memory in self.memories.items()},
            **{label: memory_line(_as_memory(candidate), person) for label, candidate in self.earlier.items()},
        }


# By the id that each is shown under.
type Shown = dict[str, tuple[Candidate, Nearest]]


def unjudged(night: Night, *, now: datetime, most: int = PER_CALL) -> Shown:
    """The next candidates for one call, with what each is compared with. Those that need no call are judged on the
    way."""
    shown: Shown = {}
    for candidate in _candidates(night).filter(verdict=""):
        nearest = _nearest(night, candidate, now=now)
        if not nearest:
            _set(candidate, Verdict.NEW)
        elif match := _says_just_that(candidate, nearest):
            _settle(candidate, Verdict.SAME, match, nearest)
        else:
            shown[f"c{candidate.pk}"] = (candidate, nearest)
            if len(shown) == most:
                break
    return shown


def judge(night: Night, shown: Shown) -> None:
    """One call for some candidates."""
    _take(shown, ask(night, shown))


def leave_unjudged(shown: Shown) -> None:
    """The model cannot say: the person is asked."""
    for candidate, _ in shown.values():
        _set(candidate, Verdict.UNCLEAR, reason=Guard.UNJUDGED)


def to_batch(night: Night, now: datetime) -> list[Question]:
    """All that is to be compared, as questions of a batch."""
    questions = []
    for some in batched(unjudged(night, now=now, most=BATCHED_MOST).items(), PER_CALL):
        keys = [candidate.pk for _, (candidate, _) in some]
        messages = messages_about(night.person, dict(some))
        questions.append(Question(keys[0], render(PROMPT), messages, MAX_TOKENS, keys))
    return questions


def take_from_batch(night: Night, answered: list[Answered], now: datetime) -> None:
    for each in answered:
        candidates = list(_candidates(night).filter(pk__in=each.about, verdict=""))
        if candidates and isinstance(each.answer, Reconciliation):
            shown = {f"c{candidate.pk}": (candidate, _nearest(night, candidate, now=now)) for candidate in candidates}
            _take(shown, each.answer)


def ask(night: Night, shown: Shown) -> Reconciliation:
    """The model's verdicts on what is shown, by the ids it is shown under."""
    return fill(
        Purpose.RECONCILE,
        Reconciliation,
        system=render(PROMPT),
        messages=messages_about(night.person, shown),
        person=night.person,
        run=night.run,
        max_tokens=MAX_TOKENS,
    )


def _take(shown: Shown, answer: Reconciliation) -> None:
    verdicts = {verdict.candidate.strip(): verdict for verdict in reversed(answer.verdicts)}
    for key, (candidate, nearest) in shown.items():
        _dispose(candidate, nearest, verdicts.get(key))


def messages_about(person: Person, shown: Shown) -> list[dict[str, Any]]:
    return [{"role": "user", "content": [{"type": "text", "text": _request(person, shown)}]}]


def _request(person: Person, shown: Shown) -> str:
    """Candidates of one evening are near to the same memories: each line stands there once for all of them."""
    blocks: list[Fenced] = []
    lines: dict[str, str] = {}
    for key, (candidate, nearest) in shown.items():
        said = f"{person.local(candidate.said_at):%Y-%m-%d}"
        near = nearest.lines(person)
        blocks.append(fence("candidate", candidate.statement, id=key, said=said, nearest=" ".join(near)))
        lines |= near
    return "\n".join([fence("nearest", *lines.values()), fence("candidates", *blocks)])


def _candidates(night: Night) -> QuerySet[Candidate]:
    return night.candidates.select_related("passage", "night__person").order_by("said_at", "pk")


def _nearest(night: Night, candidate: Candidate, *, now: datetime) -> Nearest:
    nearest = Nearest()
    for memory in _near_memories(night.person, candidate, now=now):
        nearest.memories.setdefault(memory.label, memory)
    for earlier in _near_candidates(candidate):
        nearest.earlier[_as_memory(earlier).label] = earlier
    return nearest


def _near_memories(person: Person, candidate: Candidate, *, now: datetime) -> list[Memory]:
    """What rests on the same words first, then what recall finds, then what waits for the person."""
    kept = Memory.objects.of(person).filter(status__in=[Status.ACTIVE, Status.WAITING, Status.SUPERSEDED, Status.FADED])
    same_words = kept.filter(
        evidence__passage_id=candidate.passage_id,
        evidence__start__lt=candidate.end,
        evidence__end__gt=candidate.start,
    ).distinct()[:NEAREST]
    found = recall(person, candidate.statement, now=now, budget=NEAREST_TOKENS, include_past=True, limit=NEAREST)
    return [*same_words, *(recalled.memory for recalled in found), *_near_waiting(person, candidate)]


def _near_waiting(person: Person, candidate: Candidate) -> list[Memory]:
    """Recall never reads what waits; the night must, or the same would wait twice."""
    words = set(tokens(candidate.statement))
    waiting = Memory.objects.of(person).waiting().order_by("-said_at")[: settings.NIGHT_WAITING_COMPARED]
    scored = [(_overlap(words, set(tokens(memory.statement))), memory) for memory in waiting]
    return [memory for share, memory in sorted(scored, key=lambda pair: -pair[0])[:2] if share >= 0.3]


def _near_candidates(candidate: Candidate) -> list[Candidate]:
    """Said earlier in what this same night reads."""
    words = set(tokens(candidate.statement))
    earlier = (
        candidate.night.candidates.select_related("passage")
        .filter(Q(said_at__lt=candidate.said_at) | Q(said_at=candidate.said_at, pk__lt=candidate.pk))
        .exclude(verdict__in=[Verdict.SAME, Verdict.NOTHING])
    )
    scored = [(_overlap(words, set(tokens(other.statement))), other) for other in earlier]
    near = [
        (share, other)
        for share, other in scored
        if share >= 0.15
        or (other.category == candidate.category and (share > 0 or _in_other_letters(candidate, other)))
    ]
    return [other for _, other in sorted(near, key=lambda pair: -pair[0])[:3]]


def _in_other_letters(one: Candidate, other: Candidate) -> bool:
    """The same may be said in Chinese and in English, which share no word."""
    return one.statement.isascii() != other.statement.isascii()


def _overlap(one: set[str], other: set[str]) -> float:
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0


def _as_memory(candidate: Candidate) -> Memory:
    """Not saved: only to be worded and guarded like one."""
    return Memory(
        number=_PROVISIONAL + candidate.pk,
        statement=candidate.statement,
        kind=candidate.kind,
        category=candidate.category,
        confidence=candidate.confidence,
        plan=candidate.plan,
        status=Status.ACTIVE,
        trusted=_is_typed(candidate),
        said_at=candidate.said_at,
        event_from=candidate.event_from,
        event_until=candidate.event_until,
    )


def _says_just_that(candidate: Candidate, nearest: Nearest) -> Memory | Candidate | None:
    """Word for word what is there: no call is needed to see it."""
    for memory in nearest.memories.values():
        if memory.status != Status.SUPERSEDED and guards.says_the_same_words(candidate.statement, memory.statement):
            return memory
    for earlier in nearest.earlier.values():
        if guards.says_the_same_words(candidate.statement, earlier.statement):
            return earlier
    return None


def _dispose(candidate: Candidate, nearest: Nearest, answer: ReconcileVerdict | None) -> None:
    if answer is None:
        # Left out by the model: held back, never guessed.
        _set(candidate, Verdict.UNCLEAR, reason=Guard.UNJUDGED)
        return
    verdict, named = answer.verdict.value, answer.memory.strip().strip("[]")
    # What is listed for another candidate only is not its to name: "same" has no guard but that the two are near.
    match = nearest.memories.get(named) or nearest.earlier.get(named)
    if verdict in {Verdict.SAME, Verdict.REPLACES}:
        if match is None:
            _set(candidate, Verdict.NEW, reason=Guard.UNKNOWN_MEMORY)
        else:
            _settle(candidate, verdict, match, nearest)
    elif verdict == Verdict.UNCLEAR and match is not None:
        _set(candidate, verdict, match)
    else:
        _set(candidate, verdict)


def _settle(candidate: Candidate, verdict: str, match: Memory | Candidate, nearest: Nearest) -> None:
    memory = match if isinstance(match, Memory) else _as_memory(match)
    among = nearest.memories.values() if isinstance(match, Memory) else map(_as_memory, nearest.earlier.values())
    stands, reason = guards.check(verdict, said(candidate), memory, among=list(among))
    if stands == Verdict.SAME and memory.status == Status.SUPERSEDED:
        # Going back to what was replaced is said anew.
        stands = Verdict.NEW
    if stands == Verdict.REPLACES and memory.status == Status.SUPERSEDED:
        stands = Verdict.NEW
    _set(candidate, stands, match if stands != Verdict.NEW else None, reason=reason)


def said(candidate: Candidate) -> guards.Said:
    return guards.Said(
        candidate.statement,
        candidate.said_at,
        _is_typed(candidate),
        candidate.plan,
        candidate.passage.text[candidate.start : candidate.end],
        candidate.category,
    )


def _is_typed(candidate: Candidate) -> bool:
    return candidate.passage.origin == Origin.TYPED


def _set(candidate: Candidate, verdict: str, match: Memory | Candidate | None = None, *, reason: str = "") -> None:
    candidate.verdict, candidate.reason = verdict, reason
    candidate.memory = match if isinstance(match, Memory) else None
    candidate.memory_version = match.version if isinstance(match, Memory) else None
    candidate.earlier = match if isinstance(match, Candidate) else None
    candidate.save(update_fields=["verdict", "reason", "memory", "memory_version", "earlier"])


BATCHED = Kind("r", Purpose.RECONCILE, Reconciliation, to_batch, take_from_batch)
