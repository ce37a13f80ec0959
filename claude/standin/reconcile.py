"""Whether a new statement says the same as a remembered one, replaces it, or is new."""

from __future__ import annotations

from dataclasses import dataclass

from claude.standin.frames import Frame, frame, topic
from claude.standin.meaning import Meaning, fold
from claude.standin.requests import Block, MemoryLine, Proposed


@dataclass(frozen=True)
class Verdict:
    verdict: str
    memory: str = ""
    reasoning: str = ""
    strength: float = 0.0


def reconcile(candidates: list[Proposed]) -> list[Block]:
    """One verdict a candidate; a memory is replaced by one candidate only, the one that fits it best."""
    ranked = {one.id: _ranked(one) for one in candidates}
    taken: dict[str, str] = {}
    for one in sorted(candidates, key=lambda each: -(ranked[each.id][0].strength if ranked[each.id] else 0)):
        for choice in ranked[one.id]:
            if choice.verdict == "replaces" and choice.memory in taken:
                continue
            ranked[one.id] = [choice]
            if choice.verdict == "replaces":
                taken[choice.memory] = one.id
            break
        else:
            ranked[one.id] = []
    return [
        _block(one, ranked[one.id][0] if ranked[one.id] else Verdict("new", reasoning="nothing like it is remembered"))
        for one in candidates
    ]


def compare(statement: str, said_newer: bool, plan: bool, line: MemoryLine) -> Verdict | None:
    """How a statement stands to one memory; nothing where they do not touch."""
    new, old = frame(statement), frame(line.statement)
    if fold(statement).strip(" .。") == fold(line.statement).strip(" .。"):
        return Verdict("same", line.id, "the same words", 10)
    if new.subject != old.subject and not (new.attribute == old.attribute == "name"):
        return None
    alike = _likeness(topic(new), topic(old))
    found = _compare(new, old, alike, said_newer, plan, line)
    return None if found and found.verdict == "replaces" and not _of_one_thing(new, old) else found


def _of_one_thing(new: Frame, old: Frame) -> bool:
    """Only a statement of the same attribute replaces another; that something ended is said of the very thing."""
    if new.subject != old.subject:
        return False
    if new.attribute and new.attribute == old.attribute:
        return True
    if new.leaves and new.leaves <= old.about.concepts | old.about.words:
        return True
    return new.ended and bool(topic(new).concepts & topic(old).concepts or topic(new).words & topic(old).words)


def _compare(new: Frame, old: Frame, alike: float, said_newer: bool, plan: bool, line: MemoryLine) -> Verdict | None:
    if (
        new.codes != old.codes
        and (new.codes or old.codes)
        and new.attribute not in ("age", "earn", "birthday", "instruct")
    ):
        if new.codes and old.codes:
            return None
        alike -= 0.2
    return _judge(new, old, alike, said_newer, plan, line)


def _ranked(one: Proposed) -> list[Verdict]:
    found = []
    plan = _is_plan(one.statement)
    for line in one.nearest:
        if line.past:  # it was replaced before; going back to it is new
            continue
        newer = not (one.said and line.said and one.said < line.said)
        if verdict := compare(one.statement, newer, plan, line):
            found.append(verdict)
    order = {"same": 0, "replaces": 1, "nothing": 2, "unclear": 3}
    return sorted(found, key=lambda each: (order[each.verdict], -each.strength))


def _judge(new: Frame, old: Frame, alike: float, newer: bool, plan: bool, line: MemoryLine) -> Verdict | None:
    replacing = Verdict(
        "replaces", line.id, f"a newer value of the same attribute ({new.attribute or 'the same thing'})", 2 + alike
    )
    if plan or line.plan:
        return Verdict("same", line.id, "the same plan", alike) if plan and line.plan and alike >= 0.6 else None
    if new.attribute == old.attribute == "name" and new.subject != old.subject:
        return None
    agree = new.negative == old.negative
    if new.leaves and new.leaves <= old.about.concepts | old.about.words:
        return replacing if newer else None
    if (
        new.newly
        and newer
        and new.attribute == old.attribute
        and new.attribute in _ONE_AT_A_TIME
        and alike >= _ONE_AT_A_TIME[new.attribute]
    ):
        return replacing
    if new.attribute and new.attribute == old.attribute:
        if new.attribute == "weekday":
            return _weekday(new, old, newer, line)
        if new.exclusive:
            if (alike >= 0.75 or _holds(new, old)) and agree:
                return Verdict("same", line.id, "the same attribute with the same value", 3 + alike)
            if new.attribute == "workplace" and not _place(new) and not _place(old):
                return None
            return replacing if newer else Verdict("nothing", line.id, "something newer is remembered", 1)
        if (alike >= 0.6 or _holds(new, old)) and agree and new.ended == old.ended:
            return Verdict("same", line.id, "the same thing in other words", 3 + alike)
        if alike >= 0.5 and (not agree or new.ended != old.ended):
            return replacing if newer else Verdict("nothing", line.id, "something newer is remembered", 1)
        if new.attribute == "instruct" and alike >= 0.45:
            return replacing if newer else None
        return None
    if (
        new.ended
        and not old.ended
        and (alike >= 0.34 or _holds(new, old))
        and topic(new).concepts & topic(old).concepts
    ):
        return Verdict("replaces", line.id, "it ended", 1 + alike) if newer else None
    if alike >= 0.8 and agree and len(new.about.words | new.about.concepts) > 1:
        return Verdict("same", line.id, "the same thing in other words", alike)
    if alike >= 0.6 and not agree:
        return replacing if newer else None
    return None


# What one usually has one of, once it is said that it is so now; how alike the two must be.
_ONE_AT_A_TIME = {"drive": 0.0, "tool": 0.3, "learn": 0.6}


def _weekday(new: Frame, old: Frame, newer: bool, line: MemoryLine) -> Verdict | None:
    mine, theirs = topic(new), topic(old)
    if not (mine.concepts & theirs.concepts or mine.words & theirs.words):
        return None
    if new.about.within("weekday") == old.about.within("weekday"):
        return Verdict("same", line.id, "the same day", 3) if _likeness(mine, theirs) >= 0.4 else None
    return Verdict("replaces", line.id, "another day for the same thing", 3) if newer else None


def _holds(new: Frame, old: Frame) -> bool:
    """All that the one is about, the other is about too."""
    mine, theirs = topic(new), topic(old)
    a, b = mine.concepts | mine.words, theirs.concepts | theirs.words
    return bool(a and b) and (a <= b or b <= a)


def _place(one: Frame) -> frozenset[str]:
    return topic(one).words


def _likeness(one: Meaning, other: Meaning) -> float:
    """Share of what both say, over the smaller and the larger in equal parts."""
    mine, theirs = one.concepts | one.words, other.concepts | other.words
    if not mine or not theirs:
        return 0.0
    shared = sum(
        1
        for each in mine
        if each in theirs or any(t.startswith(each + ".") or each.startswith(t + ".") for t in theirs)
    )
    return shared / (len(mine) + len(theirs) - shared) if shared else 0.0


def _is_plan(statement: str) -> bool:
    text = fold(statement)
    return any(
        mark in text
        for mark in (
            "might ",
            "may ",
            "is going to",
            "plans to",
            "is planning",
            "is moving to",
            "wants to",
            "would like to",
            "will ",
            "可能",
            "打算",
            "计划",
            "预计",
            "考虑",
            "想要",
            "想去",
        )
    )


def _block(one: Proposed, verdict: Verdict) -> Block:
    return {"candidate": one.id, "reasoning": verdict.reasoning, "verdict": verdict.verdict, "memory": verdict.memory}
