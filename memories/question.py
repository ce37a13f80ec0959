# ruff: noqa: E501  (lists of words read better in long lines)
"""A question as recall reads it, without a model: its words, its vector, the days it speaks of, and its tense."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from datetime import datetime

from memories import days, words
from memories.embedding import EmbedderUnavailable, Vector, embedder
from memories.models import Person

_log = logging.getLogger(__name__)
_LONGEST = 10_000  # characters
_WORDS_READ = 100  # of a question; a pasted page is not one

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


@dataclass(frozen=True)
class Question:
    words: list[str]
    vector: Vector | None
    embedder: str
    # On the person's calendar.
    days: days.Days | None
    of_now: bool
    of_before: bool

    @classmethod
    def read(cls, query: str, person: Person, now: datetime, *, vectors: bool) -> Question:
        query = query[:_LONGEST]
        vector, name = _vector(query) if vectors and query.strip() else (None, "")
        return cls(
            words=words.query_tokens(query)[:_WORDS_READ],
            vector=vector,
            embedder=name,
            days=days.spoken_of(query, person.local(now).date()),
            of_now=asks_of_now(query),
            of_before=asks_of_before(query),
        )

    @property
    def is_blank(self) -> bool:
        return not self.words and self.vector is None

    @property
    def day_words(self) -> list[str]:
        """What the index calls the days asked for: the days of up to a month, the months of up to a year."""
        return words.tokens_of_days(*self.days) if self.days else []


def _vector(query: str) -> tuple[Vector | None, str]:
    """Without an embedder, or when it does not answer, a question goes by its words."""
    if (model := embedder()) is None:
        return None, ""
    try:
        return model.query(query), model.name
    except EmbedderUnavailable as problem:
        _log.warning("The embedder does not answer (%s); recall goes by words.", problem)
        return None, ""
