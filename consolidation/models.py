"""Nights, what they proposed, and each decision they took."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from memories.models import Category, Confidence, Kind, Memory, Passage


class NightState(models.TextChoices):
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    HELD = "held", _("Held for a look")
    FAILED = "failed", _("Failed")
    UNDONE = "undone", _("Undone")


class Step(models.TextChoices):
    EXTRACT = "extract", _("Extracting")
    RECONCILE = "reconcile", _("Reconciling")
    APPLY = "apply", _("Applying")
    PAGES = "pages", _("Writing pages")


class AskedFor(models.TextChoices):
    SCHEDULE = "schedule", _("On time")
    PERSON = "person", _("Asked for by the person")
    STAFF = "staff", _("Asked for by staff")


class Night(models.Model):
    """One person's consolidation run. At most one is running per person."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="nights")
    # The person's own calendar day; a scheduled night happens once a day.
    local_date = models.DateField()
    asked_for = models.CharField(max_length=10, choices=AskedFor, default=AskedFor.SCHEDULE)
    state = models.CharField(max_length=10, choices=NightState, default=NightState.RUNNING)
    step = models.CharField(max_length=10, choices=Step, default=Step.EXTRACT)
    started_at = models.DateTimeField()
    # A worker that dies lets this pass; the next one takes the night over where it stood.
    leased_until = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    # Messages said up to here are this night's reading.
    reads_until = models.DateTimeField()
    # Counts by name, never text.
    counts = models.JSONField(default=dict)
    error = models.CharField(max_length=40, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person"], condition=models.Q(state="running"), name="night_one_running_per_person"
            ),
            models.UniqueConstraint(
                fields=["person", "local_date"],
                condition=models.Q(asked_for="schedule"),
                name="night_scheduled_once_a_day",
            ),
        ]
        indexes = [models.Index(fields=["person", "-started_at"], name="night_newest_first")]

    def __str__(self) -> str:
        return f"night {self.pk}"


class Candidate(models.Model):
    """A statement that a night staged; derived from its passage, emptied when the night ends."""

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="candidates")
    passage = models.ForeignKey(Passage, on_delete=models.CASCADE, related_name="candidates")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    statement = models.TextField()
    kind = models.CharField(max_length=12, choices=Kind)
    category = models.CharField(max_length=12, choices=Category)
    confidence = models.CharField(max_length=8, choices=Confidence)
    plan = models.BooleanField(default=False)
    lasting = models.BooleanField(default=True)
    event_from = models.DateField(null=True)
    event_until = models.DateField(null=True)
    # Proposed by reconciling; applied only after every guard has passed again.
    verdict = models.CharField(max_length=12, blank=True, default="")
    memory = models.ForeignKey(Memory, null=True, on_delete=models.SET_NULL, related_name="+")

    def __str__(self) -> str:
        return f"candidate {self.pk}"


class Verdict(models.TextChoices):
    NEW = "new", _("New")
    SAME = "same", _("Said again")
    REPLACES = "replaces", _("Replaces an older one")
    NOTHING = "nothing", _("Adds nothing")
    UNCLEAR = "unclear", _("Unclear: asks you")


class Decision(models.Model):
    """One thing a night did or held back, with its reason: ids, spans and codes, never text."""

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="decisions")
    verdict = models.CharField(max_length=12, choices=Verdict, blank=True, default="")
    # A code: of RefusalReason, WaitingReason or a guard of the night.
    reason = models.CharField(max_length=24, blank=True, default="")
    memory = models.ForeignKey(Memory, null=True, on_delete=models.CASCADE, related_name="decisions")
    other = models.ForeignKey(Memory, null=True, on_delete=models.SET_NULL, related_name="+")
    passage = models.ForeignKey(Passage, null=True, on_delete=models.CASCADE, related_name="+")
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    decided_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"decision {self.pk}"
