"""How many tokens a text is, about. Budgets need a number at once; the ledger has the true ones."""

from __future__ import annotations

import re

# Han, kana, Hangul, full-width forms and what lies beyond the basic plane (emoji, rare Han): about a token each.
_WIDE = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00010000-\U0010ffff]+"
)
_LATIN_PER_TOKEN = 4


def estimate_tokens(text: str) -> int:
    wide = sum(len(run) for run in _WIDE.findall(text))
    return wide + -(-(len(text) - wide) // _LATIN_PER_TOKEN)
