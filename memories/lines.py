"""Lines of pages between two nights: one that no longer says what holds is taken out at once."""

from __future__ import annotations

from django.db.models import Max

from memories.models import Line, Memory, Status


def restate(memory: Memory, *, instead: Memory | None = None) -> None:
    """Its words changed, or it does not hold any more. Lines that rest on it go, and what they leave untold, and what
    holds instead, is told by its own statement until a night words it well. The caller holds the person's lock."""
    for line in Line.objects.filter(memories=memory).select_related("page"):
        told = list(line.memories.filter(status=Status.ACTIVE).order_by("number"))
        if instead is not None and instead.category == line.section and instead not in told:
            told.append(instead)
        last = line.page.lines.aggregate(last=Max("position"))["last"]
        page, places = line.page, [line.position, *range(last + 1, last + 1 + len(told))]
        line.delete()
        for each, position in zip(told, places, strict=False):
            own = Line.objects.create(page=page, section=each.category, position=position, text=each.statement)
            own.memories.set([each])
