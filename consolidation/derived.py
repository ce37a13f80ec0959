"""What nights derive from people's words: staged candidates. Page lines are the memories app's own."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from consolidation.models import Candidate
from memories.derived import Finding, Layer, Reach
from memories.models import Deletion, Person


class Candidates(Layer):
    name = "candidates"
    label = _("Proposals of a night")

    def count(self, person: Person, reach: Reach) -> int:
        return self._reached(person.pk, reach).count()

    def drop(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        return self._reached(deletion.person_id, reach).delete()[1].get("consolidation.Candidate", 0)

    def verify(self, deletion: Deletion, reach: Reach) -> Collection[Finding]:
        on_its_words = Q(
            passage__tombstones__deletion=deletion,
            passage__tombstones__start__lt=F("end"),
            passage__tombstones__end__gt=F("start"),
        )
        left = Candidate.objects.filter(on_its_words | Q(memory__in=reach.memories)).distinct()
        return [Finding(self.name, "left", "consolidation.Candidate", pk) for pk in left.values_list("pk", flat=True)]

    def _reached(self, person_id: int, reach: Reach) -> QuerySet[Candidate]:
        staged = Candidate.objects.filter(night__person_id=person_id)
        if reach.everything:
            return staged
        return staged.filter(
            Q(passage__in=reach.passages)
            | Q(memory__in=reach.memories)
            | Q(passage__message__conversation__in=reach.conversations)
        )
