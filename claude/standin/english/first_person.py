# ruff: noqa: E501
"""Clauses that a person says of themselves: which tell something, and what sort of telling it is."""

from __future__ import annotations

import re
from dataclasses import replace

from claude.standin.english.judged import Judged
from claude.standin.english.person import ADVERB
from claude.standin.english.verbs import FREQUENT, HABIT, IDLE, KINDS_OF_LASTING_BE, LIFE, MOODS, PROGRESSIVE
from claude.standin.meaning import meaning
from claude.standin.statements import Known
from claude.standin.words import words

_PLAN = re.compile(
    r"^(?:am|'m|are|'re)? ?(?:going to|planning|hoping to|thinking (?:of|about)|considering|might|may|will|'ll|plan|intend|hope to|want to|would like to|'d like to|aim)\b",
    re.I,
)
_CALLED = re.compile(r"^(?:I'm|I am) ([A-Z][\w'-]+(?: [A-Z][\w'-]+){1,2})$")
_UNSURE = re.compile(
    r"\b(?:might|may|maybe|perhaps|possibly|thinking (?:of|about)|considering|not sure|probably)\b", re.I
)
_CAN = re.compile(
    r"^(?: \w+ly)? ?(?:stand|eat|bear|drink|drive|swim|speak|play|read|ride|cook|code|abide|have|tolerate|digest|sing|ski|type|see|hear|smell|knit|sew)\b",
    re.I,
)
_NOTHING = re.compile(
    r"^\W*(?:it|that|this|them|you|so|there|too|to|of|at|on|in|for|with|a lot|very much|as well|all|one|some|more)?\W*$",
    re.I,
)
_IDLE_OBJECT = re.compile(
    r"^ (?:(?:it|that|this|what|how|your|you|when you|the way|these|those)\b|to (?:know|ask|see|hear|say)|a (?:question|feeling|hunch|great|good|nice|lovely|fantastic|wonderful) ?(?:question|time|day|idea)?\b|no (?:idea|clue|doubt))",
    re.I,
)


def first_person(first: re.Match[str], known: Known, *, asked: bool) -> list[Judged]:
    """None, one, or the atomic parts of a clause with its parts named short, verb and rest."""
    clause = first[0]
    short, verb, rest = first["short"] or "", first["verb"].lower(), first["rest"]
    after = f"{verb}{rest}"
    frequent = bool(re.search(FREQUENT, clause, re.I))
    introduce_object(rest, known)
    whole = Judged(clause, unsure=bool(_UNSURE.search(clause)))
    if (called := _CALLED.match(clause)) and not meaning(called[1]).concepts:
        return [replace(whole, told=f"My name is {called[1]}", key=True)]
    if short in ("'m", "'re") or verb in ("am", "was", "were", "are"):
        predicate = after if short in ("'m", "'re") else rest.strip()
        return _being(replace(whole, past=verb in ("was", "were")), predicate, frequent=frequent, asked=asked)
    if _PLAN.match(after) or short == "'ll" or (short == "'d" and verb in ("like", "love", "prefer")):
        return _planned(whole, after, rest, short, asked=asked)
    if verb in ("can", "can't", "cannot", "couldn't", "could"):
        can = (
            verb in ("can", "can't", "cannot")
            and _CAN.match(rest)
            and not re.match(r" (?:see|have|hear) (?:the|that|why|how|it|you|a)\b", rest)
        )
        return [whole] if can else []
    if verb in ("would", "should", "must", "shall", "wouldn't", "shouldn't", "let", "bet"):
        return [whole] if asked else []
    if verb == "used" and rest.startswith(" to "):
        return [whole]
    if verb in ("don't", "do", "never", "no", "doesn't"):
        inner = re.match(rf"^(?: {ADVERB}| longer| not)* ([a-z]+)(.*)$", rest, re.S)
        if (
            not inner
            or inner[1] in IDLE
            or (_NOTHING.match(inner[2]) and inner[1] not in _ALONE)
            or _IDLE_OBJECT.match(inner[2])
        ):
            return []
        return [replace(whole, key=_strong(clause))]
    if verb == "haven't" and not asked:
        return []
    if short == "'ve" or verb in ("have", "had", "has"):
        return _having(whole, verb, rest, short, frequent=frequent, asked=asked)
    if verb in ("didn't", "wasn't", "won't", "need", "needed"):
        return [whole] if asked else []
    if verb in IDLE and not asked:
        return []
    if _IDLE_OBJECT.match(rest) or (_NOTHING.match(rest) and verb not in _ALONE):
        return []
    past = verb in LIFE or (verb.endswith("ed") and verb not in HABIT)
    if past:
        together = bool(
            re.match(
                r"^(?:[Ww]e) (?:went over|went through|worked on|wrote|drafted|discussed|outlined|reviewed|finished|talked about)",
                clause,
            )
            and re.search(r"\b(?:my|you)\b", clause)
            and not meaning(clause).has("kin")
        )
        if verb not in LIFE and not re.search(
            r"\b(?:yesterday|last|ago|in \d{4}|on \d|weekend|this morning)\b", clause
        ):
            return [whole] if asked else []
        if verb in _LIGHT and not _substantial(rest):
            return [whole] if asked else []
        if len(after.split()) < 3 and verb not in ("quit", "retired", "graduated", "resigned"):
            return []
        return _split_habit(replace(whole, past=True, together=together), clause)
    if verb in HABIT or frequent or asked:
        return _split_habit(replace(whole, key=_strong(clause)), clause)
    return []


