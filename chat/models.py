"""What is sent to the model: segments of a conversation and the raw turns in them. Derived from the transcript and the
memories; a segment whose source is forgotten is ended and its turns dropped."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from memories.models import Conversation, Memory, Message, Role


class EndReason(models.TextChoices):
    BUDGET = "budget", _("It passed its token budget")
    AGE = "age", _("It grew old")
    FORGOTTEN = "forgotten", _("Something in it was forgotten")
    CHANGED = "changed", _("Something before it was changed")


class Segment(models.Model):
    """A run of a conversation that is sent append-only, opened by the injected block and a summary."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="segments")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="segments")
    # Everything of the conversation before this position is told by the summary.
    from_position = models.PositiveIntegerField()
    # Kept word for word while the segment lives, so that the cached prefix stays byte-identical.
    opening = models.TextField(blank=True, default="")
    summary = models.TextField(blank=True, default="")
    injected: models.ManyToManyField[Memory, models.Model] = models.ManyToManyField(Memory, related_name="+")
    opened_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    end_reason = models.CharField(max_length=10, choices=EndReason, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["conversation"], condition=models.Q(ended_at=None), name="segment_one_open")
        ]

    def __str__(self) -> str:
        return f"segment {self.pk}"


class SentTurn(models.Model):
    """One API message of a segment, with the content blocks exactly as sent or received."""

    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="turns")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="sent_turns")
    position = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=Role)
    blocks = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["segment", "position"], name="sent_turn_place_is_unique")]

    def __str__(self) -> str:
        return f"sent turn {self.pk}"


class FoundMessage(models.Model):
    """A message that `search_conversations` gave to one reply: what was sent there is forgotten with it."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="found_messages")
    reply = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="found_messages")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="+")
    given_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["reply", "message"], name="found_message_once_for_a_reply")]

    def __str__(self) -> str:
        return f"found message {self.pk}"
