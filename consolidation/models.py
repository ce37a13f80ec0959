"""Nights, what they proposed, and each decision they took."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.models import Category, Confidence, Evidence, Kind, Memory, Message, Page, Passage

if TYPE_CHECKING:
    from memories.models import Person


class NightState(models.TextChoices):
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    HELD = "held", _("Held for a look")
    FAILED = "failed", _("Failed")
    DISMISSED = "dismissed", _("Dismissed")
    UNDONE = "undone", _("Undone")


class Step(models.TextChoices):
    EXTRACT = "extract", _("Extracting")
    RECONCILE = "reconcile", _("Reconciling")
    APPLY = "apply", _("Applying")
    CHECK = "check", _("Checking")
    PAGES = "pages", _("Writing pages")


class AskedFor(models.TextChoices):
    SCHEDULE = "schedule", _("On time")
    PERSON = "person", _("Asked for by the person")
    STAFF = "staff", _("Asked for by staff")
    # Its proposal is printed and none of it is carried out; it leaves no night behind.
    REHEARSAL = "rehearsal", _("A rehearsal")


class Guard(models.TextChoices):
    """Why a night held a proposal back; the write door's own reasons stand beside these."""

    WRONG_LANGUAGE = "wrong_language", _("It was not in the language that was spoken.")
    UNKNOWN_MEMORY = "unknown_memory", _("It named a memory that was not shown.")
    OTHER_SUBJECT = "other_subject", _("It is about something else than the memory it would replace.")
    TURNED = "turned", _("It seems to say the opposite of your words.")
    UNRELATED = "unrelated", _("It is not clear what it has to do with the memory it would replace.")
    OLDER = "older", _("What is remembered was said later.")
    UNTRUSTED = "untrusted_source", _("What is remembered rests on better words.")
    PLAN = "plan", _("A plan does not change the present.")
    OTHER_VALUE = "other_value", _("The names or numbers differ, so both are kept.")
    EDITED = "edited", _("You changed the memory meanwhile; your change wins.")
    UNJUDGED = "unjudged", _("It was not compared.")
    NOT_READ = "not_read", _("The words could not be read by the model and were skipped.")
    ENOUGH_ASKED = "enough_asked", _("It was only inferred, and enough of that waits for you.")
    FADING = "fading", _("It has not come up for long.")
    LESS_SAID = "less_said", _("Some of the words it rested on are gone.")
    CONTRADICTS = "contradicts", _("It contradicts another memory.")


class NightQuerySet(models.QuerySet["Night"]):
    def of(self, person: Person) -> Self:
        return self.filter(person=person)

    def running(self) -> Self:
        return self.filter(state=NightState.RUNNING)

    def abandoned(self, now: datetime) -> Self:
        """Running, but nobody holds the lease any more."""
        return self.running().filter(leased_until__lt=now).exclude(asked_for=AskedFor.REHEARSAL)

    def newest_first(self) -> Self:
        return self.order_by("-started_at", "-pk")


