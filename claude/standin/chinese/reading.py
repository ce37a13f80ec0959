"""What a person's Chinese says about them: one statement a clause, instructions whole."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from claude.standin.chinese import patterns as p
from claude.standin.chinese.person import KIN, about_user, sentence, third_person
from claude.standin.chinese.sentences import Piece, clauses, sentences
from claude.standin.dates import find_date, spelled
from claude.standin.meaning import fold, is_simplified, meaning, to_simplified
from claude.standin.statements import Known, Statement, category_of

_LIMIT = 20_000
_STRONG = re.compile(r"討厭|讨厌|最愛|最爱|不吃|受不了|吃素|全素|純素|痛恨|熱愛")
_NAME = re.compile(r"^(?:我|本人)(?:的名字|名字)?(?:是|就)?(?:叫做?|名叫)")
_COMPANY = re.compile(r"^(?:我們|我们|咱們)")
_PRONOUN = re.compile(r"^(?:她|他|牠|它)(?!們|们)(?:的(?=.))?")
_WEEKLY = re.compile(r"每|逢|固定|平常|通常|都")


def read(text: str, said: date, known: Known) -> list[Statement]:
    found: list[Statement] = []
    for one in sentences(text[:_LIMIT]):
        if p.FICTION.search(one.text):
            break
        if p.HYPOTHESIS.search(one.text):
            continue
        found += _sentence(text, one, said, known)
    return [replace(one, text=_in_script(one.text, text)) for one in found]


def _sentence(text: str, one: Piece, said: date, known: Known) -> list[Statement]:
    asked = p.ASKED_BEFORE.match(one.text)
    if asked and (one.asks or p.REMIND.match(one.text[asked.end() :])):
        asked = None
    if asked:
        start = one.start + asked.end()
        one = Piece(one.text[asked.end() :], start, one.end, one.asks)
    parts = clauses(one)
    found: list[Statement] = []
    subject = False
    for index, part in enumerate(parts):
        rest = text[part.start : one.end]
        if not one.asks and _stands(part.text, parts[index + 1 :], rest):
            found.append(_instruction(rest, known, asked=bool(asked)))
            break
        if (
            not one.asks
            and not part.asks
            and p.TOGETHER.search(rest)
            and p.OBJECT.search(rest)
            and not p.ONCE.search(rest)
        ):
            found.append(_work_together(rest, said))
            break
        if part.asks:
            continue
        if found and p.ASKED_AFTER.search(part.text):
            found = [_asked_also(text, statement, part) for statement in found]
            continue
        if found and p.HEDGE.match(part.text):
            last = found[-1]
            whole = text[text.find(last.quote) : part.end]
            found[-1] = replace(
                last,
                text=sentence(last.text.rstrip("。") + "，" + part.text),
                quote=whole,
                plan=True,
                confidence="medium",
            )
            continue
        told = _clause(part.text, said, known, subject=subject, asked=bool(asked))
        subject = subject or (part.text.startswith("我") and bool(told))
        found += told
    if asked:
        return [replace(each, asked=True, key=True, quote=text[asked.start() + 0 : 0] or each.quote) for each in found]
    return found


def _stands(part: str, following: list[Piece], rest: str) -> bool:
    if p.ONCE.search(rest) and not re.search(r"以後|之後|以后|之后|每次|一律", rest):
        return False
    if p.ASKED_AFTER.search(part):
        return False
    for number, pattern in enumerate(p.STANDING):
        if pattern.search(part):
            if number == 2:  # a bare "when doing X": what follows must say how
                return bool(following) and bool(
                    re.match(r"先|請|请|都|不要|要|用|只|幫|帮|一律|記得用|别|別", following[0].text)
                )
            return True
    return False


def _instruction(rest: str, known: Known, *, asked: bool) -> Statement:
    body = re.sub(r"^(?:請|请|麻煩|麻烦|拜託)?(?:你|您)?", "", rest) or rest
    body = re.sub(r"^我(?:希望|想要|要)(?:你|您)", "", body)
    if re.match(r"我(?:比較)?(?:喜歡|偏好)", body):
        told = third_person(body)
    elif called := re.match(r"(?:可以|就|直接)*(?:叫|稱呼|称呼)我(?P<name>[^，,。就吧]{1,10})", body):
        told = f"使用者希望助理稱呼使用者「{called['name']}」。"
    else:
        told = "使用者希望助理" + third_person(body)
    if known.place:
        told = re.sub(r"(?:這邊|這裡|这边|这里)(?=的)", known.place, told)
    return Statement(told, rest, "procedural", "style", asked=asked, key=True)


def _work_together(rest: str, said: date) -> Statement:
    body = re.sub(r"^(?:今天|現在|现在)(?:先)?|^先", "", rest)
    day = f"{said.year}年{said.month}月{said.day}日"
    return Statement(
        f"使用者{day}請助理" + third_person(re.sub(r"^(?:請|请|麻煩)", "", body)),
        rest, "episodic", "event", event_from=said, event_until=said, why="work done together",
    )  # fmt: skip


def _asked_also(text: str, statement: Statement, part: Piece) -> Statement:
    start = text.find(statement.quote)
    between = text[start : part.end]
    told = statement.text
    rest = p.ASKED_AFTER.sub("", part.text)
    if rest.endswith(("時候", "时候", "時", "时")):
        told = sentence(told.rstrip("。") + "，" + part.text)
    return replace(statement, text=told, quote=between, asked=True, key=True)


def _clause(text: str, said: date, known: Known, *, subject: bool, asked: bool) -> list[Statement]:
    if len(text) < 3 or (p.OTHERS.match(text) and not asked):
        return []
    naming = p.NAMING.match(text)
    if naming:
        known.introduce(naming["noun"] + naming["name"], naming["noun"], naming["name"])
        return [Statement(f"使用者的{naming['noun']}叫{naming['name']}。", text, "semantic", "people")]
    if named := p.WITH_NAME.search(text):
        known.introduce(named["noun"] + named["name"], named["noun"], named["name"])
    own = re.search(r"我|咱", text[:16]) is not None
    told_text = text
    if not own:
        told_text = _of_known(text, known)
        if told_text == text and not (subject and p.TELLS.search(text)) and not p.DROPPED.match(text) and not asked:
            return []
    elif p.IDLE.search(text) and not asked:
        return []
    if not (p.TELLS.search(told_text) or told_text != text or asked):
        return []
    if p.ONLY_NOW.match(text) and not (asked or (own and find_date(text, said))):
        return []
    if (
        not own
        and told_text == text
        and (mentioned := re.search(r"(?:跟|和|與|陪|幫|帶|給)(他|她|牠)", text))
        and known.last
    ):
        told_text = text[: mentioned.start(1)] + re.sub(rf"^(?:{KIN})(?=.)", "", known.last) + text[mentioned.end(1) :]
    if (animal := p.MENTIONS.search(text)) and not named and own:
        known.introduce(animal["noun"], animal["noun"], *_short(animal["noun"]))
    return _tell(text, told_text, said, known)


def _tell(quote: str, text: str, said: date, known: Known) -> list[Statement]:
    if at := p.JOB_AT.match(text):
        known.place = at["place"]
        job = f"使用者的工作是{at['job']}。" if at["verb"] != "教" else f"使用者教{at['job']}。"
        base = Statement(about_user(f"{at['who']}在{at['place']}上班"), quote, "semantic", "work")
        return [base, replace(base, text=job)]
    past = bool(p.PAST.search(text)) and not p.STATE.search(text)
    when = find_date(text, said, past=past or None)
    if when and _WEEKLY.search(text) and "bare" not in text and re.search(r"每", text[: when.end]):
        when = None
    if when and text[when.start : when.end] in ("今年",):
        when = None
    spoken = text
    if when and when.deictic:
        spoken = text[: when.start] + spelled(when, chinese=True) + text[when.end :]
    if place := re.search(
        r"在([\u4e00-\u9fffA-Za-z]{1,12}?)(?:上班|工作|住|定居)|(?:搬到|搬去|外派到|住在|住)([\u4e00-\u9fff]{2,6})",
        text,
    ):
        known.place = place[1] or place[2] or known.place
    plan = (bool(p.PLAN.search(text)) and not p.STATE.search(text)) or bool(when and when.first > said)
    dated = when is not None or past
    told = about_user(spoken)
    about = meaning(told)
    soon = bool(when and when.is_day and plan)
    return [
        Statement(
            told,
            quote,
            "episodic" if dated and not plan and past else "semantic",
            category_of(told, event=dated),
            "medium" if p.UNSURE.search(text) else "high",
            plan,
            not soon,
            when.first if when else None,
            when.last if when else None,
            key=bool(
                _NAME.match(quote)
                or about.has("allergy")
                or (quote.startswith("我") and _STRONG.search(quote) and not about.has("kin"))
            ),
        )
    ]


def _of_known(text: str, known: Known) -> str:
    """A clause about someone the conversation introduced, with the name in place of the pronoun."""
    if (found := _PRONOUN.match(text)) and known.last:
        return f"我的{known.last}" + ("的" if found[0].endswith("的") else "") + text[found.end() :]
    for key, called in known.named.items():
        if text.startswith(key) or fold(text).startswith(key):
            return f"我的{called}{text[len(key) :]}"
    return text


def _short(noun: str) -> list[str]:
    return [noun[-1]] if noun[-1] in "貓狗猫兔鳥鸟" else []


def _in_script(told: str, original: str) -> str:
    return to_simplified(told) if is_simplified(original) else told
