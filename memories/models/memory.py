"""One statement each about a person, with evidence, status and history."""

from __future__ import annotations

from itertools import batched
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from memories.models.transcript import Message, Passage

if TYPE_CHECKING:
    from memories.models.person import Person


class Kind(models.TextChoices):
    """Long-term kinds of memory, as CoALA names them (Sumers et al. 2024)."""

    SEMANTIC = "semantic", _("About you")
    EPISODIC = "episodic", _("What happened")
    PROCEDURAL = "procedural", _("How to do things for you")


class Category(models.TextChoices):
    PROFILE = "profile", _("Profile")
    STYLE = "style", _("Format and style")
    PLACE = "place", _("Time and place")
    WORK = "work", _("Work")
    PEOPLE = "people", _("People and animals")
    TASTE = "taste", _("Likes and dislikes")
    HEALTH = "health", _("Health")
    GOAL = "goal", _("Goals")
    LEARNING = "learning", _("Learning")
    ROUTINE = "routine", _("Routines and ways of working")
    EVENT = "event", _("Events")
    OTHER = "other", _("Other")


class Status(models.TextChoices):
    WAITING = "waiting", _("Waiting for you")
    ACTIVE = "active", _("Active")
    SUPERSEDED = "superseded", _("Replaced")
    FADED = "faded", _("Faded")
    DELETED = "deleted", _("Deleted")


class Confidence(models.TextChoices):
    HIGH = "high", _("Said")
    MEDIUM = "medium", _("Likely")
    LOW = "low", _("Inferred")


class WaitingReason(models.TextChoices):
    """Why a memory needs the person before it may be used."""

    UNTRUSTED = "untrusted", _("It comes from pasted text, a file or a tool, not from your own words.")
    OUTWARD = "outward", _("It would make the assistant act on the outside world.")
    SENSITIVE = "sensitive", _("It is sensitive, and you did not ask outright to keep it.")
    INFERRED = "inferred", _("You did not say it; it was inferred.")
    CONTRADICTS = "contradicts", _("It contradicts something you said before.")
    DELETED_BEFORE = "deleted_before", _("You deleted something like it before.")
    ASKED = "asked", _("You chose to be asked before anything is saved.")
    UNCLEAR = "unclear", _("It is not clear what it means or what it changes.")
    UNDONE = "undone", _("You undid the night that added it.")
    LANGUAGE = "language", _("It was written in another language than you said it in.")


class MemoryQuerySet(models.QuerySet["Memory"]):
    def of(self, person: Person) -> Self:
        return self.filter(person=person)

    def active(self) -> Self:
        return self.filter(status=Status.ACTIVE)

    def waiting(self) -> Self:
        return self.filter(status=Status.WAITING)

    def superseded(self) -> Self:
        return self.filter(status=Status.SUPERSEDED)

    def kept(self) -> Self:
        """All that the person can see: everything but the deleted."""
        return self.exclude(status=Status.DELETED)


class Memory(models.Model):
    """One atomic statement about the person, in the third person and in the language it was said in. Born only in
    `memories.remember`, deleted only in `memories.forget`."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memories")
    number = models.PositiveIntegerField()
    statement = models.TextField()
    kind = models.CharField(max_length=12, choices=Kind)
    category = models.CharField(max_length=12, choices=Category, default=Category.OTHER)
    status = models.CharField(max_length=12, choices=Status)
    waiting_reason = models.CharField(max_length=16, choices=WaitingReason, blank=True, default="")
    confidence = models.CharField(max_length=8, choices=Confidence, default=Confidence.HIGH)
    trusted = models.BooleanField(help_text="Its evidence is the person's own words.")
    plan = models.BooleanField(default=False, help_text="Meant to happen; does not change the present.")
    lasting = models.BooleanField(default=True, help_text="False for what passes soon.")
    # When the thing itself happens, on the person's calendar; equal for one day, null where no time was said.
    event_from = models.DateField(null=True)
    event_until = models.DateField(null=True)
    # The newest evidence's time decides which statement is newer.
    said_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)
    superseded_by = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="replaced")
    superseded_at = models.DateTimeField(null=True)
    # Some of what it rests on was forgotten: the person, or the next night, looks at it again.
    to_check_at = models.DateTimeField(null=True)
    version = models.PositiveSmallIntegerField(default=1, help_text="Grows with each edit; a stale edit is refused.")
    # The reply during which it was remembered; null when a night or the person's own page wrote it.
    reply = models.ForeignKey(Message, null=True, on_delete=models.SET_NULL, related_name="remembered")
    created_at = models.DateTimeField()

    objects = MemoryQuerySet.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = _("memory"), _("memories")
        constraints = [
            models.UniqueConstraint(fields=["person", "number"], name="memory_number_is_the_persons"),
            models.CheckConstraint(
                condition=(models.Q(status="waiting") & ~models.Q(waiting_reason=""))
                | (~models.Q(status="waiting") & models.Q(waiting_reason="")),
                name="memory_waits_for_a_reason",
            ),
            models.CheckConstraint(
                condition=models.Q(event_until=None)
                | models.Q(event_from__isnull=False, event_until__gte=models.F("event_from")),
                name="memory_event_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=~models.Q(status="active") | models.Q(trusted=True), name="memory_active_is_trusted"
            ),
            models.CheckConstraint(
                condition=~models.Q(superseded_by=models.F("id")), name="memory_never_replaces_itself"
            ),
        ]
        indexes = [models.Index(fields=["person", "status", "-said_at"], name="memory_by_status")]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return f"m{self.number}"


class Version(models.Model):
    """What a memory said before an edit. The current words stand on the memory itself."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField()
    statement = models.TextField()
    replaced_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["memory", "number"], name="version_number_is_unique")]

    def __str__(self) -> str:
        return f"version {self.number} of memory {self.memory_id}"


