"""What nights derive from people's words: staged candidates. Page lines are the memories app's own."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from consolidation.models import Candidate, NightState, Window
from memories.derived import Finding, Layer, Reach
from memories.forgetting.marks import covers
from memories.models import Deletion, Message, Person

# What such a night has read does not count as read before it has come to its end.
OPEN = [NightState.RUNNING, NightState.HELD, NightState.FAILED]


class Candidates(Layer):
    name = "candidates"
    label = _("Proposals of a night")

    def count(self, person: Person, reach: Reach) -> int:
        return self._reached(person.pk, reach).count()

    def drop(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        staged = self._reached(deletion.person_id, reach) | self._that_say_it(deletion)
        return staged.delete()[1].get("consolidation.Candidate", 0)

    def restore(self, deletion: Deletion, reach: Reach, *, now: datetime) -> None:
        """What a night could not read, or staged in vain, is read by the next one."""
        hidden = Message.objects.filter(person=deletion.person_id)
        if not reach.everything:
            hidden = hidden.filter(Q(passages__in=reach.passages) | Q(conversation__in=reach.conversations))
        hidden.filter(read_at__gte=deletion.carried_out_at).update(read_at=None)
        Window.messages.through._default_manager.filter(
            window__night__person=deletion.person_id, window__night__state__in=OPEN, message__in=hidden
        ).delete()

    def verify(self, deletion: Deletion, reach: Reach) -> Collection[Finding]:
        on_its_words = Q(
            passage__tombstones__deletion=deletion,
            passage__tombstones__start__lt=F("end"),
            passage__tombstones__end__gt=F("start"),
        )
        left = Candidate.objects.filter(on_its_words | Q(memory__in=reach.memories)) | self._that_say_it(deletion)
        left = left.distinct()
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

    def _that_say_it(self, deletion: Deletion) -> QuerySet[Candidate]:
        """A statement may say more than the words that it quotes: a night reads them with those around them."""
        staged = Candidate.objects.filter(night__person_id=deletion.person_id, said_at__lte=deletion.carried_out_at)
        return staged.filter(
            pk__in=[
                pk
                for pk, statement in staged.values_list("pk", "statement")
                if covers(deletion.marks, deletion.person_id, statement)
            ]
        )
