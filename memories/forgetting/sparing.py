"""What stays with a memory of the chain that the person keeps: the words that say it and say nothing of what goes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from memories.forgetting.likeness import Likeness
from memories.forgetting.plan import SpanPart
from memories.forgetting.sayings import Targets, likeness, targets_of
from memories.forgetting.spans import Span, touched
from memories.models import Memory


def without_theirs(spans: Sequence[SpanPart], *, kept: Sequence[Memory], taken: Sequence[Memory]) -> list[SpanPart]:
    """`spans` without those that are there for `kept` alone. In doubt a span goes."""
    if not kept:
        return list(spans)
    theirs, going = targets_of(kept), targets_of(taken)
    their_words, going_words = _evidence(theirs), _evidence(going)

    def is_theirs(part: SpanPart) -> bool:
        span = (part.start, part.end)
        if touched(span, going_words[part.passage.pk]):
            return False
        like = likeness(going, part.words)
        if touched(span, their_words[part.passage.pk]):
            return like < Likeness.SAYS_IT
        return like == Likeness.UNRELATED and likeness(theirs, part.words) == Likeness.SAYS_IT

    return [part for part in spans if not is_theirs(part)]


def _evidence(targets: Targets) -> dict[int, list[Span]]:
    spans: dict[int, list[Span]] = defaultdict(list)
    for found in targets.evidence:
        if found.passage_id is not None:
            spans[found.passage_id].append(found.span)
    return spans
