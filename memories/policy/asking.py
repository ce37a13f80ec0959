# ruff: noqa: E501  (lists of words read better in long lines)
"""Whether the person asked outright to have something kept."""

from __future__ import annotations

from memories.policy.matching import BEGIN as _B
from memories.policy.matching import END as _E
from memories.policy.matching import any_of as _any
from memories.policy.matching import plain

_ASKS = _any(
    _B
    + r"(?:please |do |always |can you |could you |and |so )?(?:remember|keep in mind|bear in mind|make a note|note (?:that|down)|take note|jot down|don'?t forget|do not forget|never forget|memori[sz]e"
    r"|save (?:this|that|it)|for future reference|for the record|store (?:this|that|it))" + _E,
    r"記得|记得|記住|记住|記下|记下|記起來|记起来|幫我記|帮我记|請記|请记|別忘|别忘|不要忘|勿忘|備註|备注|存起來|存起来|留意一下",
)
_ASKS_NOT = _any(
    _B
    + r"(?:do|did|can|can't|cannot|don'?t|didn'?t|couldn'?t|if|i|we|you|i'?ll|still|to) (?:not )?(?:you |i |we |still |always |even )?remember"
    + _E,
    _B + r"remember(?:ed|ing|s)" + _E,
    r"(?:不要|別|别|不用|不必|不准|毋須|無須)\s*(?:再)?\s*(?:記得|记得|記住|记住|記下|记下|記起|记起|存)|(?:我|他|她|還|还|不|你)(?:都|還|还|不|也)?(?:記得|记得)(?!要|喔|哦|一下)|記得嗎|记得吗|記不記得|记不记得",
    _B + r"(?:do not|don'?t|never) (?:remember|save|store|keep|note|memori[sz]e)" + _E,
    _B + r"remember (?:when|how|last|\?)|, remember\?",
)


def asks_outright(words: str) -> bool:
    """Whether the person's own words ask for something to be kept, and do not only speak of remembering."""
    return bool(_ASKS.search(_ASKS_NOT.sub(" ", plain(words))))