class Night(models.Model):
    """One person's consolidation run. At most one is running per person."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="nights", verbose_name=_("person")
    )
    # The person's own calendar day; a scheduled night happens once a day.
    local_date = models.DateField(
        _("the person's day"),
    )
    asked_for = models.CharField(_("asked for"), max_length=10, choices=AskedFor, default=AskedFor.SCHEDULE)
    state = models.CharField(_("state"), max_length=10, choices=NightState, default=NightState.RUNNING)
    step = models.CharField(_("step"), max_length=10, choices=Step, default=Step.EXTRACT)
    started_at = models.DateTimeField(
        _("started at"),
    )
    # A worker that dies lets this pass; the next one takes the night over where it stood.
    leased_until = models.DateTimeField(
        _("held by a worker until"),
    )
    ended_at = models.DateTimeField(_("ended at"), null=True)
    # Messages said up to here are this night's reading.
    reads_until = models.DateTimeField(
        _("reads what was said until"),
    )
    # Counts by name, never text.
    counts = models.JSONField(_("counts"), default=dict)
    # The code of a ClaudeError, or a name.
    error = models.CharField(_("error"), max_length=40, blank=True, default="")
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    # Keys of memories that were compared on checking, so that a resumed night asks about none twice.
    compared = models.JSONField(default=list)
    undone_at = models.DateTimeField(null=True)

    objects = NightQuerySet.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = _("night"), _("nights")
        constraints = [
            models.UniqueConstraint(
                fields=["person"], condition=models.Q(state="running"), name="night_one_running_per_person"
            ),
            models.UniqueConstraint(
                fields=["person", "local_date"],
                condition=models.Q(asked_for="schedule"),
                name="night_scheduled_once_a_day",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="running") | models.Q(ended_at=None), name="night_running_has_not_ended"
            ),
            models.CheckConstraint(
                condition=models.Q(state="undone", undone_at__isnull=False)
                | (~models.Q(state="undone") & models.Q(undone_at=None)),
                name="night_undone_says_when",
            ),
        ]
        indexes = [models.Index(fields=["person", "-started_at"], name="night_newest_first")]

    def __str__(self) -> str:
        return gettext("Night %(number)d") % {"number": self.pk}

    @property
    def run(self) -> str:
        """What this night's model calls are booked under."""
        return f"night-{self.pk}"

    @property
    def is_running(self) -> bool:
        return self.state == NightState.RUNNING

    @property
    def is_quiet(self) -> bool:
        """It found nothing to do."""
        return self.state == NightState.DONE and not any(self.counts.values())

    def is_stuck(self, now: datetime) -> bool:
        return self.is_running and self.leased_until < now

    def last_done_at(self) -> datetime | None:
        """When the last night before this one that came to its end began."""
        done = Night.objects.filter(person=self.person_id, state=NightState.DONE, started_at__lt=self.started_at)
        return done.newest_first().values_list("started_at", flat=True).first()

    def release(self, state: NightState, *, now: datetime, error: str = "") -> None:
        self.state, self.error, self.ended_at, self.leased_until = state, error, now, now
        self.save(update_fields=["state", "error", "ended_at", "leased_until"])

    def reach(self, step: Step) -> None:
        self.step = step
        self.save(update_fields=["step"])

    def count(self, **counts: int) -> None:
        """Set counts by name. Zero is kept out, so that a quiet night has none."""
        self.counts = {**self.counts, **{name: value for name, value in counts.items() if value}}
        self.save(update_fields=["counts"])

    def decide(self, did: Did, reason: str, memory: Memory, *, now: datetime, other: Memory | None = None) -> None:
        """Write down, and count, what it did with a memory that was there."""
        Decision.objects.create(night=self, did=did, reason=reason, memory=memory, other=other, decided_at=now)
        self.count(**{did.value: self.counts.get(did.value, 0) + 1})

    def wait_until(self, later: datetime) -> None:
        """Nobody holds it while a batch is out; the next worker looks then."""
        self.leased_until = later
        self.save(update_fields=["leased_until"])

    def lease_for(self, now: datetime, seconds: int) -> bool:
        """Take or renew the lease; false when another worker has it. The old value is the fencing token."""
        until = now + timedelta(seconds=seconds)
        taken = Night.objects.running().filter(pk=self.pk, leased_until=self.leased_until).update(leased_until=until)
        self.leased_until = until
        return bool(taken)


class Window(models.Model):
    """A run of passages that one extracting call reads, planned before the call so that a resumed night reads the
    same."""

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="windows")
    position = models.PositiveIntegerField()
    # [passage id, start, end] of what is read here and nowhere else.
    spans = models.JSONField()
    messages: models.ManyToManyField[Message, Any] = models.ManyToManyField(Message, related_name="+")
    failures = models.PositiveSmallIntegerField(default=0)
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["night", "position"], name="window_place_is_unique")]

    def __str__(self) -> str:
        return f"window {self.pk}"


