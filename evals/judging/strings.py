"""What can be said of an answer without reading it: where it holds the right words or another value in their place.
All else needs a model, and is left to it."""

from __future__ import annotations

import re

from evals.judging.values import Token, Value, tokens
from memories.words import fold

# Shorter right answers stand in many wrong ones by chance.
_TELLING_CHARACTERS = 4
_TELLING_HAN = 2
_HAN = re.compile("[\u3400-\u9fff]")
_CITED = re.compile(r"\[m\d+\]")
_TOLD = "told|mentioned|said|shared|given|provided|stated|come up"
_SAY = "[提说讲记谈告]|跟我|和我|对我"
# On folded text: Chinese is simplified there.
_KNOWS_NOT = re.compile(
    r"\b(?:do not|don't|does not|doesn't|did not|didn't|cannot|can't|could not|couldn't) (?:actually |yet )?"
    r"(?:know|tell|say|recall|remember|find|have (?:that|any|this)|mention|share)\b"
    rf"|\b(?:haven't|have not|hasn't|has not|never|not) (?:been |yet |ever |actually )*(?:{_TOLD})\b"
    r"|\bno (?:memory|record|information|mention|idea|way to know)\b|\bnot (?:sure|aware)\b|\bunknown\b"
    r"|\bnothing (?:about|on|in my memory)\b"
    rf"|不知道|不清楚|不晓得|不记得|不确定|无从|无法得知|没有?印象|[查找]不到|没有(?:相关|任何|这|关于|[纪记]录|资料)"
    rf"|(?:没有?|未曾?|还没有?|尚未|从未)(?:听你)?(?:{_SAY})"
)
_GUESSES = re.compile(
    r"\b(?:but|however|perhaps|maybe|might|probably|possibly|i(?:'d)? guess)\b|但|不过|可能|也许|大概|应该|猜"
)
_EITHER = re.compile(r"\b(?:or|either)\b|或|还是")
_PAST = re.compile(
    r"\b(?:used to|before|previously|formerly|earlier|originally|at first)\b|以前|之前|原本|本来|过去|原先|起初"
)
_DENIED = re.compile(
    r"(?:\b(?:not|isn't|wasn't|aren't|no longer|instead of|rather than|never)"
    r"(?: (?:in|on|at|is|be|by))?(?: (?:the|a|an))?"
    r"|(?:不再?|并非|而非|没)(?:是|在|叫|姓|去|用)?)\s*$"
)


def knows_not(said: str) -> bool:
    return bool(_KNOWS_NOT.search(_plain(said)))


def abstains(said: str) -> bool | None:
    """Says that it does not know; where it goes on to guess, only a reader can tell."""
    text = _plain(said)
    found = _KNOWS_NOT.search(text)
    if not found:
        return None
    return None if _GUESSES.search(text[found.end() :]) else True


def says(right_answer: str, said: str, *, asked: str = "") -> bool | None:
    """Whether it says this in answer to what was asked; None where strings cannot tell."""
    text = _plain(said)
    wanted = [token.what for token in tokens(right_answer)]
    if not wanted:
        return None
    spoken = tokens(text)
    if knows_not(said):
        return None if _places(wanted, spoken) else False
    if not text.strip():
        return False
    held = [token for token in spoken if not _is_set_aside(token, spoken, text, asked)]
    values = [one for one in wanted if isinstance(one, Value)]
    if len(values) == 1 and len(wanted) <= 2:
        return _same_value(wanted, values[0], held, spoken, text, asked)
    return _same_words(wanted, held, spoken, text)


def _same_value(
    wanted: list[str | Value], value: Value, held: list[Token], spoken: list[Token], text: str, asked: str
) -> bool | None:
    # What is counted must be the same too: three months are not three weeks.
    around = {token.what for token in [*held, *tokens(asked)]}
    if not all(_among(one, around) for one in wanted if one != value):
        return None
    given = [token for token in held if isinstance(token.what, Value) and token.what.kind == value.kind]
    verdicts = [value.agrees(token.what) for token in given if isinstance(token.what, Value)]
    if not verdicts or None in verdicts:
        return None
    if len(set(verdicts)) > 1:
        # Several different answers are none, when they are put as a choice.
        return False if _EITHER.search(text[given[0].start : given[-1].end]) else None
    if verdicts[0] and _is_a_guess(given, spoken, text):
        return None
    return verdicts[0]


def _same_words(wanted: list[str | Value], held: list[Token], spoken: list[Token], text: str) -> bool | None:
    plain = "".join(str(one) for one in wanted if isinstance(one, str))
    least = _TELLING_HAN if _HAN.search(plain) else _TELLING_CHARACTERS
    if len(plain) < least:
        return None
    places = _places(wanted, held)
    return True if places and not _is_a_guess(held[places[0] : places[0] + len(wanted)], spoken, text) else None


def _is_a_guess(found: list[Token], spoken: list[Token], text: str) -> bool:
    """Its clause puts it as a choice, or as likely."""
    clause = _clauses({token.clause for token in found}, spoken, text)
    return bool(_EITHER.search(clause) or _GUESSES.search(clause))


def _is_set_aside(token: Token, spoken: list[Token], text: str, asked: str) -> bool:
    """Denied, or said of the past where the present was asked for."""
    if _DENIED.search(text[: token.start]):
        return True
    clause = _clauses({token.clause}, spoken, text)
    return bool(_PAST.search(clause)) and not _PAST.search(_plain(asked))


def _clauses(numbers: set[int], spoken: list[Token], text: str) -> str:
    inside = [token for token in spoken if token.clause in numbers]
    return text[inside[0].start : inside[-1].end]


def _places(wanted: list[str | Value], tokens_: list[Token]) -> list[int]:
    return [
        at
        for at in range(len(tokens_) - len(wanted) + 1)
        if all(_is_same(one, tokens_[at + n].what) for n, one in enumerate(wanted))
    ]


def _among(one: str | Value, others: set[str | Value]) -> bool:
    return any(_is_same(one, other) for other in others)


def _is_same(one: str | Value, other: str | Value) -> bool:
    if isinstance(one, Value) or isinstance(other, Value):
        return isinstance(one, Value) and isinstance(other, Value) and one.agrees(other) is True
    return one == other or (len(one) > 3 and one.removesuffix("s") == other.removesuffix("s"))


def _plain(said: str) -> str:
    return fold(_CITED.sub("", said)).replace("’", "'")
