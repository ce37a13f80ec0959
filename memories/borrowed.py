"""Whose words a statement is made of. Quoting the person beside it does not make somebody else's text theirs."""

from __future__ import annotations

import re

from memories.door.said import Said, spoken
from memories.models import Origin
from memories.words import fold, tokens

OTHERS = [Origin.PASTED, Origin.FILE, Origin.TOOL]
# A statement may share a word with a text by chance; so large a share of what the person did not say is no chance.
BORROWED_SHARE = 1 / 3
_ABOUT_USER = re.compile(
    r"\bthe user(?:'s|’s)?\b|\b(?:wants?|that|says?|said)\b|使用者|用戶|用户|助理|希望", re.IGNORECASE
)
_HAN = re.compile("[\u3400-\u9fff]")
# Names and addresses count alone; the days and months that a date brings in do not.
_NAME = re.compile(
    r"(?<=\s)(?!(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september"
    r"|october|november|december)(?-i:[A-Z])[\w-]{2,}|\S+@\S+",
    re.IGNORECASE,
)


def is_borrowed(statement: str, said: Said) -> bool:
    """Said beside text that the person pasted, opened or fetched, the statement says what stands there, in words that
    the person never typed in the conversation."""
    others = spoken(said.conversation_id, OTHERS)
    if not others:
        return False
    typed = spoken(said.conversation_id, [Origin.TYPED])
    told = _telling(_ABOUT_USER.sub(" ", statement))
    own, theirs = _telling(typed), _telling(others)
    borrowed = (told - own) & theirs
    named = {fold(name).strip(".,;:!?") for name in _NAME.findall(statement)}
    unsaid = {name for name in named if name and name not in fold(typed) and name in fold(others)}
    return bool(unsaid) or (bool(told) and len(borrowed) >= BORROWED_SHARE * len(told) and len(borrowed) > 1)


def _telling(text: str) -> set[str]:
    """Words by their stems, and Chinese two characters at a time: single ones stand everywhere."""
    return {token for token in tokens(text) if len(token) > 1 or not _HAN.search(token)}
