"""That somebody of the staff looked at a person's words, and why. Shown to that person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from memories.models.person import Person


class Looked(models.TextChoices):
    MEMORY = "memory", _("A memory")
    MESSAGE = "message", _("A message")


class StaffReadQuerySet(models.QuerySet["StaffRead"]):
    def of(self, person: Person) -> Self:
        return self.filter(person=person)


class StaffRead(models.Model):
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="staff_reads")
    staff = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    looked_at = models.CharField(max_length=10, choices=Looked)
    # The row's key; it may be gone by now.
    key = models.PositiveBigIntegerField()
    reason = models.CharField(max_length=200, help_text="The staff member's words.")
    read_at = models.DateTimeField()

    objects = StaffReadQuerySet.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = _("staff read"), _("staff reads")
        indexes = [models.Index(fields=["person", "-read_at"], name="staff_read_newest_first")]

    def __str__(self) -> str:
        return f"staff read {self.pk}"
