"""What the person is asked about a memory that is believed: is it still so?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from memories.models.memory import Memory, Status

if TYPE_CHECKING:
    from memories.models.person import Person


class About(models.TextChoices):
    """Why it is asked."""

    FADING = "fading", _("It has not come up for a long time. Is it still so?")
    EVIDENCE = "evidence", _("Some of the words it rested on are gone. Is it still so?")
    CONTRADICTS = "contradicts", _("These two do not seem to go together. Which holds?")


class QuestionQuerySet(models.QuerySet["Question"]):
    def of(self, person: Person) -> Self:
        return self.filter(person=person)

    def open(self) -> Self:
        """Not answered, and about what is still believed; for two that contradict, both."""
        both = models.Q(other=None) & ~models.Q(about=About.CONTRADICTS) | models.Q(other__status=Status.ACTIVE)
        return self.filter(both, answered_at=None, memory__status=Status.ACTIVE)


class Question(models.Model):
    """It holds no words: those stand in the memories."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="questions")
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="questions")
    other = models.ForeignKey(Memory, null=True, on_delete=models.SET_NULL, related_name="+")
    about = models.CharField(max_length=12, choices=About)
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    objects = QuestionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["memory"], condition=models.Q(answered_at=None), name="question_one_open_per_memory"
            )
        ]
        indexes = [models.Index(fields=["person", "asked_at"], name="question_in_order")]

    def __str__(self) -> str:
        return f"question {self.pk}"
