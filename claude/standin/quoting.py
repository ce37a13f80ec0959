# ruff: noqa: E501
"""Questions of what was said in conversations, answered with the person's own words from a search."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claude.prompts import fences
from claude.standin.choosing import covered, specific
from claude.standin.meaning import fold, meaning
from claude.standin.questions import Question
from claude.standin.requests import Block, text_of
from claude.standin.summaries import first_sentences

_TALKED = re.compile(
    r"\b(?:did|have|had|when|what|where|which|that) (?:(?:did|have|had) )?(?:i|we) (?:ever |already )?(?:say|said|tell|told|mention|mentioned|talk|talked|speak|spoke|discuss|discussed|write|wrote|ask|asked)\b"
    r"|(?:我们?|咱们?).{0,12}(?:说过|讲过|提过|聊过|谈过|问过|写过|提到|跟你说|跟你讲|跟你提|跟你聊|告诉你|聊到|谈到)"
)


def is_of_conversations(text: str) -> bool:
    return bool(_TALKED.search(fold(text)))


def quote(question: Question, results: Sequence[Block]) -> tuple[str, str] | None:
    """The answer in English and in Chinese: the passage of the person's that has most of what was asked for, if it has
    half of it."""
    wanted = specific(question)
    best, most = None, 0
    for passage in fences("\n".join(text_of(result) for result in results), "passage"):
        if passage.attributes.get("role") != "user":
            continue
        has = covered(wanted, meaning(passage.text), passage.text)
        if has > most:
            best, most = passage, has
    if best is None or 2 * most < len(wanted):
        return None
    day, words = best.attributes.get("said", "")[:10], first_sentences(best.text)
    return f"You said on {day}: \u201c{words}\u201d", f"你在 {day} 說過:「{words}」"
