# ruff: noqa: E501
"""Whether a clause tells something of the person worth keeping, and what sort of telling it is."""

from __future__ import annotations

import re

from claude.standin.english.first_person import first_person
from claude.standin.english.judged import Judged
from claude.standin.english.person import ADVERB
from claude.standin.english.verbs import IDLE, KINDS_OF_LASTING_BE, LIFE, MOODS
from claude.standin.meaning import meaning
from claude.standin.statements import Known
from claude.standin.words import words

_I = re.compile(
    rf"^(?P<lead>(?:[A-Za-z0-9',-]+ ){{0,6}}?)(?:I|[Ww]e)(?P<short>'m|'ve|'d|'ll|'re)?(?P<adverbs>(?: {ADVERB})*) (?P<verb>[A-Za-z0-9'-]+)(?P<rest>.*)$",
    re.S,
)
_MY = re.compile(
    r"^(?P<lead>(?:[A-Za-z0-9',-]+ ){0,4}?)(?:[Mm]y|[Oo]ur) (?P<subject>(?:[\w'-]{1,24} ){0,3}?[\w-]{2,24})(?P<verb>'s| is| are| was| were| [a-z]+(?:s|ed)\b| "
    + "| ".join(sorted(LIFE))
    + r"| doesn't| don't| hasn't| didn't| have| live| use| work| can't| can| won't)(?P<rest>.*)$",
    re.S,
)
_TO_YOU = re.compile(r"\b(?:you|your|yours)\b", re.I)
_TOGETHER = re.compile(r"^[Ww]e [a-z]+(?: [a-z]+)? .*\bmy\b")
_NAMED = re.compile(
    r"^(?:my|our) (?P<noun>[a-z -]{3,24}?),? (?:is |are )?(?:called |named |, )?(?P<name>[A-Z][\w'-]+)\b", re.I
)
_THIRD = re.compile(
    r"^(?P<who>[Ss]he|[Hh]e|[Tt]hey|It|The [a-z]+|[A-Z][\w-]+)(?P<short>'s)? (?P<verb>[a-z']+)(?P<rest>.*)$", re.S
)
_MOVED_DAY = re.compile(
    r"^(?P<what>[A-Z][\w ]{2,30}?) (?P<verb>moved to|is now on|is on|moves to|has moved to|switched to|was moved to|changed to|now meets on|meets on)(?P<rest> .*)$"
)


def judge(clause: str, known: Known, *, asked: bool) -> list[Judged]:
    """None, one, or the atomic parts of what a clause tells."""
    clause = clause.strip()
    if not 6 <= len(clause) <= 600 or (clause.isupper() and len(clause.split()) > 3):
        return []
    if named := _NAMED.match(clause):
        noun, name = named["noun"].strip().lower(), named["name"]
        if meaning(noun).has("kin", "animal"):
            known.introduce(f"{noun} {name}", noun, name)
    if (moved := _MOVED_DAY.match(clause)) and meaning(moved["rest"]).has("weekday", "time"):
        what = moved["what"]
        if what.split()[0] == "The" and meaning(what).has("hobby", "sport", "music", "learn", "work", "meet"):
            what = what.removeprefix("The ")
        if what.split()[0] not in ("I", "We", "My", "Our", "The", "She", "He", "It", "They", "That", "This"):
            return [Judged(f"My {what[0].lower() + what[1:]} {moved['verb']}{moved['rest']}")]
    if (first := _I.match(clause)) and _fits(first["lead"]):
        if _TO_YOU.search(clause) and not asked and not _TOGETHER.search(clause):
            return []
        return first_person(_with_name(clause, known), known, asked=asked)
    if (mine := _MY.match(clause)) and _fits(mine["lead"]):
        return _of_mine(clause, mine, known, asked=asked)
    if (third := _THIRD.match(clause)) is not None:
        return _of_known(clause, third, known)
    return []


def _with_name(clause: str, known: Known) -> re.Match[str]:
    """A clause about oneself, with whom "her" and "him" mean."""
    if known.last:
        clause = re.sub(
            r"\b(?:her|him)\b(?=[,.;]|$| (?:on|in|at|to|for|every|with|from|when|after|before|and|twice|once|up|out))",
            f"my {known.last}",
            clause,
        )
    found = _I.match(clause)
    assert found
    return found


