# ruff: noqa: E501
"""Whether a clause tells something of the person worth keeping, and what sort of telling it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from claude.standin.english.person import _ADVERB as ADVERB
from claude.standin.english.verbs import FREQUENT, HABIT, IDLE, KINDS_OF_LASTING_BE, LIFE, MOODS, PROGRESSIVE
from claude.standin.meaning import meaning
from claude.standin.statements import Known


@dataclass(frozen=True)
class Judged:
    told: str
    past: bool = False
    plan: bool = False
    unsure: bool = False
    lasting: bool = True
    key: bool = False
    together: bool = False


_I = re.compile(
    rf"^(?P<lead>(?:[A-Za-z0-9',-]+ ){{0,6}}?)(?:I|[Ww]e)(?P<short>'m|'ve|'d|'ll|'re)?(?P<adverbs>(?: {ADVERB})*) (?P<verb>[A-Za-z'-]+)(?P<rest>.*)$",
    re.S,
)
_MY = re.compile(
    r"^(?P<lead>(?:[A-Za-z0-9',-]+ ){0,4}?)(?:[Mm]y|[Oo]ur) (?P<subject>[\w' -]{2,60}?)(?P<verb>'s| is| are| was| were| [a-z]+(?:s|ed)\b| sang| moved| left| got| went| have| live| use| work| can't| can| won't)(?P<rest>.*)$",
    re.S,
)
_NAMED = re.compile(
    r"^(?:my|our) (?P<noun>[a-z -]{3,24}?),? (?:is |are )?(?:called |named |, )?(?P<name>[A-Z][\w'-]+)\b", re.I
)
_THIRD = re.compile(
    r"^(?P<who>She|He|They|It|The [a-z]+|[A-Z][\w-]+)(?P<short>'s)? (?P<verb>[a-z']+)(?P<rest>.*)$", re.S
)
_MOVED_DAY = re.compile(
    r"^(?P<what>[A-Z][\w ]{2,30}?) (?P<verb>moved to|is now on|is on|moves to|has moved to|switched to|was moved to|changed to|now meets on|meets on)(?P<rest> .*)$"
)
_PLAN = re.compile(
    r"^(?:am|'m|are|'re)? ?(?:going to|planning|hoping to|thinking (?:of|about)|considering|might|may|will|'ll|plan|intend|hope to|want to|would like to|'d like to|aim)\b",
    re.I,
)
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


def judge(clause: str, known: Known, *, asked: bool) -> list[Judged]:
    """None, one, or the atomic parts of what a clause tells."""
    clause = clause.strip()
    if len(clause) < 6 or (clause.isupper() and len(clause.split()) > 3):
        return []
    if named := _NAMED.match(clause):
        noun, name = named["noun"].strip().lower(), named["name"]
        if meaning(noun).has("kin", "animal"):
            known.introduce(f"{noun} {name}", noun, name)
    if (moved := _MOVED_DAY.match(clause)) and meaning(moved["rest"]).has("weekday", "time"):
        what = moved["what"]
        if what.split()[0] not in ("I", "We", "My", "Our", "The", "She", "He", "It", "They", "That", "This"):
            return [Judged(f"My {what[0].lower() + what[1:]} {moved['verb']}{moved['rest']}")]
    if (first := _I.match(clause)) and _fits(first["lead"]):
        return _first_person(clause, first, known, asked=asked)
    if (mine := _MY.match(clause)) and _fits(mine["lead"]):
        return _of_mine(clause, mine, known, asked=asked)
    if (third := _THIRD.match(clause)) is not None:
        return _of_known(clause, third, known)
    return []


def _fits(lead: str) -> bool:
    words = lead.lower().split()
    return not words or words[0].rstrip(",") in _LEADS or all(word.strip(",") in _LEADS for word in words)


_LEADS = frozenset(
    [
        "in",
        "on",
        "at",
        "for",
        "every",
        "each",
        "last",
        "next",
        "this",
        "these",
        "from",
        "since",
        "after",
        "before",
        "during",
        "yesterday",
        "today",
        "tomorrow",
        "now",
        "nowadays",
        "currently",
        "usually",
        "sometimes",
        "lately",
        "recently",
        "then",
        "also",
        "later",
        "as",
        "most",
        "by",
        "once",
        "until",
        "two",
        "three",
        "four",
        "five",
        "six",
        "a",
        "ten",
        "one",
        "maybe",
        "perhaps",
        "and",
        "but",
        "so",
        "because",
    ]
)


def _first_person(clause: str, first: re.Match[str], known: Known, *, asked: bool) -> list[Judged]:
    short, verb, rest = first["short"] or "", first["verb"].lower(), first["rest"]
    after = f"{verb}{rest}"
    frequent = bool(re.search(FREQUENT, clause, re.I))
    _introduce_object(rest, known)
    whole = Judged(clause, unsure=bool(_UNSURE.search(clause)))
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
    if short == "'ve" or verb in ("have", "had", "haven't", "has"):
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
        )
        if verb not in LIFE and not re.search(
            r"\b(?:yesterday|last|ago|in \d{4}|on \d|weekend|this morning)\b", clause
        ):
            return [whole] if asked else []
        if len(after.split()) < 3 and verb not in ("quit", "retired", "graduated", "resigned"):
            return []
        return [replace(whole, past=True, together=together)]
    if verb in HABIT or frequent or asked:
        return _split_habit(replace(whole, key=_strong(clause)), clause)
    return []


_ALONE = frozenset(
    [
        "smoke",
        "drink",
        "drive",
        "cook",
        "bake",
        "swim",
        "run",
        "cycle",
        "commute",
        "sing",
        "dance",
        "knit",
        "paint",
        "freelance",
        "garden",
        "climb",
        "row",
        "fast",
        "meditate",
        "vape",
        "surf",
        "ski",
        "fish",
    ]
)


def _strong(clause: str) -> bool:
    return bool(
        re.search(
            r"\b(?:can't stand|cannot stand|hate|detest|loathe|love|adore|favou?rite|never eat|don't eat|do not eat|can't eat)\b",
            clause,
            re.I,
        )
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
        return [replace(whole, key="allergic" in predicate)]
    job = re.match(r"(?:an?|the) ((?:[\w-]+ ){0,4}?[\w-]+)", bare)
    if job and not re.match(
        r"an? (?:bit|little|huge|big|total|complete|lot|few|while|mess|wreck|fool|person|sucker)\b", bare, re.I
    ):
        return _split_job(whole, bare)
    if first in PROGRESSIVE and len(bare.split()) > 1 and word not in ("just",):
        if re.match(
            r"(?:getting|doing|taking|going|giving|having) (?:ready|great|good|well|fine|better|okay|tired|it|there|a break|old|back|through|on|used)\b",
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
            r" (?:to|no|been|a (?:question|feeling|great|good|nice|lovely|hard|bad|few|lot|bit|problem|request|look|blast|fun|rough|busy))\b",
            rest,
        )
        and not asked
    ):
        return []
    if verb in ("have", "has", "haven't") and len(rest.split()) >= 2:
        return [whole]
    dated = re.search(r"\b(?:yesterday|last|ago|weekend)\b", rest)
    return [replace(whole, past=True)] if verb == "had" and dated else ([whole] if asked else [])


def _split_habit(whole: Judged, clause: str) -> list[Judged]:
    """An activity and its day are two statements; so are a job and its place."""
    day = re.match(
        r"^(I (?:\w+ly )?(?P<verb>\w+) (?P<what>.+?)) (?P<on>(?:on|every) (?:\w+ ){0,2}(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:and|evenings?|mornings?|nights?|afternoons?)(?: \w+days?)?)*)(?P<rest>.*)$",
        clause,
        re.I | re.S,
    )
    if day and not day["rest"].strip(" ,"):
        activity = re.search(r"\b(?:in|at|to|with|a|an|the) (?:a |an |the |my )?([\w -]+)$", day["what"]) or re.match(
            r"([\w -]+)$", day["what"]
        )
        about = meaning(day["what"])
        if activity and about.has("music.choir", "music.band", "sport", "hobby", "learn"):
            return [replace(whole, told=day[1]), replace(whole, told=f"My {activity[1]} is {day['on']}", key=False)]
    work = re.match(r"^(?:I|we) work as (an? [\w -]+?) (at|in|for) (.+)$", clause, re.I | re.S)
    if work:
        return [replace(whole, told=f"I work as {work[1]}"), replace(whole, told=f"I work {work[2]} {work[3]}")]
    return [whole]


def _introduce_object(rest: str, known: Known) -> None:
    found = re.search(
        r"\b(?:an?|my|our|two|three) ((?:[a-z-]+ ){0,2}?)([a-z]+)(?: (?:called|named) ([A-Z][\w'-]+))?", rest
    )
    if found and meaning(found[2]).has("kin", "animal"):
        known.introduce(f"{found[2]} {found[3]}" if found[3] else found[2], found[2], found[3] or "")


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
    if len(rest.split()) < 1 and verb.endswith("ed"):
        return []
    past = (verb.endswith("ed") or verb in ("left", "got", "went", "sang", "broke")) and not meaning(rest).has(
        "weekday"
    )
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
    elif who in ("She", "He", "They", "It"):
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
        and (first in MOODS or verb in MOODS)
        and first not in ("a", "the", "at", "in")
    ):
        return []
    if len(rest.split()) < 1:
        return []
    told = f"My {called}{third['short'] or ''} {verb}{rest}"
    return [Judged(told, past=verb in LIFE)]
