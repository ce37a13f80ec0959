"""The person whose memory this is, with the settings that their pages and nights follow."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AbstractUser
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


class Language(models.TextChoices):
    BROWSER = "", _("As the browser asks")
    ENGLISH = "en", "English"
    CHINESE = "zh-hant", "繁體中文"


class Person(AbstractUser):
    """A signed-in human. Every row about them is reached through a queryset scoped to them."""

    language = models.CharField(_("language"), max_length=10, choices=Language, blank=True, default="")
    # Blank until the browser or the person says; UTC is used meanwhile.
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True, default="")
    time_zone_memory = models.ForeignKey(
        "memories.Memory",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The memory that the time zone was derived from, so that forgetting it forgets the setting.",
    )
    night_hour = models.PositiveSmallIntegerField(_("night hour"), default=3, validators=[MaxValueValidator(23)])
    use_memories = models.BooleanField(_("use memories"), default=True)
    learn_memories = models.BooleanField(_("learn new memories"), default=True)
    dream_nightly = models.BooleanField(_("consolidate every night"), default=True)
    ask_before_saving = models.BooleanField(_("ask before saving"), default=False)
    # The number of the newest memory (m42); taken under the person's row lock.
    last_memory_number = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name, verbose_name_plural = _("person"), _("people")
        constraints = [
            models.CheckConstraint(condition=models.Q(night_hour__lte=23), name="person_night_hour_is_an_hour"),
        ]

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone or "UTC")

    def local(self, at: datetime) -> datetime:
        """The moment `at` on this person's clock."""
        return at.astimezone(self.zone)


def lock_person(person_id: int) -> Person:
    """Lock one person's row for the rest of the transaction: the lock under which memories are written or forgotten.

    Rows that point at the person can be added meanwhile: who sends a message has locked its conversation, and would
    wait for this lock while its holder waits for the conversation."""
    return Person.objects.select_for_update(no_key=True).get(pk=person_id)
