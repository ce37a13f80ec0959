"""A night as lines for staff at a terminal: the proposal of a rehearsal in full, or what a night did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from claude.spending import Spent
from consolidation.models import Candidate, Did
from consolidation.rehearsal import Place, Rehearsal, WouldBePart
from consolidation.telling import Told, ToldNight
from memories.models import Memory, Passage, Person, Status
from memories.policy import is_credential

_HEADINGS = {
    Did.ADDED: "New",
    Did.REPLACED: "Replaces an older one",
    Did.CONFIRMED: "Said again: one more source",
    Did.WAITING: "Waits for the person",
    Did.ASKED: "Asks the person: is it still so?",
    Did.SETTLED: "Two that say the same, or do not go together: the newer holds",
    Did.CHECKED: "Checked, and it still holds",
    Did.FADED: "Fades",
    Did.HELD_BACK: "Held back",
}
# Where the decision itself has no more to say.
_REASONS = {
    Did.ADDED: "Nothing that is remembered says it.",
    Did.REPLACED: "It was said later, about the same.",
    Did.CONFIRMED: "It says the same.",
    Did.SETTLED: "The newer holds.",
    Did.FADED: "It was not said, confirmed or used for long.",
}
# Never kept, and not for staff to read.
_CREDENTIAL = "(a credential, not shown)"
_OTHERS = {
    Did.REPLACED: "retires",
    Did.SETTLED: "retires",
    Did.WAITING: "would retire, if accepted,",
    Did.ASKED: "against",
}


def rehearsed(rehearsal: Rehearsal, person: Person) -> Iterator[str]:
    """All that the night would do, and a last line with the totals."""
    told = rehearsal.told
    yield f"What a night for {plain(person.username)} would do at {told.began:%Y-%m-%d %H:%M}, {person.zone.key}."
    yield 'In the reasons "you" is the person.'
    if rehearsal.held_over:
        yield f"It would first be held for a look: it would retire {rehearsal.held_over}, more than one night may."
        yield "If the look lets it pass:"
    if left := told.night.counts.get("left"):
        yield f"It would leave {_number(left, 'message')} for the next night: its tokens are used up."
    yield from done(told, rehearsal.stated)
    if rehearsal.less_sure:
        yield from _heading("Less sure of", len(rehearsal.less_sure))
        for memory, before in rehearsal.less_sure:
            yield f"  {_memory(memory)}"
            yield f"      confidence: {before} to {memory.confidence}; {_REASONS[Did.FADED]}"
    for part in rehearsal.parts:
        yield from _part(part)
    yield ""
    yield from _calls(rehearsal.spent)
    yield _totals(rehearsal)


def done(told: ToldNight, stated: dict[Place, list[str]] | None = None) -> Iterator[str]:
    """Each decision, and what is proposed where the night is held."""
    written = {one.memory.statement for group in told.groups for one in group.told if one.memory}
    for group in told.groups:
        did = Did(group.did)
        yield from _heading(_HEADINGS[did], len(group.told))
        for one in group.told:
            yield from _decision(did, one, _unwritten(one, stated or {}, written))
    if told.proposal:
        yield from _heading("Would replace an older one", len(told.proposal))
        for candidate in told.proposal:
            yield from _proposed(candidate)


def plain(text: str) -> str:
    """On one line, and nothing that a terminal would obey: these are a person's words."""
    if is_credential(text):
        return _CREDENTIAL
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def _heading(words: str, count: int) -> list[str]:
    return ["", f"{words} ({count})"]


def _unwritten(one: Told, stated: dict[Place, list[str]], written: set[str]) -> str:
    """What was stated of these words and became no memory."""
    found = stated.get((one.passage.pk if one.passage else None, one.start, one.end), [])
    return " / ".join(plain(statement) for statement in found if statement not in written)


