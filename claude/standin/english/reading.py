# ruff: noqa: E501
"""What a person's English says about them: one statement a clause."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from claude.standin.dates import When, find_date, spelled
from claude.standin.english.clauses import judge
from claude.standin.english.person import third_person
from claude.standin.english.sentences import Piece, clauses, sentences, without_lead
from claude.standin.english.standing import standing_instruction, told_to_do
from claude.standin.meaning import meaning
from claude.standin.statements import Known, Statement, category_of, is_key

_FICTION = re.compile(
    r"\b(?:made[- ]up|fictional|fictitious|hypothetical(?:ly)?|pretend|role-?play|imagine|in (?:a|my|the|this) (?:novel|story|game)|"
    r"(?:write|tell|for) (?:me )?(?:a|an|this|my) (?:\w+ )?(?:story|poem|novel|scene|dialogue|screenplay|sketch|limerick|joke)|let's say|suppose|"
    r"for the sake of argument|as an example|for example, say|once upon a time|my character|the protagonist)\b",
    re.I,
)
_HYPOTHESIS = re.compile(
    r"\b(?:if (?:I|we|you|he|she|they|only)\b(?!\s+remember)|what if|were I to|had I|I wish|assume|assuming|say I|would have|wouldn't have|unless I|in case I)\b",
    re.I,
)
_QUESTION = re.compile(
    r"^(?:what|which|who|whom|whose|when did|when do|when is|when are|when will|where|why|how|is it|are|am I|do|does|did|can|could|would|should|"
    r"shall|will|may I|have you|has|is (?:there|that|this|my)|any (?:idea|chance|tips|advice))\b(?!n't)",
    re.I,
)
_ASKED = re.compile(
    r"^(?:please |can you |could you |and )*(?:remember|note|keep in mind|bear in mind|don't forget|do not forget|make a note|take note|save|memori[sz]e)"
    r"(?: down)?(?: for (?:me|later|next time|the future))?(?: that|:|,| also)*\s+(?!(?:the|this|when|how|me)\b(?! \w+ (?:is|are)))",
    re.I,
)
_ASKED_WITHIN = re.compile(
    r"(?:,? (?:and|but|so)|[,;\u2014\u2013]) (?P<asks>(?:please )?(?:remember|note|keep in mind|bear in mind|don't forget|do not forget) (?:that )?(?=(?:I|I'm|I've|my|we|we're|our)\b).+)$",
    re.I | re.S,
)
_ASKED_KINDLY = re.compile(
    r"^(?:please |can you |could you |would you )+(?:please )?(?:remember|note|keep in mind) that\b", re.I
)
_ASKED_AFTER = re.compile(
    r"(?:please |so )?(?:remember|keep|note|save|don't forget) (?:that|this|it)\b(?: (?:for|in|please|ok|okay|too|down|mind)\b.{0,24})?$",
    re.I,
)
_TOGETHER = re.compile(
    r"^(?:today |now |please |can you |could you |first,? )*(?:help me|let's|let us)(?: to)? (?:\w+ly )?"
    r"(?P<verb>outline|draft|write|revise|rewrite|edit|plan|prepare|design|structure|go over|go through|work on|finish|polish|review|build|sketch|rehearse)\b"
    r" (?P<what>.*(?:\bmy\b|\bour\b|[\"\u201c\u300c]).*)$",
    re.I | re.S,
)
_RECURRENT = re.compile(r"\b(?:every|each)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\bweekends\b", re.I)
_BIRTHDAY = re.compile(r"\bbirthday\b", re.I)
_SINCE = re.compile(r"\bsince\b", re.I)
_LIMIT = 20_000


def read(text: str, said: date, known: Known) -> list[Statement]:
    found: list[Statement] = []
    for one in sentences(text[:_LIMIT]):
        if _FICTION.search(one.text):
            break  # the rest of the passage is about what was made up
        if one.asks and _ASKED_KINDLY.match(one.text):
            one = _told_kindly(one)
        if one.asks or _HYPOTHESIS.search(one.text):
            continue
        found += _sentence(one, said, known)
    return found


def _told_kindly(one: Piece) -> Piece:
    """ "Could you remember that …?" asks nothing."""
    polite = re.match(r"(?:(?:please|can you|could you|would you) )+", one.text, re.I)
    cut = polite.end() if polite else 0
    text = one.text[cut:].rstrip("? ")
    return Piece(text, one.start + cut, one.start + cut + len(text))


def _sentence(one: Piece, said: date, known: Known) -> list[Statement]:
    body = without_lead(one.text)
    if not body or _QUESTION.match(body):
        return []
    if _ASKED_AFTER.match(body):
        return []
    place = one.text.rfind(body[:40])
    start = one.start + max(place, 0)
    asked = _ASKED.match(body)
    if not asked and (within := _ASKED_WITHIN.search(body)):
        at = start + within.start("asks")
        before, after = Piece(body[: within.start()], start, start + within.start()), body[within.start("asks") :]
        return [*_sentence(before, said, known), *_sentence(Piece(after, at, at + len(after)), said, known)]
    rest = body[asked.end() :] if asked else body
    shift = start + (asked.end() if asked else 0)
    if told := standing_instruction(rest):
        return [Statement(told, body, "procedural", "style", asked=bool(asked), key=True)]
    if asked and asked[0].rstrip().endswith(":") and (told := told_to_do(rest)):
        return [Statement(told, body, "procedural", "style", asked=True, key=True)]
    if work := _TOGETHER.match(rest):
        return [_work_together(work, body, said)]
    found: list[Statement] = []
    for clause in clauses(Piece(rest, shift, shift + len(rest))):
        text = without_lead(clause.text)
        if told := standing_instruction(text):
            found.append(Statement(told, text, "procedural", "style", asked=bool(asked), key=True))
            continue
        found += _clause(text, said, known, asked=bool(asked))
    if asked and found:
        return [replace(one, quote=body, asked=True, key=True) for one in found]
    return found


def _clause(text: str, said: date, known: Known, *, asked: bool) -> list[Statement]:
    judged = judge(text, known, asked=asked)
    found = []
    for one in judged:
        when = None if _BIRTHDAY.search(one.told) else find_date(one.told, said, past=one.past)
        recurrent = bool(_RECURRENT.search(one.told)) and not one.past
        told = _dated(one.told, when) if when else one.told
        if recurrent or (when and _SINCE.search(one.told[: when.end])):
            when = None  # it is so from then on, and no event
        ahead = bool(when and when.first > said and not one.past)
        plan = one.plan or ahead
        event = bool(when) or one.past
        statement = third_person(told, together=one.together)
        about = meaning(statement)
        found.append(
            Statement(
                statement,
                text,
                "episodic" if event and not plan else "semantic",
                category_of(statement, event=event, plan=plan),
                "medium" if one.unsure else "high",
                plan,
                one.lasting,
                when.first if when else None,
                when.last if when else None,
                key=one.key or is_key(about),
            )
        )
    return found


def _work_together(work: re.Match[str], body: str, said: date) -> Statement:
    what = third_person(work["what"]).rstrip(".")
    what = what[:1].lower() + what[1:] if what.startswith("The user") else what
    day = spelled(When(0, 0, said, said, deictic=True), chinese=False)
    text = f"The user asked the assistant to help {work['verb'].lower()} {what} {day}."
    return Statement(text, body, "episodic", "event", event_from=said, event_until=said, why="work done together")


def _dated(text: str, when: When) -> str:
    """Relative days spelled out, so that the statement holds on any later day."""
    if not when.deictic:
        return text
    spoken = spelled(when, chinese=False)
    before, after = text[: when.start], text[when.end :]
    if text[when.start : when.end].lower().startswith("since "):
        return f"{before}since {_bare(spoken)}{after}"
    if re.search(r"\b(?:from|since|until|till|by|before|after|for) $", before, re.I):
        return f"{before}{_bare(spoken)}{after}"
    before = re.sub(r"\b(?:on|in|at) $", "", before)
    return f"{before}{spoken}{after}".strip()


def _bare(spoken: str) -> str:
    return spoken.removeprefix("on ").removeprefix("in ")