_ALONE = words("alone")


_LIGHT = frozenset(
    [
        "got",
        "had",
        "took",
        "made",
        "gave",
        "saw",
        "found",
        "used",
        "tried",
        "met",
        "spent",
        "read",
        "watched",
        "brought",
        "became",
        "began",
    ]
)


def _substantial(rest: str) -> bool:
    """What a light verb is said of must be something: a thing that has a name, or a day."""
    about = meaning(rest)
    return bool(about.concepts - {"own", "use", "plan", "stop"}) or bool(
        re.search(
            r" [A-Z\"\u201c]|\b(?:yesterday|ago|last|promoted|married|engaged|hired|divorced|accepted|elected)\b", rest
        )
    )


def _strong(clause: str) -> bool:
    return bool(
        re.search(
            r"\b(?:can't stand|cannot stand|hate|detest|loathe|love|adore|favou?rite|never eat|don't eat|do not eat|can't eat)\b",
            clause,
            re.I,
        )
    )


# What follows a trait and only remarks on it.
_REMARK = re.compile(
    r",? (?:so|which|meaning|and so|and that|but that|and it)\b.*$|, (?:most|that's|it's|it makes)\b.*$", re.I | re.S
)


def _being(whole: Judged, predicate: str, *, frequent: bool, asked: bool) -> list[Judged]:
    word = predicate.split()[0].lower() if predicate.split() else ""
    bare = re.sub(rf"^(?:{ADVERB}|not) ", "", predicate, flags=re.I)
    first = bare.split()[0].lower() if bare.split() else ""
    if re.match(
        r"(?:going to|planning|moving|hoping to|thinking (?:of|about) \w+ing|considering|starting|getting married|leaving|flying|travelling|traveling|visiting|joining|retiring)",
        bare,
        re.I,
    ):
        if re.match(
            r"(?:going to|thinking of|planning to) (?:ask|say|tell|see|check|try|bed|sleep|go|be|have|need|think|look)\b",
            bare,
            re.I,
        ):
            return []
        return [replace(whole, plan=True)]
    if re.search(KINDS_OF_LASTING_BE, predicate):
        kept = _REMARK.sub("", whole.told)
        return [replace(whole, told=kept, key="allergic" in predicate)]
    job = re.match(r"(?:an?|the) ((?:[\w-]+ ){0,4}?[\w-]+)", bare)
    if job and not re.match(
        r"an? (?:bit|little|huge|big|total|complete|lot|few|while|mess|wreck|fool|person|sucker)\b", bare, re.I
    ):
        return _split_job(whole, bare)
    if first in PROGRESSIVE and len(bare.split()) > 1 and word not in ("just",):
        if re.match(
            r"(?:getting|doing|taking|going|giving|having|staying|pushing|working|keeping|making|trying|feeling) (?:hard|positive|strong|myself|my best|towards|forward|ok|some|new|ready|great|good|well|fine|better|okay|tired|it|there|a break|old|back|through|on|used)\b",
            bare,
            re.I,
        ):
            return []
        return [whole]
    if first in MOODS or word in MOODS:
        return [replace(whole)] if asked else []
    return [whole] if asked or (frequent and len(bare.split()) > 2) else []


def _split_job(whole: Judged, predicate: str) -> list[Judged]:
    """What someone is, and where they are it, are two statements."""
    found = re.match(r"^(an? [\w -]+?) (at|in|for) (.+)$", predicate)
    if found and re.search(r"^(?:I'm|I am) ", whole.told):
        return [replace(whole, told=f"I'm {found[1]}"), replace(whole, told=f"I work {found[2]} {found[3]}")]
    return [whole]


