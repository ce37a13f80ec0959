"""One act of deleting: what it took, how long it can be undone, and its receipt of counts."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from memories.models.memory import Evidence, Memory, Status
from memories.models.transcript import Conversation, Message, Passage

if TYPE_CHECKING:
    from memories.models.person import Person


class Via(models.TextChoices):
    LIST = "list", _("The memory list")
    DETAIL = "detail", _("A memory's page")
    CHAT = "chat", _("A conversation")
    CONVERSATION = "conversation", _("Deleting a conversation")
    ACCOUNT = "account", _("Deleting the account")
    COMMAND = "command", _("The command line")


class DeletionQuerySet(models.QuerySet["Deletion"]):
    def of(self, person: Person) -> Self:
        return self.filter(person=person)

    def standing(self) -> Self:
        """Carried out and not undone."""
        return self.filter(undone_at=None)

    def to_purge(self, now: datetime) -> Self:
        return self.filter(undone_at=None, purged_at=None, undo_until__lte=now)


class Deletion(models.Model):
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="deletions")
    via = models.CharField(max_length=12, choices=Via)
    erase_words = models.BooleanField(default=False)
    everything = models.BooleanField(default=False, help_text="All that was remembered went.")
    carried_out_at = models.DateTimeField()
    undo_until = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)
    purged_at = models.DateTimeField(null=True)
    # Counts per layer, never text: {"memories": 2, "versions": 1, "tombstones": 3, ...}
    counts = models.JSONField(default=dict)
    # What undo gives back of the settings that were derived from a taken memory; emptied by the purge.
    settings_before = models.JSONField(default=dict)
    # Keyed marks of the words that the taken statements consist of, never the words: see forgetting/marks.py.
    marks = models.JSONField(default=list)
    checked_at = models.DateTimeField(null=True)
    check_findings = models.PositiveIntegerField(null=True)

    objects = DeletionQuerySet.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = _("deletion"), _("deletions")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(undone_at=None) | models.Q(purged_at=None), name="deletion_is_undone_or_purged"
            ),
            # Undone within its window, purged after it.
            models.CheckConstraint(
                condition=models.Q(undo_until__gte=models.F("carried_out_at"))
                & (models.Q(undone_at=None) | models.Q(undone_at__lt=models.F("undo_until")))
                & (models.Q(purged_at=None) | models.Q(purged_at__gte=models.F("undo_until"))),
                name="deletion_times_are_in_order",
            ),
        ]
        indexes = [
            models.Index(
                fields=["undo_until"], condition=models.Q(undone_at=None, purged_at=None), name="deletion_to_purge"
            )
        ]

    def __str__(self) -> str:
        return f"deletion {self.pk}"

    def can_undo(self, now: datetime) -> bool:
        return self.undone_at is None and self.purged_at is None and now < self.undo_until


class DeletedMemory(models.Model):
    """A memory that a deletion took, with the status to give back on undo."""

    deletion = models.ForeignKey(Deletion, on_delete=models.CASCADE, related_name="taken")
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="taken_by")
    status_before = models.CharField(max_length=12, choices=Status)
    waiting_reason_before = models.CharField(max_length=16, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["memory"], name="memory_is_deleted_once")]

    def __str__(self) -> str:
        return f"deleted memory {self.memory_id}"


class AlteredMemory(models.Model):
    """A memory that a deletion left standing but changed: it lost evidence, or what had replaced it."""

    deletion = models.ForeignKey(Deletion, on_delete=models.CASCADE, related_name="altered")
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="altered_by")
    status_before = models.CharField(max_length=12, choices=Status)
    superseded_by_before = models.ForeignKey(Memory, null=True, on_delete=models.SET_NULL, related_name="+")
    superseded_at_before = models.DateTimeField(null=True)
    to_check_at_before = models.DateTimeField(null=True)
    # The entry that it rests on since, where all its evidence went.
    stand_in = models.ForeignKey(Evidence, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["deletion", "memory"], name="memory_is_altered_once")]

    def __str__(self) -> str:
        return f"altered memory {self.memory_id}"


class DeletedEvidence(models.Model):
    """Evidence that a deletion took from a memory that stays. Spans only, as everywhere; gone after the purge."""

    deletion = models.ForeignKey(Deletion, on_delete=models.CASCADE, related_name="taken_evidence")
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="+")
    passage = models.ForeignKey(Passage, on_delete=models.CASCADE, related_name="+")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    said_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "deleted evidence"

    def __str__(self) -> str:
        return f"deleted evidence {self.pk}"


class DeletedTitle(models.Model):
    """The title of a conversation while its deletion can be undone: moved here, not copied; gone after the purge."""

    deletion = models.ForeignKey(Deletion, on_delete=models.CASCADE, related_name="taken_titles")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+")
    title = models.CharField(max_length=200)
    title_is_mine = models.BooleanField()

    def __str__(self) -> str:
        return f"deleted title {self.pk}"


class OrderedDeletionQuerySet(models.QuerySet["OrderedDeletion"]):
    def of(self, person: Person) -> Self:
        return self.filter(person=person)

    def unfinished(self) -> Self:
        return self.filter(finished_at=None)


class OrderedDeletion(models.Model):
    """The person's word that all that is remembered goes, until a worker has carried it out."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ordered_deletions")
    via = models.CharField(max_length=12, choices=Via)
    erase_words = models.BooleanField(default=False)
    ordered_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    # Null while it is not carried out, and where there was nothing left to forget.
    deletion = models.ForeignKey(Deletion, null=True, on_delete=models.SET_NULL, related_name="+")

    objects = OrderedDeletionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person"], condition=models.Q(finished_at=None), name="deletion_ordered_once_at_a_time"
            ),
            models.CheckConstraint(
                condition=models.Q(deletion=None) | models.Q(finished_at__isnull=False),
                name="deletion_ordered_is_finished",
            ),
        ]

    def __str__(self) -> str:
        return f"ordered deletion {self.pk}"


class ProposalState(models.TextChoices):
    OPEN = "open", _("Waiting for your answer")
    CONFIRMED = "confirmed", _("Forgotten")
    CANCELLED = "cancelled", _("Kept")


class ProposedDeletionQuerySet(models.QuerySet["ProposedDeletion"]):
    def of(self, person: Person) -> Self:
        return self.filter(person=person)


class ProposedDeletion(models.Model):
    """What the assistant was asked to forget, shown as a card under its reply. Only the person carries it out."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="proposed_deletions")
    reply = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="proposed_deletions")
    # Keys of memories, in one group for each thing the request may mean; more than one group asks which.
    groups = models.JSONField(default=list)
    # The request named a subject, not one statement: whatever bears its name goes too.
    about = models.BooleanField(default=False)
    # What would go, by layer, as counted when it was proposed.
    counts = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=ProposalState, default=ProposalState.OPEN)
    deletion = models.ForeignKey(Deletion, null=True, on_delete=models.SET_NULL, related_name="+")
    proposed_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    objects = ProposedDeletionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state="open", answered_at=None)
                | (~models.Q(state="open") & models.Q(answered_at__isnull=False)),
                name="deletion_proposed_is_open_or_answered",
            )
        ]

    def __str__(self) -> str:
        return f"proposed deletion {self.pk}"
