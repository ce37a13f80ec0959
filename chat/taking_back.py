"""Taking back, in one click, what a reply remembered: through the forget door, with its undo window."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memories import forget
from memories.forgetting.spans import touched
from memories.models import Deletion, Evidence, Via, Write


def take_back(write: Write, *, now: datetime) -> Deletion:
    """Forget the memory that `write` made. What it replaced holds again, with the words that it rests on.

    Raises NothingToForget when it is gone already."""
    if write.memory is None:
        raise forget.NothingToForget
    # What is doubtful stays: nobody is asked here.
    plan = forget.plan(write.person, memories=[write.memory], now=now, ask_model=False).ticked()
    spared = {part.memory.pk for part in plan.chain}
    if spared:
        stays: dict[int, list[tuple[int, int]]] = {}
        for evidence in Evidence.objects.filter(memory__in=spared, passage__isnull=False):
            stays.setdefault(evidence.passage_id or 0, []).append(evidence.span)
        spans = [part for part in plan.spans if not touched((part.start, part.end), stays.get(part.passage.pk, []))]
        plan = replace(plan, spans=tuple(spans))
    revived = {write.replaced_id} if write.replaced_id else set()
    return forget.carry_out(plan, now=now, via=Via.CHAT, keep=spared - revived, revive=revived)
