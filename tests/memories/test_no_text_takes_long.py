"""The rules that read people's words are regular expressions. No text, however made, keeps one of them busy: what takes
a moment for one size takes not much more than twice that for twice the size."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memories import policy, words
from memories.forgetting.likeness import saying
from tests.growth import grows_too_fast

SIZE = 100_000
TEXTS = {
    "one word": "a",
    "blanks": " ",
    "digits": "9",
    "numbers": "1 ",
    "addresses": "a@",
    "dots": "a.",
    "hyphens": "Ab-",
    "names": "Ab cd ",
    "links": "http://",
    "quotation marks": "「a",
    "list": "1) ",
    "label": "system \t",
    "months": "1月",
    "comments": "<!--",
}
# A quote is never longer than this, a statement much shorter.
QUOTE = 2_000


@pytest.mark.parametrize("text", TEXTS)
def test_no_text_takes_long(text: str) -> None:
    long = (TEXTS[text] * SIZE)[:SIZE]
    quote = long[:QUOTE]
    rules: dict[str, tuple[Callable[[str], object], str]] = {
        "words": (words.tokens, long),
        "saying": (saying, long),
        "spoken by another": (
            lambda said: policy.is_spoken_by_another(said, (len(said) // 2, len(said) // 2 + 20)),
            long,
        ),
        "credential": (policy.is_credential, quote),
        "outward": (lambda said: policy.is_outward(said, "procedural"), quote),
        "asks": (policy.asks_outright, long),
    }
    for name, (rule, said) in rules.items():
        assert not grows_too_fast(rule, said), name
