"""What a person's Chinese says about them: one statement a clause, instructions whole."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from claude.standin.chinese import patterns as p
from claude.standin.chinese.han import Han
from claude.standin.chinese.person import about_user, sentence, third_person
from claude.standin.chinese.sentences import Piece, clauses, sentences
from claude.standin.dates import When, find_date, spelled
from claude.standin.meaning import fold, is_simplified, meaning, to_simplified
from claude.standin.statements import Known, Statement, category_of, is_key

_LIMIT = 20_000
_LONGEST = 400  # of an instruction


def read(text: str, said: date, known: Known) -> list[Statement]:
    found: list[Statement] = []
    for one in sentences(text[:_LIMIT]):
        if p.FICTION.search(one.text):
            break  # the rest of the passage is about what was made up
        if p.HYPOTHESIS.search(one.text):
            continue
        found += _sentence(text, one, said, known)
    simplified = is_simplified(text)
    return [replace(one, text=to_simplified(one.text)) for one in found] if simplified else found


def _sentence(text: str, one: Piece, said: date, known: Known) -> list[Statement]:
    if p.ONLY_ASKS.match(one.text):
        return []
    asked = p.ASKED_BEFORE.match(one.text)
    whole = one.text
    if asked and (one.asks or p.REMIND.match(one.text[asked.end() :])):
        asked = None
    if asked:
        one = Piece(one.text[asked.end() :], one.start + asked.end(), one.end, one.asks)
    found = _parts(text, one, said, known, asked=bool(asked))
    if asked and found:
        return [replace(each, asked=True, key=True, quote=whole) for each in found]
    return found


def _parts(text: str, one: Piece, said: date, known: Known, *, asked: bool) -> list[Statement]:
    parts = clauses(one)
    found: list[Statement] = []
    spoken_of_self = False
    whose: str | None = ""  # of whom the last clause told, when it was somebody of the person's; None: another speaks
    for index, part in enumerate(parts):
        if index and not asked and (within := _asked_within(part)):
            told = _clause(within.text, said, known, follows=spoken_of_self, asked=True)
            found += [replace(each, asked=True, key=True, quote=part.text) for each in told]
            continue
        rest = text[part.start : min(one.end, part.start + _LONGEST)]
        if not one.asks and _stands(part.text, parts[index + 1 :], rest):
            return [*found, _instruction(rest, known, asked=asked)]
        if not one.asks and p.TOGETHER.search(rest) and p.OBJECT.search(rest) and not p.ONCE.search(rest):
            return [*found, _work_together(rest, said)]
        if part.asks:
            continue
        only_asks = p.ONLY_ASKS.match(part.text) is not None
        if only_asks and not found:
            continue
        if found and (only_asks or p.ASKED_AFTER.search(part.text)):
            found = [_asked_also(text, statement, part) for statement in found]
        elif found and (p.HEDGE.match(part.text) or p.NO_LONGER.match(part.text)):
            found[-1] = _with_rest(text, found[-1], part)
        else:
            if _has_subject(part.text, known):
                whose = _whose(part.text)
            elif whose is None:
                continue
            told = _clause(part.text, said, known, follows=spoken_of_self, asked=asked, of=whose or "")
            spoken_of_self = spoken_of_self or (bool(told) and part.text.startswith(("我", "咱")))
            found += told
    return found


def _asked_within(part: Piece) -> Piece | None:
    """What a later clause outright asks to be kept: 「我要走了，不過記得我…」"""
    asked = p.ASKED_BEFORE.match(part.text)
    if not asked or part.asks or p.ONLY_ASKS.match(part.text):
        return None
    rest = part.text[asked.end() :]
    # What is to be thought of at an occasion belongs to what was said before it.
    return Piece(rest, part.start + asked.end(), part.end) if p.OWN.match(rest) else None


def _has_subject(text: str, known: Known) -> bool:
    return bool(
        p.OWN.search(text[:16]) or p.PRONOUN.match(text) or p.OTHERS.match(text) or p.MOVED_DAY.match(text)
    ) or any(fold(text).startswith(key) for key in known.named)


def _whose(text: str) -> str | None:
    found = p.WHOSE.match(text)
    if not found or text[found.end() : found.end() + 1] == "的":
        return ""
    return None if p.REPORTS.search(text[found.end() :]) else f"我的{found['who']}"


def _stands(part: str, following: list[Piece], rest: str) -> bool:
    """Whether a clause opens a standing instruction."""
    if p.ASKED_AFTER.search(part) or (p.ONCE.search(rest) and not p.EVERY_TIME.search(rest)):
        return False
    if p.WHEN_DOING.search(part):  # what follows must say how
        return bool(following) and bool(p.HOW.match(following[0].text))
    return any(pattern.search(part) for pattern in p.STANDING)


def _instruction(rest: str, known: Known, *, asked: bool) -> Statement:
    body = rest
    for opening in (p.PLEASE, p.I_WANT_YOU):
        if found := opening.match(body):
            body = body[found.end() :] or body
    if p.MY_WAY.match(rest):
        told = third_person(rest)
    elif called := p.CALL_ME.match(body):
        told = f"使用者希望助理稱呼使用者「{called['name']}」。"
    else:
        told = "使用者希望助理" + third_person(body)
    if known.place and (here := p.HERE.search(told)):
        told = told[: here.start()] + known.place + told[here.end() :]
    return Statement(told, rest, "procedural", "style", asked=asked, key=True)


def _work_together(rest: str, said: date) -> Statement:
    opening = p.TODAY_FIRST.match(rest)
    body = rest[opening.end() :] if opening else rest
    day = spelled(When(0, 0, said, said, deictic=True), chinese=True)
    told = f"使用者{day}請助理" + third_person(body)
    return Statement(told, rest, "episodic", "event", event_from=said, event_until=said, why="work done together")


def _asked_also(text: str, statement: Statement, part: Piece) -> Statement:
    """ "…, remember it when you do X": the asking belongs to what was said."""
    told = statement.text
    if p.WHEN.search(part.text):
        told = sentence(told.rstrip("。") + "，" + part.text)
    return replace(statement, text=told, quote=_through(text, statement, part), asked=True, key=True)


def _with_rest(text: str, statement: Statement, part: Piece) -> Statement:
    told = sentence(statement.text.rstrip("。") + "，" + part.text)
    more = replace(statement, text=told, quote=_through(text, statement, part))
    return replace(more, plan=True, confidence="medium") if p.HEDGE.match(part.text) else more


def _through(text: str, statement: Statement, part: Piece) -> str:
    start = text.rfind(statement.quote, 0, part.start)
    return text[start : part.end] if start >= 0 else statement.quote


def _clause(text: str, said: date, known: Known, *, follows: bool, asked: bool, of: str = "") -> list[Statement]:
    if not 3 <= len(text) <= _LONGEST or (p.OTHERS.match(text) and not asked):
        return []
    if naming := p.NAMING.match(text):
        known.introduce(naming["noun"] + naming["name"], naming["noun"], naming["name"])
        return [Statement(f"使用者的{naming['noun']}叫{naming['name']}。", text, "semantic", "people")]
    if moved := p.MOVED_DAY.match(text):
        return [
            Statement(sentence(f"使用者的{moved['what']}{moved['verb']}{moved['day']}"), text, "semantic", "routine")
        ]
    if not asked and p.ONE_TURN.match(text):
        return []
    told = _of_known(text, known)
    if of and told == text and not _has_subject(text, known) and p.TELLS.search(text):
        return _tell(text, of + text, said, known)
    own = told == text and p.OWN.search(text[:16]) is not None
    _introduce(text, known, own=own)
    if own:
        if p.IDLE.search(text) and not asked:
            return []
    elif told == text and not asked and not p.DROPPED.match(text) and not (follows and p.TELLS.search(text)):
        return []
    dated = p.COUNTED_DAY.search(text) or find_date(text, said) is not None
    dated_kin = own and (p.MENTIONS.search(text) or p.MINE.match(text)) and dated
    if not (asked or told != text or dated_kin or p.TELLS.search(text)):
        return []
    if p.ONLY_NOW.match(text) and not asked and not p.DROPPED.match(text):
        return []
    return _tell(text, _with_name(told, known), said, known)


def _introduce(text: str, known: Known, *, own: bool) -> None:
    if named := p.WITH_NAME.search(text):
        known.introduce(named["noun"] + named["name"], named["noun"], named["name"])
    elif own and (someone := p.MENTIONS.search(text)):
        noun = someone["noun"]
        known.introduce(noun, noun, noun[-1] if noun[-1] in "貓狗猫兔鳥鸟" else "")


def _of_known(text: str, known: Known) -> str:
    """A clause about someone the conversation introduced, with the name in place of the pronoun."""
    if p.PETS_CALLED.match(text) and known.last:
        return f"我的{known.last}{text}"
    if (found := p.PRONOUN.match(text)) and known.last:
        return f"我的{known.last}" + ("的" if found[0].endswith("的") else "") + text[found.end() :]
    for key, called in known.named.items():
        if text.startswith(key) or fold(text).startswith(key):
            return f"我的{called}{text[len(key) :]}"
    return text


def _with_name(text: str, known: Known) -> str:
    found = p.WITH_PRONOUN.search(text)
    if not found or not known.last:
        return text
    kin = p.KIN_FIRST.match(known.last)
    name = known.last[kin.end() :] if kin else known.last
    return text[: found.start("who")] + (name or f"我的{known.last}") + text[found.end("who") :]


def _tell(quote: str, text: str, said: date, known: Known) -> list[Statement]:
    if at := p.JOB_AT.match(text):
        known.place = at["place"]
        base = Statement(about_user(f"{at['who']}在{at['place']}上班"), quote, "semantic", "work")
        job = f"使用者教{at['job']}。" if at["verb"] == "教" else f"使用者的工作是{at['job']}。"
        return [base, replace(base, text=job)]
    if place := p.PLACE.search(text):
        known.place = place["at"] or place["to"] or known.place
    past = p.PAST.search(text) is not None and not p.STATE.search(text)
    when = None if p.BIRTHDAY.search(text) else find_date(text, said, past=past or None)
    if when and (_is_weekly(text, when) or text[when.start : when.end] == "今年"):
        when = None
    spoken = text
    if when and when.deictic:
        spoken = text[: when.start] + spelled(when, chinese=True) + text[when.end :]
    ahead = bool(when and when.first > said)
    plan = ahead or (p.PLAN.search(text) is not None and not p.STATE.search(text))
    told = about_user(spoken)
    about = meaning(told)
    strong = quote.startswith("我") and p.STRONG.search(quote) is not None and not about.has("kin")
    event = when is not None or past
    return [
        Statement(
            told,
            quote,
            "episodic" if past or (when and not plan) else "semantic",
            category_of(told, event=event, plan=plan),
            "medium" if p.UNSURE.search(text) else "high",
            plan,
            not (plan and when and when.is_day),
            when.first if when else None,
            when.last if when else None,
            key=strong or is_key(about) or p.NAME.match(quote) is not None,
        )
    ]


def _is_weekly(text: str, when: When) -> bool:
    return _EVERY.search(text[: when.end]) is not None or p.WEEKLY.search(text) is not None


_EVERY = Han(r"每|逢|固定")
