"""One act of deleting: what it took, how long it can be undone, and its receipt of counts."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from memories.models.memory import Memory, Status

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

    def to_purge(self, now: datetime) -> Self:
        return self.filter(undone_at=None, purged_at=None, undo_until__lte=now)


class Deletion(models.Model):
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="deletions")
    via = models.CharField(max_length=12, choices=Via)
    erase_words = models.BooleanField(default=False)
    carried_out_at = models.DateTimeField()
    undo_until = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)
    purged_at = models.DateTimeField(null=True)
    # Counts per layer, never text: {"memories": 2, "versions": 1, "tombstones": 3, ...}
    counts = models.JSONField(default=dict)
    checked_at = models.DateTimeField(null=True)
    check_findings = models.PositiveIntegerField(null=True)

    objects = DeletionQuerySet.as_manager()

    class Meta:
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
