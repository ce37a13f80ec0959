# ruff: noqa: E501
"""Answers from a search of the conversations: with the person's own words, or with what they told there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from claude.prompts import Fence, fences
from claude.standin.choosing import covered, specific
from claude.standin.dates import say_day
from claude.standin.meaning import fold, meaning
from claude.standin.questions import Question, is_question
from claude.standin.recollecting import answer as recollect
from claude.standin.requests import Block, MemoryLine, moment, text_of
from claude.standin.summaries import first_sentences
from claude.standin.telling import in_script
from claude.standin.turns import UNMARKED, unremembered

_TALKED = re.compile(
    r"\b(?:did|have|had|when|what|where|which|that) (?:(?:did|have|had) )?(?:i|we) (?:ever |already )?(?:say|said|tell|told|mention|mentioned|talk|talked|speak|spoke|discuss|discussed|write|wrote|ask|asked)\b"
    r"|(?:我们?|咱们?).{0,12}(?:说过|讲过|提过|聊过|谈过|问过|写过|提到|跟你说|跟你讲|跟你提|跟你聊|告诉你|聊到|谈到)"
)


def is_of_conversations(text: str) -> bool:
    return bool(_TALKED.search(fold(text)))


def quote(question: Question, results: Sequence[Block]) -> tuple[str, str] | None:
    """The answer in English and in Chinese: the passage of the person's that has most of what was asked for, if it has
    half of it. What they only asked is nothing that they said."""
    wanted = specific(question)
    best, words, most = None, "", 0
    for passage in _theirs(results):
        told = first_sentences(passage.text) if not is_question(passage.text) else _not_asked(passage.text)
        has = covered(wanted, meaning(told), told)
        if has > most:
            best, words, most = passage, told, has
    if best is None or 2 * most < len(wanted):
        return None
    day = best.attributes.get("said", "")[:10]
    return f"You said on {day}: \u201c{words}\u201d", f"你在 {day} 說過:「{words}」"


def answer_from(question: Question, results: Sequence[Block], lines: list[MemoryLine], now: datetime) -> str:
    """The answer with what was found among the person's own words and no memory says yet: with its day, and no mark."""
    said = sorted((moment({"at": one.attributes.get("said", "")}), one.text) for one in _theirs(results))
    told = unremembered([(words, at) for at, words in said], lines)
    found = recollect(question, [*lines, *told], now)
    days = [line.said for line in told if line.said and f"[{line.id}]" in found]
    if not days:
        return ""
    day, bare = say_day(max(days), chinese=question.chinese), UNMARKED.sub("", found)
    return in_script(question, f"{bare}（你在{day}說的。）" if question.chinese else f"{bare} (You said so on {day}.)")


def _theirs(results: Sequence[Block]) -> list[Fence]:
    found = fences("\n".join(text_of(result) for result in results), "passage")
    return [passage for passage in found if passage.attributes.get("role") == "user"]


def _not_asked(text: str) -> str:
    told = [one for one in re.split(r"(?<=[.!?。！？])\s*", text) if one.strip() and not is_question(one)]
    return first_sentences(" ".join(told))
