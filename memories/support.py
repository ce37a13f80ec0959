# ruff: noqa: E501  (lists of words read better in long lines)
"""Whether a statement says only what its words say. A quote that stands in the person's message proves the quote; this
looks at what the statement adds to it: names, numbers, addresses, a "not". `borrowed` looks at whose words it takes.

It reads words, not meaning, and so only ever makes a statement wait for the person.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date, timedelta

from memories import words

_HAN = r"[\u3400-\u4dbf\u4e00-\u9fff]"
_JOINING = "[是的在了有和与及被把给用很也都就会]"  # as `words` folds them
_ADDRESS = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S+|(?<![\w@.])[a-z][\w-]*(?:\.[a-z][\w-]+)+", re.IGNORECASE
)
_NAME = re.compile(r"(?<![\w'’])[^\W\d_a-z][\w'’-]*[^\W_]|(?<![\w'’])[A-Z](?![\w'’])")
_LATIN = re.compile(r"(?<![A-Za-z])[A-Za-z][A-Za-z'’-]+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ROUND = re.compile(r"hundred|thousand|million|billion|\d\s*[km]\b|[百千萬万億亿]", re.IGNORECASE)
_SPELT = {
    "one": 1, "once": 1, "two": 2, "twice": 2, "couple": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "dozen": 12, "fifteen": 15, "twenty": 20,
    "half": 30, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "半": 30,
}  # fmt: skip
# What a statement is made with, and no claim: how it speaks of the person, and the usual turns of a paraphrase.
_GENERIC = frozenset(
    words.tokens(
        "user users prefer likes loves want wants wish asks keep now new current currently also usually often always every never not no each use uses using used"
        " work works live lives call called name named person people thing things way time day week year has having go goes went get make take do say said tell"
        " answer answers reply replies assistant start end one two plan plans intend"
    )
)
_GENERIC_HAN = re.compile(
    r"使用者|用户|用戶|自己|助理|希望|想要|喜歡|喜欢|偏好|習慣|习惯|目前|現在|现在|經常|经常|總是|总是|每次|回答|回覆|計畫|计划|打算|正在|因為|因为|所以|以及|或者|進行|进行|不要|不喜|可以|需要|表示|名叫|叫做|工作|居住|住在|有關|關於|关于"
)
# Capitals that name nobody: days, the person themself, how people are addressed, what everybody writes so.
_NO_NAMES = frozenset(
    [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "i",
        "the",
        "user",
        "users",
        "pm",
        "am",
        "mr",
        "mrs",
        "ms",
        "miss",
        "dr",
        "prof",
        "st",
        "mum",
        "mom",
        "mam",
        "dad",
        "mother",
        "father",
        "grandma",
        "grandpa",
        "granny",
        "nana",
        "grandad",
        "aunt",
        "auntie",
        "uncle",
        "tv",
        "ok",
        "cv",
        "ai",
        "id",
        "pc",
        "it",
        "internet",
        "christmas",
        "easter",
    ]
)
_COUNTS = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|once|twice|couple|few|several|half|quarter|dozen|noon|midnight|first|second|third|(?:four|fif|six|seven|eigh|nin|ten)th"
    r"|today|tonight|yesterday|tomorrow|ago|last|next|this|week|month|year|day|\w+day|morning|evening|night|christmas|january|february|march|april|june|july|august|september|october|november|december)"
    r"|[一二三四五六七八九十百千两半几双]|[昨今明前后下上]|[周月年日天点]",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|never|no longer|no|cannot|without|stopped|quit|gave up|neither|nor|none)\b|n['’]t\b|[不沒没無无別别未非勿]",
    re.IGNORECASE,
)
_CLAUSES = re.compile(
    r"[.,;:!?\n。,、;:!?]|\bbut\b|\band (?=(?:i|we|my|our|he|she|they|it)\b)|\b(?:because|although|while)\b|但|而且"
)
# Words that deny without a "not".
_AGAINST = re.compile(
    r"\b(?:hates?|hated|dislikes?|avoids?|refuses?|detests?|loathes?|free|unable|lacks?|former(?:ly)?|used to|instead|rather|only|allergic|mind|vegan|vegetarian|stand|until|hardly|barely|rarely|sold|left|over|ex)\b"
    r"|討厭|讨厌|厭惡|避免|拒絕|拒绝|缺|曾|以前|只|改|戒|停|免|怕|忌|吃素|之前|除了|超過|超过",
    re.IGNORECASE,
)


def is_supported(statement: str, *, quote: str, own: str, known: Iterable[str] = (), days: Iterable[date] = ()) -> bool:
    """`own` is all that the person typed around the quote, `known` what they said before, `days` what a date may be."""
    own, said = words.fold(own), words.fold("\n".join([quote, own, *known]))
    statement = _plain(statement)
    unsaid = [name for name in names(statement) if not _stands_in(name, said)]
    shortened = _shortened(unsaid, statement, said)
    # What is only written otherwise carries the statement no less.
    content = [] if shortened else _content(statement)
    return (
        all(words.fold(address) in said for address in _ADDRESS.findall(statement))
        and shortened >= set(unsaid)
        and _numbers_stand(statement, quote, said, days)
        and not _turns_over(statement, own)
        and (not content or any(_stands_in(word, said) for word in content))
    )


def names(statement: str) -> list[str]:
    """Names as far as writing shows them: capitals within an English sentence, Latin words in a Chinese one."""
    if re.search(_HAN, statement):
        found = _LATIN.findall(statement)
    else:
        found = [
            name[0]
            for name in _NAME.finditer(statement)
            if not re.search(r"(?:^|[.!?:;]\s*|[\"“(]\s*)$", statement[: name.start()])
        ]
    cut = (re.sub(r"['’]s$", "", name) for name in found)
    return [name for name in cut if name.casefold() not in _NO_NAMES]


def _shortened(unsaid: list[str], statement: str, said: str) -> set[str]:
    """Of the names that do not stand in what was said, those that do written apart or together, or by first letters."""
    if not unsaid:
        return set()
    latin = re.findall(r"[a-z0-9]+", said)
    joined, initials = "".join(latin), f" {' '.join(word[0] for word in latin)} "
    short = set(re.findall(r"(?<![a-z])[a-z]{2,5}(?![a-z])", said))
    spelt_out = {
        word
        for run in re.findall(r"[A-Z][\w'-]*(?: (?:of |the )?[A-Z][\w'-]*)+", statement)
        if "".join(re.findall(r"\b[A-Z]", run)).casefold() in short
        for word in run.split()
    }
    return {
        name
        for name in unsaid
        if name in spelt_out
        or (name.isupper() and len(name) > 2 and f" {' '.join(name.casefold())} " in initials)
        or (len(letters := re.sub(r"[^a-z0-9]", "", words.fold(name))) > 5 and letters in joined)
    }


def _content(statement: str) -> list[str]:
    """The words that carry it, without its numbers: stems of Latin ones, pairs of Han ones."""
    bare = _GENERIC_HAN.sub(" ", statement)
    kept = [
        word
        for word in words.tokens(bare)
        if len(word) > 1 and word not in _GENERIC and not re.search(rf"\d|:|{_JOINING}", word)
    ]
    return list(dict.fromkeys(kept))


def _stands_in(word: str, said: str) -> bool:
    """Also in another form: what is longer than four letters is known by how it begins."""
    word = words.fold(word)
    if re.search(_HAN, word):
        return word in said
    if word.isalpha() and len(word) > 4:
        word = word[: max(4, len(word) - 3)]
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}", said) is not None


def _numbers_stand(statement: str, quote: str, said: str, days: Iterable[date]) -> bool:
    stated = [number.replace(",", "") for number in _NUMBER.findall(statement)]
    if not stated:
        return True
    known = {part for number in _NUMBER.findall(said) for part in (number.replace(",", ""), *re.split(r"[.,]", number))}
    known |= {str(number) for word, number in _SPELT.items() if word in said}
    known |= {str(int(part) + 12) for part in known if part.isdigit() and len(part) < 3}
    known.add("00")
    for day in days:
        for near in (day, day + timedelta(days=366), day - timedelta(days=366)):
            known |= {str(near.year), str(day.month), str(day.day), f"{day.month:02}", f"{day.day:02}"}
    joined = re.sub(r"(?<=\d)[\s().,-]+(?=\d)", "", said)
    for number in stated:
        parts = [part for part in re.split(r"\D", number) if part]
        if number in known or all(part in known for part in parts):
            continue
        if len(number) > 2 and (number in joined or (number.endswith("00") and _ROUND.search(said))):
            continue
        # A small number may be said in many ways; beside another number, or where nothing was counted, it is a claim.
        if len(number) > 2 or _NUMBER.search(quote) or not _COUNTS.search(words.fold(quote)):
            return False
    return True


def _turns_over(statement: str, own: str) -> bool:
    """The statement's words in one clause of the person's, with a "not" in only one of the two."""
    content = _content(_NOT.sub(" ", statement))
    if not content:
        return False
    clauses = [clause for clause in _CLAUSES.split(own) if clause.strip()]
    saying = [clause for clause in clauses if all(_stands_in(word, clause) for word in content)]
    if not saying or _AGAINST.search(statement):
        return False
    denied = bool(_NOT.search(statement))
    return all(bool(_NOT.search(clause)) != denied and not _AGAINST.search(clause) for clause in saying)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("’", "'")
