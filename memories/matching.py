"""Which words of a text are those that were looked for: as spans of the text, so that no copy of it is kept."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from memories import words
from memories.spans import Span

# A word with what is written in it, or a run of characters that are written without spaces.
_WRITTEN = re.compile(rf"(?P<run>[{words.UNSPACED}]+)|[^\W_{words.UNSPACED}]+(?:[._/\-@:+'’][^\W_{words.UNSPACED}]+)*")


def matched(text: str, wanted: Collection[str]) -> list[Span]:
    """Where `text` has the words `wanted`, which are as the index knows them; in order, without touching."""
    wanted = frozenset(wanted)
    spans: list[Span] = []
    for start, end in _hits(text, wanted):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _hits(text: str, wanted: frozenset[str]) -> Iterator[Span]:
    for match in _WRITTEN.finditer(text):
        run, start = match["run"], match.start()
        if run is None:
            if not wanted.isdisjoint(words.tokens(match[0])):
                yield match.span()
            continue
        pairs = {word for word in wanted if len(word) == 2}
        for n in range(len(run)):
            if words.fold(run[n : n + 2]) in pairs:
                yield start + n, start + n + 2
            elif words.fold(run[n]) in wanted and not pairs:
                yield start + n, start + n + 1