def _decision(did: Did, one: Told, unwritten: str) -> Iterator[str]:
    words = one.words
    if did == Did.HELD_BACK:
        # One of the two may not look like one by itself.
        if is_credential(words) or _CREDENTIAL in unwritten:
            unwritten, words = _CREDENTIAL, words and _CREDENTIAL
        yield f"  {unwritten or '(no statement)'}"
    else:
        yield f"  {_memory(one.memory)}"
    if one.passage:
        yield _quoted(words, one.passage)
    if one.memory and did != Did.HELD_BACK:
        yield f"      {_marks(one.memory)}"
    if one.memory and did == Did.HELD_BACK:
        yield f"      beside {_memory(one.memory)}"
    if one.other:
        # A plan never retires what is so now.
        is_plan = one.memory is not None and one.memory.plan
        yield f"      {'beside' if is_plan else _OTHERS.get(did, 'beside')} {_memory(one.other)}"
    if reason := one.reason or _REASONS.get(did, ""):
        yield f"      reason: {reason}"


def _memory(memory: Memory | None) -> str:
    return f"{memory.label} {plain(memory.statement)}" if memory else "(deleted since)"


def _quoted(words: str, passage: Passage) -> str:
    if not words:
        return "      quoted: words that were forgotten"
    return f'      quoted: "{plain(words)}" ({passage.origin})'


def _marks(memory: Memory) -> str:
    marks = [memory.kind, memory.category, f"{memory.confidence} confidence"]
    marks += ["a plan"] if memory.plan else []
    marks += [] if memory.lasting else ["passing"]
    marks += ["retired since"] if memory.status == Status.SUPERSEDED else []
    if memory.event_from:
        until = memory.event_until if memory.event_until != memory.event_from else None
        marks.append(f"on {memory.event_from}" + (f" to {until}" if until else ""))
    return ", ".join(marks)


def _proposed(candidate: Candidate) -> Iterator[str]:
    yield f"  {plain(candidate.statement)}"
    yield _quoted(candidate.passage.text[candidate.start : candidate.end], candidate.passage)
    if candidate.memory:
        yield f"      retires {_memory(candidate.memory)}"


def _part(part: WouldBePart) -> Iterator[str]:
    yield from _heading(f"Page lines: {plain(part.title)}", len(part.written))
    for line in part.written:
        yield f"  + {plain(line.text)} ({', '.join(line.rests_on)})"
    for line in part.dropped:
        yield f"  - {plain(line.text)} ({', '.join(line.rests_on) or 'rests on nothing'})"
    if part.unchanged:
        yield f"  {_number(part.unchanged, 'line')} as before"


def _calls(spent: Sequence[Spent]) -> Iterator[str]:
    for one in spent:
        yield f"{one.purpose}: {_used([one])}"


def _totals(rehearsal: Rehearsal) -> str:
    counted = [
        f"{_HEADINGS[Did(group.did)].split(':')[0].lower()} {len(group.told)}" for group in rehearsal.told.groups
    ]
    counted += [f"less sure of {len(rehearsal.less_sure)}"] if rehearsal.less_sure else []
    lines = sum(len(part.written) for part in rehearsal.parts)
    counted += [f"page lines {lines}"] if lines else []
    booked = " The calls of the model are booked." if rehearsal.spent else ""
    return f"Total: {', '.join(counted) or 'nothing to do'}; {_used(rehearsal.spent)}. Nothing was changed.{booked}"


def _used(spent: Sequence[Spent]) -> str:
    read, written = sum(one.tokens_in for one in spent), sum(one.tokens_out for one in spent)
    return f"{_number(sum(one.calls for one in spent), 'call')}, {read:,} tokens in, {written:,} out, {_cost(spent)}"


def _cost(spent: Sequence[Spent]) -> str:
    if all(one.standin for one in spent):
        return "no cost"
    known = sum((one.cost for one in spent if one.cost is not None), Decimal(0))
    if not any(one.at_least for one in spent):
        return f"USD {known:.4f}"
    return f"cost unknown, at least USD {known:.4f}" if known else "cost unknown"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
