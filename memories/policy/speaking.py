# ruff: noqa: E501  (lists of words read better in long lines)
"""What stands in the person's own message and is not the person speaking."""

from __future__ import annotations

import re

from memories.policy.matching import BEGIN as _B
from memories.policy.matching import END as _E
from memories.policy.matching import any_of as _any

# The possessive `*+` gives nothing back, so that a line of blanks is walked once.
_LABEL = re.compile(
    r"^[ \t]*+(?:>|(?:[*#_\[<(「【-]|&lt;)*+[ \t]*+(?:system|assistant|developer|instructions?|tool|user|the user said|user said|user says|系統|系统|助理|使用者說|使用者|用戶|開發者)"
    r"(?:[ \t_-]*+(?:prompt|message|note|override|update|提示|訊息|指令))?[ \t]*+[\]>)」】*]*[ \t]*+[:：>\]])",
    re.IGNORECASE | re.MULTILINE,
)
_COMMENT = re.compile(
    r"<!--.*?(?:-->|\Z)|\[//\]: ?#.*|<(system|instructions?|important|admin|script|style)\b.*?(?:</\1>|\Z)|\A---\n.*?\n---",
    re.IGNORECASE | re.DOTALL,
)
_PLAYED = _any(
    _B
    + r"(?:role-?play(?:ing)?|let'?s (?:pretend|play|say)|pretend (?:that|to be|you|i)|imagine (?:that|you are|you're|i am|i'm|we)|hypothetically|suppose (?:that|i|you|we)|in (?:this|the|my) (?:story|scene|novel|game)|you are now|from now on you are|act as|stay in character|my character)"
    + _E,
    r"角色扮演|假設|假设|假裝|假装|假如|想像一下|想象一下|你現在是|你现在是|你扮演|我扮演|在(?:這個|这个)?(?:故事|小說|小说|劇本|剧本|遊戲|游戏)(?:裡|里|中)",
)
_HIDDEN = re.compile("[\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


def is_spoken_by_another(text: str, span: tuple[int, int]) -> bool:
    """Whether the quoted span stands in what a typed message only carries: quoted lines, markup and comments, a label
    of another speaker, a part that is played, or letters that do not show."""
    start, end = span
    line = text[text.rfind("\n", 0, start) + 1 : end]
    return bool(
        _LABEL.search(line)
        or _HIDDEN.search(text[start:end])
        or any(hidden.start() < end and start < hidden.end() for hidden in _COMMENT.finditer(text))
        or _PLAYED.search(text[max(0, start - 300) : end])
    )
