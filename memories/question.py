# ruff: noqa: E501  (lists of words read better in long lines)
"""What a message asks of the memory, read without a model: its words, its time, its tense, and what it refers to."""

from __future__ import annotations

import re
from collections.abc import Sequence

_REFERS = re.compile(
    r"(?<![A-Za-z])(?:it|its|that|this|those|these|they|them|their|he|him|his|she|her|hers|one|ones|there|then|so|same|else|"
    r"again|another|both|either|former|latter)(?![A-Za-z])|[他她它牠祂]|這|那|这|其|該|该|同樣|同样|前者|後者|后者|剛才|刚才|剛剛|刚刚|上面|呢[?？]?\s*$",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"(?<![A-Za-z])(?:now|nowadays|currently|current|these days|at the moment|at present|latest|lately|recent(?:ly)?|most recent|still|any ?more|today)(?![A-Za-z])"
    r"|現在|现在|目前|如今|最近|近來|近来|最新|當前|当前|還(?!沒|有沒|記得)|还(?!没|有没|记得)|眼下|這陣子|这阵子|今天",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:used to|originally|previous(?:ly)?|formerly|former|before|earlier|at first|initially|in the past|back then|once|old|anymore before|ex-)(?![A-Za-z])"
    r"|以前|之前|從前|从前|原本|原來|原来|本來|本来|過去|过去|當初|当初|曾經|曾经|最初|一開始|一开始|起初|舊的|旧的|上一(?:個|份|任|家)",
    re.IGNORECASE,
)
_LONGEST = 2_000  # characters of a message that are read as the question
_SHORT = 40  # a message up to this length may lean on the one before it


def question(message: str, before: Sequence[str] = ()) -> str:
    """The message, with the turns before it (oldest first) when it refers to them: "and what was that one called?"."""
    message = message.strip()[:_LONGEST]
    if not before or not ((_REFERS.search(message) and len(message) <= 4 * _SHORT) or len(message) <= _SHORT // 4):
        return message
    earlier = [turn.strip()[-200:] for turn in before[-2:] if turn.strip()]
    return "\n".join([message, *earlier])


def asks_of_now(text: str) -> bool:
    return bool(_NOW.search(text)) and not _BEFORE.search(text)


def asks_of_before(text: str) -> bool:
    return bool(_BEFORE.search(text))
