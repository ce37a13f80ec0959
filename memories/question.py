# ruff: noqa: E501  (lists of words read better in long lines)
"""The tense of a question, read without a model."""

from __future__ import annotations

import re

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


def asks_of_now(text: str) -> bool:
    return bool(_NOW.search(text)) and not _BEFORE.search(text)


def asks_of_before(text: str) -> bool:
    return bool(_BEFORE.search(text))