def _fits(lead: str) -> bool:
    words = lead.lower().split()
    if len(words) == 1 and words[0] in ("since", "after", "before", "until", "once", "because", "as", "so"):
        return False  # a subordinate clause; what it leads up to is somebody else's
    return not words or words[0].rstrip(",") in _LEADS or all(word.strip(",") in _LEADS for word in words)


_LEADS = words("leads")


def _of_mine(clause: str, mine: re.Match[str], known: Known, *, asked: bool) -> list[Judged]:
    subject, verb, rest = mine["subject"].strip(), mine["verb"].strip().lower(), mine["rest"]
    about = meaning(subject)
    key = bool(re.match(r"(?:full |first |last )?name$|favou?rite", subject, re.I)) or bool(
        re.search(r"allerg", clause)
    )
    if about.has("kin", "animal") and subject.split()[0].islower():
        noun = next((word for word in subject.split() if meaning(word).has("kin", "animal")), subject)
        name = next((word for word in subject.split() if word[0].isupper()), "")
        known.introduce(f"{noun} {name}".strip(), noun, name)
    if verb in ("is", "'s", "are", "was", "were"):
        first = rest.split()[0].lower().strip(",.") if rest.split() else ""
        if (
            first
            in (
                "asking",
                "wondering",
                "telling",
                "saying",
                "calling",
                "just",
                "so",
                "kidding",
                "shouting",
                "here",
                "sleeping",
                "crying",
            )
            and not asked
        ):
            return []
        if first in MOODS - {"a", "the", "on", "in", "at", "not"} and not asked:
            return []
        return [Judged(clause, key=key)] if rest.strip() else []
    if (
        verb
        in (
            "asks",
            "says",
            "thinks",
            "told",
            "asked",
            "wonders",
            "wants",
            "needs",
            "means",
            "seems",
            "feels",
            "looks",
            "wanted",
            "hopes",
        )
        and not asked
    ):
        return []
    if not rest.strip() or not (
        about.has("kin", "animal")
        or meaning(rest).concepts - {"own", "use"}
        or asked
        or re.search(r"\d|[A-Z]|yesterday|ago|last", rest)
    ):
        return []
    past = (verb.endswith("ed") or verb in LIFE) and not meaning(rest).has("weekday")
    return [Judged(clause, key=key, past=past, plan=verb == "will")]


def _of_known(clause: str, third: re.Match[str], known: Known) -> list[Judged]:
    who, verb, rest = third["who"], third["verb"], third["rest"]
    noun = who.removeprefix("The ").lower()
    if who.startswith("The "):
        called = known.named.get(noun, "")
        if not called and meaning(noun).has("kin", "animal") and re.match(r"(?:is )?(?:called|named)", verb + rest):
            called = noun
        if called and (name := re.match(r"^(?:is )?(?:called|named) ([A-Z][\w'-]+)", verb + rest)):
            known.introduce(f"{noun} {name[1]}", noun, name[1])
            called = noun
    elif who.lower() in ("she", "he", "they", "it"):
        called = known.last
        if who == "It" and called and not meaning(called).has("animal"):
            return []
    else:
        if verb == "is" and (kin := re.match(r"^ my ([a-z -]+)", rest)) and meaning(kin[1]).has("kin", "animal"):
            known.introduce(f"{kin[1]} {who}", who, kin[1])
            return [Judged(clause)]
        called = known.named.get(who.lower(), "")
    if not called or verb in IDLE or verb in ("asked", "said", "told", "wants", "seems", "looks", "thinks", "says"):
        return []
    first = rest.split()[0].lower() if rest.split() else ""
    if (
        (verb in ("is", "was") or third["short"])
        and ((first in MOODS or verb in MOODS) and not re.search(KINDS_OF_LASTING_BE, verb + rest))
        and first not in ("a", "the", "at", "in")
    ):
        return []
    if len(rest.split()) < 1:
        return []
    told = f"My {called}{third['short'] or ''} {verb}{rest}"
    return [Judged(told, past=verb in LIFE and not third["short"])]