class Batch(models.Model):
    """Requests of one step that were sent together for half the price, answered within a day. Written down before they
    are sent, so that what was sent and not noted is found again instead of being paid twice."""

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="batches")
    step = models.CharField(max_length=10, choices=Step)
    # The service's, once it is known.
    batch_id = models.CharField(max_length=80, blank=True, default="")
    # {custom id: keys of the rows that it asks about}
    asked = models.JSONField()
    submitted_at = models.DateTimeField()
    # Collected, or given up: what is still open is then asked directly.
    collected_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"batch {self.pk}"

    def close(self, now: datetime) -> None:
        self.collected_at = now
        self.save(update_fields=["collected_at"])


class Candidate(models.Model):
    """A statement that a night staged; derived from its passage, emptied when the night ends."""

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="candidates")
    window = models.ForeignKey(Window, null=True, on_delete=models.CASCADE, related_name="candidates")
    passage = models.ForeignKey(Passage, on_delete=models.CASCADE, related_name="candidates")
    said_at = models.DateTimeField()
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
    # An edit between judging and applying shows in the version: the person's change wins.
    memory_version = models.PositiveSmallIntegerField(null=True)
    # Judged against an earlier candidate of the same night instead of a memory.
    earlier = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=24, blank=True, default="", help_text="A Guard that turned the verdict.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(event_until=None)
                | models.Q(event_from__isnull=False, event_until__gte=models.F("event_from")),
                name="candidate_event_ends_after_it_begins",
            )
        ]

    def __str__(self) -> str:
        return f"candidate {self.pk}"


class Verdict(models.TextChoices):
    NEW = "new", _("New")
    SAME = "same", _("Said again")
    REPLACES = "replaces", _("Replaces an older one")
    NOTHING = "nothing", _("Adds nothing")
    UNCLEAR = "unclear", _("Unclear: asks you")


class Did(models.TextChoices):
    """What came of a proposal."""

    ADDED = "added", _("Added")
    CONFIRMED = "confirmed", _("Said again")
    REPLACED = "replaced", _("Replaced")
    WAITING = "waiting", _("Waiting for you")
    HELD_BACK = "held_back", _("Held back")
    FADED = "faded", _("Faded")
    CHECKED = "checked", _("Checked")
    SETTLED = "settled", _("Replaced on checking")
    ASKED = "asked", _("Asked you")


class Decision(models.Model):
    """One thing a night did or held back, with its reason: ids, spans and codes, never text."""

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="decisions")
    did = models.CharField(_("what it did"), max_length=10, choices=Did, default=Did.HELD_BACK)
    verdict = models.CharField(_("verdict"), max_length=12, choices=Verdict, blank=True, default="")
    # A code: of RefusalReason, WaitingReason or a guard of the night.
    reason = models.CharField(_("reason"), max_length=24, blank=True, default="")
    memory = models.ForeignKey(Memory, null=True, on_delete=models.CASCADE, related_name="decisions")
    other = models.ForeignKey(Memory, null=True, on_delete=models.SET_NULL, related_name="+")
    passage = models.ForeignKey(Passage, null=True, on_delete=models.CASCADE, related_name="+")
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    # Evidence this decision added, so that undoing the night takes back exactly that.
    evidence = models.ForeignKey(Evidence, null=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField()

    class Meta:
        verbose_name, verbose_name_plural = _("decision"), _("decisions")
        indexes = [models.Index(fields=["night", "did"], name="decision_by_night")]

    def __str__(self) -> str:
        return f"decision {self.pk}"


class BuiltSection(models.Model):
    """What a section of a page was built from, so that it is written again only where its memories changed."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="built_sections")
    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="built_sections")
    section = models.CharField(max_length=12)
    # {memory id: version}
    built_from = models.JSONField()
    built_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["page", "section"], name="built_section_is_unique")]

    def __str__(self) -> str:
        return f"built section {self.pk}"