def _planned(whole: Judged, after: str, rest: str, short: str, *, asked: bool) -> list[Judged]:
    if (
        re.search(
            r"\b(?:to (?:know|ask|see|hear|say|thank|talk|check|learn more|add|share|point)|you to|let you|like to (?:know|hear)|keep|try|be|think|definitely)\b",
            after,
        )
        and not asked
    ):
        return []
    if short == "'ll" and not re.search(r"\b(?:next|tomorrow|in \w+|on \w+|from|this)\b", rest):
        return [whole] if asked else []
    if _NOTHING.match(rest) or len(after.split()) < 3:
        return []
    return [replace(whole, plan=True)]


def _having(whole: Judged, verb: str, rest: str, short: str, *, frequent: bool, asked: bool) -> list[Judged]:
    if short == "'ve" or re.match(
        r" (?:been|lived|worked|moved|sold|bought|never|always|had|got|adopted|started|stopped|quit|switched|changed|joined|finished|decided|become|given up|learned|learnt|taken up)\b",
        rest,
    ):
        if re.search(
            r"\b(?:been (?:thinking|wondering|meaning|looking|trying|feeling|busy|great|good|so|really)|heard|seen|noticed|always wanted|thought|never (?:heard|thought|seen))\b",
            f"{verb}{rest}",
        ):
            return []
        done = bool(
            re.search(r"\b(?:sold|bought|moved|adopted|quit|joined|finished|started|stopped|got)\b", f"{verb}{rest}")
        )
        return (
            [whole] if done or frequent or re.search(r"\b(?:for|since|lived|worked|got|been)\b", rest) or asked else []
        )
    if (
        re.match(
            r" (?:to|no|been|(?:still )?(?:a lot|lots|so much|something|someone|it|them|plenty)\b|a (?:question|feeling|great|good|nice|lovely|hard|bad|few|lot|bit|problem|request|look|blast|fun|rough|busy))\b",
            rest,
        )
        and not asked
    ):
        return []
    if verb in ("have", "has", "haven't") and len(rest.split()) >= 2:
        return [whole]
    dated = re.search(r"\b(?:yesterday|last|ago|weekend|on \d|20\d\d|on [A-Z][a-z]+day)\b", rest)
    return [replace(whole, past=True)] if verb == "had" and dated else ([whole] if asked else [])


def _split_habit(whole: Judged, clause: str) -> list[Judged]:
    """An activity and its day are two statements; so are a job and its place."""
    day = re.match(
        r"^(I (?:\w+ly )?(?P<verb>\w+) (?P<what>.+?)) (?P<on>(?:on|every) (?:\w+ ){0,2}(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:and|evenings?|mornings?|nights?|afternoons?)(?: \w+days?)?)*)(?P<rest>.*)$",
        clause,
        re.I | re.S,
    )
    if day and not day["rest"].strip(" ,"):
        activity = re.search(
            r"\b(?:in|at|to|with|a|an|the) (?:a |an |the |my )?((?:[\w-]+ ){0,3}?[\w-]+)(?: (?:in|at|near|with|for|of) .*)?$",
            day["what"],
        )
        about = meaning(activity[1] if activity else "")
        if activity and about.has("music.choir", "music.band", "sport", "hobby", "learn"):
            return [replace(whole, told=day[1]), replace(whole, told=f"My {activity[1]} is {day['on']}", key=False)]
    done = re.match(
        r"^(?P<who>I|[Ww]e) (?P<first>(?:\w+ly )?[a-z]+\b.*?) and (?P<then>(?P<verb>[a-z]+)\b .+)$", clause, re.S
    )
    if done and whole.past and done["verb"] in LIFE and not re.search(r"\b(?:between|both)\b", done["first"]):
        return [
            replace(whole, told=f"{done['who']} {done['first']}"),
            replace(whole, told=f"{done['who']} {done['then']}"),
        ]
    work = re.match(r"^(?:I|we) work as (an? [\w -]+?) (at|in|for) (.+)$", clause, re.I | re.S)
    if work:
        return [replace(whole, told=f"I work as {work[1]}"), replace(whole, told=f"I work {work[2]} {work[3]}")]
    return [whole]


def introduce_object(rest: str, known: Known) -> None:
    found = re.search(
        r"\b(?:an?|my|our|two|three) ((?:[a-z-]+ ){0,2}?)([a-z]+)(?: (?:called|named) ([A-Z][\w'-]+))?", rest
    )
    if found and meaning(found[2]).has("kin", "animal"):
        known.introduce(f"{found[2]} {found[3]}" if found[3] else found[2], found[2], found[3] or "")