class Evidence(models.Model):
    """A memory's link to a span of a passage, or to the person's own entry on the memory page (no passage)."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="evidence")
    passage = models.ForeignKey(Passage, null=True, on_delete=models.CASCADE, related_name="evidence")
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    said_at = models.DateTimeField()

    class Meta:
        verbose_name, verbose_name_plural = _("evidence"), _("evidence")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(passage=None, start=None, end=None)
                | models.Q(passage__isnull=False, start__isnull=False, end__gt=models.F("start")),
                name="evidence_is_a_span_or_an_entry",
            ),
            models.UniqueConstraint(fields=["memory", "passage", "start", "end"], name="evidence_is_unique"),
        ]

    def __str__(self) -> str:
        return f"evidence {self.pk}"

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands in its passage; (0, 0) for the person's own entry, which overlaps nothing."""
        return self.start or 0, self.end or 0


class AskedBy(models.TextChoices):
    CHAT = "chat", _("A conversation")
    NIGHT = "night", _("A night")
    PAGE = "page", _("The memory page")
    IMPORT = "import", _("An import")


class WriteOutcome(models.TextChoices):
    REMEMBERED = "remembered", _("Remembered")
    UPDATED = "updated", _("Updated")
    CONFIRMED = "confirmed", _("Said again")
    WAITING = "waiting", _("Waiting for you")
    REFUSED = "refused", _("Could not save")


class RefusalReason(models.TextChoices):
    QUOTE_NOT_FOUND = "quote_not_found", _("The quoted words do not stand in the message.")
    NOT_THEIR_WORDS = "not_their_words", _("The words are the assistant's, not yours.")
    CREDENTIAL = "credential", _("Passwords and keys are never kept.")
    DELETED = "deleted", _("You deleted this before.")
    OLDER = "older", _("Something newer is already remembered.")
    UNKNOWN_MEMORY = "unknown_memory", _("It names a memory that does not exist.")
    LEARNING_OFF = "learning_off", _("Learning new memories is switched off.")
    MALFORMED = "malformed", _("It could not be read.")
    WRONG_LANGUAGE = "wrong_language", _("It was not in your language.")
    BLANK = "blank", _("It says nothing.")


class Write(models.Model):
    """One answer of the write door, kept or refused; the chips under a reply and the nights' decisions read it."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="writes")
    asked_by = models.CharField(max_length=8, choices=AskedBy)
    outcome = models.CharField(max_length=12, choices=WriteOutcome)
    reason = models.CharField(max_length=20, blank=True, default="", help_text="A RefusalReason or WaitingReason.")
    memory = models.ForeignKey(Memory, null=True, on_delete=models.CASCADE, related_name="writes")
    replaced = models.ForeignKey(Memory, null=True, on_delete=models.SET_NULL, related_name="+")
    reply = models.ForeignKey(Message, null=True, on_delete=models.CASCADE, related_name="writes")
    written_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"write {self.pk}"


class How(models.TextChoices):
    INJECTED = "injected", _("Always with the conversation")
    RETRIEVED = "retrieved", _("Fits the message")
    ASKED_FOR = "asked_for", _("Looked up by the assistant")


class Because(models.TextChoices):
    """Why recall found a memory for a message."""

    WORDS = "words", _("It has words that were asked for")
    MEANING = "meaning", _("It is close in meaning")
    AROUND = "around", _("What was said around it fits")
    DATE = "date", _("It is of the days that were asked about")
    RECENT = "recent", _("It is among the newest")
    PAST = "past", _("The past was asked about")


class Recollection(models.Model):
    """The record that a memory was given to one reply, and how."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="recollections")
    reply = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="recollections")
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="recollections")
    how = models.CharField(max_length=10, choices=How)
    rank = models.PositiveSmallIntegerField()
    score = models.FloatField(null=True)
    why = ArrayField(models.CharField(max_length=8, choices=Because), default=list)
    # Where in the statement, as it was in that version, the words stand that were asked for: start and end in turn.
    spans = ArrayField(models.PositiveIntegerField(), default=list)
    of_version = models.PositiveSmallIntegerField(null=True)
    cited = models.BooleanField(default=False)
    given_at = models.DateTimeField()

    class Meta:
        verbose_name, verbose_name_plural = _("recollection"), _("recollections")
        constraints = [models.UniqueConstraint(fields=["reply", "memory", "how"], name="recollection_once_each_way")]

    def __str__(self) -> str:
        return f"recollection {self.pk}"

    @property
    def reasons(self) -> list[str]:
        """Why it was given, in plain words."""
        return [str(because.label) for because in Because if because in self.why] or [self.get_how_display()]

    @property
    def words(self) -> list[str]:
        """The words of the statement that were asked for; none when it says something else by now."""
        if self.of_version != self.memory.version:
            return []
        found = [self.memory.statement[start:end] for start, end in batched(self.spans, 2, strict=True)]
        return list(dict.fromkeys(found))
