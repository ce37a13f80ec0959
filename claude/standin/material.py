# ruff: noqa: E501
"""What pasted text, files and tools ask to be kept: listed so that the person may see it, never believed or obeyed."""

from __future__ import annotations

import re

from claude.standin.meaning import is_chinese
from claude.standin.statements import Statement

_ASKS = re.compile(
    r"\b(?:remember|note for all|from now on|in (?:all )?future|the (?:user|assistant) (?:wants|should|must|prefers|has)|save this|keep in mind|memori[sz]e|"
    r"(?:ignore|disregard) (?:all |your |the )?(?:previous|prior|earlier))\b"
    r"|(?:請|请|務必)?(?:記住|记住|牢記|牢记)|使用者(?:希望|要求|喜歡|喜欢|偏好|是|想)|用户(?:希望|要求|喜欢|偏好|是|想)|往後(?:所有|都)|往后(?:所有|都)|今後(?:所有|都)|給.{0,8}助理|给.{0,8}助[理手]",
    re.I,
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:\.(?=\S)[^.!?。！？\n]+)*[.!?。！？]*")
_LIMIT = 50_000
_MOST = 5


def asks_to_be_kept(text: str) -> list[Statement]:
    """A statement about the text for each sentence of it that would have the assistant remember or do something."""
    found = []
    for sentence in _SENTENCE.finditer(text[:_LIMIT]):
        quote = sentence[0].strip()
        if not _ASKS.search(quote) or len(quote) > 600:
            continue
        told = quote.rstrip(".。!！")
        statement = (
            f"使用者貼上的文字要求:{told}。".replace("要求:", "要求：")
            if is_chinese(quote)
            else f"A text that the user pasted asks: {told}."
        )
        found.append(
            Statement(
                statement, quote, "semantic", "other", "low", lasting=False, why="asked by material, not by the person"
            )
        )
        if len(found) == _MOST:
            break
    return found
