"""Does it remember right: lives are played, their questions asked of each arm, and every answer judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from consolidation.models import Decision, Did
from evals import arms, conduct
from evals.arms import Arm, Reply
from evals.evidence import leads_to_its_words
from evals.journal import Journal, People
from evals.judging import Judgement, agreement, judge
from evals.judging.strings import knows_not
from evals.progress import Progress
from evals.replay import play, settle_in
from evals.scripts import Question, Script
from evals.suites import Suite
from memories.block import compose
from memories.models import AskedBy, Evidence, Memory, Person, Status, Write
from memories.models.memory import MemoryQuerySet

BLOCK_TOKENS = 1_000


@dataclass(frozen=True)
class Plan:
    suites: Sequence[Suite]
    arms: Sequence[Arm]
    conduct: Sequence[str]

    @cached_property
    def steps(self) -> int:
        """Reads each file to its end, so one that cannot be read is found before anything is played."""
        lives = (life for suite in self.suites for life in suite.lives())
        return sum(self._steps_of(life) for life in lives) + len(self.conduct) + 1

    def _steps_of(self, life: Script) -> int:
        return len(life.questions) * len(self.arms) + len(life.sessions) * (Arm.MEMORY in self.arms)


def run(plan: Plan, journal: Journal, people: People, progress: Progress) -> None:
    """Whatever is not done yet. Raises BudgetSpent and NoAnswer with all that was done in the journal."""
    for suite in plan.suites:
        for life in suite.lives():
            _Life(suite.name, life, plan.arms, journal, people, progress).run()
    for name in plan.conduct:
        if not journal.has("conduct", name):
            people.check_budget()
            progress.show(name)
            outcome = conduct.run(name, people)
            journal.add("conduct", name, outcome.as_json())
        progress.step(name)
    if plan.suites and not journal.has("judge", "agreement"):
        people.check_budget()
        person = people.get("judge")
        journal.add("judge", "agreement", agreement(person).as_json())
        people.remove(person)
    progress.step("judge")


class _Life:
    def __init__(
        self, suite: str, life: Script, arms: Sequence[Arm], journal: Journal, people: People, progress: Progress
    ) -> None:
        self.suite, self.life, self.arms = suite, life, arms
        self.journal, self.people, self.progress = journal, people, progress

    def run(self) -> None:
        missing = [(arm, asked) for arm in self.arms for asked in self.life.questions if not self._is_done(arm, asked)]
        self.progress.skip(len(self.arms) * len(self.life.questions) - len(missing))
        plays = Arm.MEMORY in self.arms
        if not missing:
            self.progress.skip(len(self.life.sessions) if plays else 0)
            return
        person = self.people.get(f"{self.suite} {self.life.name}")
        settle_in(self.life, person)
        if any(arm == Arm.MEMORY for arm, _ in missing):
            play(self.life, person, key="e", on_step=self._played)
            self.journal.add("life", f"{self.suite}/{self.life.name}", self._told_of(person))
        elif plays:
            self.progress.skip(len(self.life.sessions))
        for arm, question in missing:
            self.people.check_budget()
            self._ask(arm, question, person)
            self.progress.step(f"{self.suite} {arm} {question.name} ${self.people.spent:.2f}")
        self.people.remove(person)

    def _played(self, session: str) -> None:
        self.progress.step(f"{self.suite} {self.life.name} {session} ${self.people.spent:.2f}")
        self.people.check_budget()

    def _is_done(self, arm: Arm, question: Question) -> bool:
        return self.journal.has("answer", self._key(arm, question))

    def _key(self, arm: Arm, question: Question) -> str:
        return f"{self.suite}/{self.life.name}/{arm}/{question.name}"

    def _ask(self, arm: Arm, question: Question, person: Person) -> None:
        reply = arms.answer(arm, self.life, person, question)
        judged = judge(question, reply.text, person)
        self.journal.add("answer", self._key(arm, question), self._row(arm, question, reply, judged))

    def _row(self, arm: Arm, question: Question, reply: Reply, judged: Judgement) -> dict[str, Any]:
        return {
            "suite": self.suite,
            "life": self.life.name,
            "arm": arm.value,
            "question": question.name,
            "category": question.category,
            "ask": question.ask,
            "expected": question.answer or " / ".join(question.accept),
            "answer": reply.text,
            "right": judged.right,
            "judged_by": judged.by.value,
            "reasoning": judged.reasoning,
            "why_wrong": "" if judged.right or arm != Arm.MEMORY else _why_wrong(question, reply),
            "recalled": [seen.as_json() for seen in reply.recalled],
            "stored": [{"at": at, **seen.as_json()} for at, kept in reply.stored.items() for seen in kept],
            "cited": reply.cited,
            "tokens_in": reply.tokens_in,
            "tokens_out": reply.tokens_out,
            "cost": None if reply.cost is None else float(reply.cost),
            "latency_ms": reply.latency_ms,
        }

    def _told_of(self, person: Person) -> dict[str, Any]:
        """What became of what was said."""
        kept = Memory.objects.of(person)
        active = [memory.statement for memory in kept.active()]
        block = compose(person, now=self._end(), budget=BLOCK_TOKENS).text
        written = Decision.objects.filter(night__person=person).exclude(did=Did.FADED).count()
        passing = self.life.planted.get("passing", [])
        poison = [word for one in self.life.planted.get("poisoned", []) for word in one["says"]]
        return {
            "suite": self.suite,
            "life": self.life.name,
            "candidates": written + Write.objects.filter(person=person, asked_by=AskedBy.CHAT).count(),
            "active": len(active),
            "waiting": kept.waiting().count(),
            "superseded": kept.superseded().count(),
            "with_evidence": sum(_is_founded(memory) for memory in kept.active()),
            "passing_kept_out": sum(not self._rests_on(kept, one["at"]) for one in passing),
            "passing": len(passing),
            "poison_seen": [word for word in poison if any(word in text for text in [*active, block])],
            "failed_replies": arms.unanswered(person),
        }

    def _rests_on(self, kept: MemoryQuerySet, place: str) -> bool:
        return kept.active().filter(evidence__passage__message__in=self.life.heard[place]).exists()

    def _end(self) -> Any:
        return self.life.sessions[-1].turns[-1].at


def _why_wrong(question: Question, reply: Reply) -> str:
    """Where what the answer rests on was lost on its way: the first of its turns that did not arrive says so."""
    if question.abstains:
        return "made up" if not knows_not(reply.text) else "guessed at"
    given = {seen.label for seen in reply.recalled}
    for place in question.evidence:
        kept = reply.stored.get(place, [])
        if not kept:
            return "not stored"
        if not any(seen.label in given for seen in kept):
            return "replaced" if all(seen.how == Status.SUPERSEDED for seen in kept) else "not found"
    if not question.evidence:
        return ""
    cited = any(seen.label in reply.cited for kept in reply.stored.values() for seen in kept)
    return "used wrongly" if cited else "not used"


def _is_founded(memory: Memory) -> bool:
    resting = list(Evidence.objects.filter(memory=memory).select_related("passage"))
    return bool(resting) and all(map(leads_to_its_words, resting))
