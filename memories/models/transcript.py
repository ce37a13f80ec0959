"""What was said, word for word: conversations, messages, passages, and the tombstones on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from memories.models.person import Person


class MemoryMode(models.TextChoices):
    ON = "on", _("Memory on")
    READ_ONLY = "read_only", _("Memory read-only")
    TEMPORARY = "temporary", _("Temporary")


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def of(self, person: Person) -> Self:
        """Theirs, without those that a deletion took (they wait out its undo window)."""
        return self.filter(person=person, deletion=None)


class Conversation(models.Model):
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="conversations")
    # Derived from the first messages; cleared when something it was made from is forgotten.
    title = models.CharField(max_length=200, blank=True, default="")
    title_is_mine = models.BooleanField(
        default=False, help_text="The person named it; never replaced by a derived one."
    )
    memory_mode = models.CharField(max_length=10, choices=MemoryMode, default=MemoryMode.ON)
    started_at = models.DateTimeField()
    last_said_at = models.DateTimeField()
    # Gone for every page and for the model; the rows go when the deletion's undo window ends.
    deletion = models.ForeignKey(
        "memories.Deletion", null=True, editable=False, on_delete=models.SET_NULL, related_name="conversations"
    )

    objects = ConversationQuerySet.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = _("conversation"), _("conversations")
        indexes = [models.Index(fields=["person", "-last_said_at"], name="conversation_by_day")]

    def __str__(self) -> str:
        return f"conversation {self.pk}"

    @property
    def name(self) -> str:
        """Its title, or its day while it has none: what was forgotten took the title along."""
        day = date_format(timezone.localtime(self.started_at), "DATE_FORMAT")
        return self.title or _("Conversation of %(day)s") % {"day": day}

    @property
    def learns(self) -> bool:
        return self.memory_mode == MemoryMode.ON

    @property
    def reads_memory(self) -> bool:
        return self.memory_mode != MemoryMode.TEMPORARY


class Role(models.TextChoices):
    USER = "user", _("You")
    ASSISTANT = "assistant", _("Assistant")


class MessageState(models.TextChoices):
    QUEUED = "queued", _("Waiting for an answer")
    STREAMING = "streaming", _("Answering")
    DONE = "done", _("Done")
    STOPPED = "stopped", _("Stopped")
    FAILED = "failed", _("Failed")


class MessageQuerySet(models.QuerySet["Message"]):
    def of(self, person: Person) -> Self:
        return self.filter(person=person, conversation__deletion=None)

    def shown(self) -> Self:
        return self.filter(shown=True)

    def standing(self) -> Self:
        """Shown, and not replaced by other words of the person's."""
        return self.filter(shown=True, replaced_at=None)

    def unread_by_night(self) -> Self:
        """Finished messages that no night has read yet, of conversations that may be learned from."""
        return self.filter(
            read_at=None,
            replaced_at=None,
            state__in=[MessageState.DONE, MessageState.STOPPED, MessageState.FAILED],
            conversation__memory_mode=MemoryMode.ON,
            conversation__deletion=None,
        )


class Message(models.Model):
    """One turn. Several attempts at a reply share a position; one of them is shown."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="messages")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="messages")
    position = models.PositiveIntegerField()
    attempt = models.PositiveSmallIntegerField(default=1)
    shown = models.BooleanField(default=True)
    role = models.CharField(max_length=10, choices=Role)
    state = models.CharField(max_length=10, choices=MessageState, default=MessageState.DONE)
    # The code of the named exception that failed the reply; see claude/errors.py.
    error = models.CharField(max_length=40, blank=True, default="")
    # Made in the composer, so that sending twice is one turn.
    idempotency_key = models.CharField(max_length=64, null=True, default=None)
    said_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    stop_requested_at = models.DateTimeField(null=True)
    # When the person said it anew in other words: the page keeps it, folded; no reply and no night reads it again.
    replaced_at = models.DateTimeField(null=True)
    # When a night read it. Null is the night's watermark: nothing is skipped, whatever the order of commits.
    read_at = models.DateTimeField(null=True)

    objects = MessageQuerySet.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = _("message"), _("messages")
        constraints = [
            models.UniqueConstraint(fields=["conversation", "position", "attempt"], name="message_place_is_unique"),
            models.UniqueConstraint(
                fields=["conversation", "position"], condition=models.Q(shown=True), name="message_one_attempt_shown"
            ),
            models.UniqueConstraint(fields=["person", "idempotency_key"], name="message_sent_once"),
        ]
        indexes = [
            models.Index(
                fields=["person", "said_at"], condition=models.Q(read_at=None), name="message_unread_by_night"
            ),
            models.Index(
                fields=["person"], condition=models.Q(state__in=["queued", "streaming"]), name="message_under_way"
            ),
        ]

    def __str__(self) -> str:
        return f"message {self.pk}"

    @property
    def is_finished(self) -> bool:
        return self.state not in {MessageState.QUEUED, MessageState.STREAMING}


class Origin(models.TextChoices):
    TYPED = "typed", _("Typed by you")
    PASTED = "pasted", _("Pasted")
    FILE = "file", _("From a file")
    TOOL = "tool", _("From a tool")
    ASSISTANT = "assistant", _("Said by the assistant")


class PassageQuerySet(models.QuerySet["Passage"]):
    def of(self, person: Person) -> Self:
        return self.filter(person=person)

    def typed(self) -> Self:
        return self.filter(origin=Origin.TYPED)


class Passage(models.Model):
    """A piece of a message with one origin. Only `typed` passages are the person speaking."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="passages")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="passages")
    position = models.PositiveSmallIntegerField(default=0)
    origin = models.CharField(max_length=10, choices=Origin)
    name = models.CharField(max_length=255, blank=True, default="", help_text="A file's name.")
    text = models.TextField()

    objects = PassageQuerySet.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = _("passage"), _("passages")
        constraints = [models.UniqueConstraint(fields=["message", "position"], name="passage_place_is_unique")]

    def __str__(self) -> str:
        return f"passage {self.pk}"


class Tombstone(models.Model):
    """A mark on a span of a passage: never read again by the model, by recall or by the night.

    `start` and `end` count characters of `Passage.text`; erasing keeps them valid by blanking in place.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tombstones")
    passage = models.ForeignKey(Passage, on_delete=models.CASCADE, related_name="tombstones")
    deletion = models.ForeignKey("memories.Deletion", on_delete=models.CASCADE, related_name="tombstones")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    erased_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name, verbose_name_plural = _("tombstone"), _("tombstones")
        constraints = [
            models.CheckConstraint(condition=models.Q(end__gt=models.F("start")), name="tombstone_has_length")
        ]

    def __str__(self) -> str:
        return f"tombstone {self.pk}"
