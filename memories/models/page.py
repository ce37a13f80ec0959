"""What the night makes of the memories: pages of lines, each line resting on memories. Derived; can be rebuilt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models

from memories.models.memory import Memory

if TYPE_CHECKING:
    from memories.models.person import Person

PREFERENCES = "preferences"


class PageQuerySet(models.QuerySet["Page"]):
    def of(self, person: Person) -> Self:
        return self.filter(person=person)


class Page(models.Model):
    """The preference page (slug `preferences`) or a topic page of one person."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="pages")
    slug = models.SlugField(max_length=60, allow_unicode=True)
    title = models.CharField(
        max_length=120, blank=True, default="", help_text="Derived; blank for the preference page."
    )
    built_at = models.DateTimeField()

    objects = PageQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "slug"], name="page_slug_is_the_persons")]

    def __str__(self) -> str:
        return f"page {self.pk}"


class Line(models.Model):
    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="lines")
    section = models.CharField(max_length=12, help_text="A Category.")
    position = models.PositiveSmallIntegerField()
    text = models.TextField()
    memories: models.ManyToManyField[Memory, models.Model] = models.ManyToManyField(Memory, related_name="lines")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["page", "position"], name="line_place_is_unique")]

    def __str__(self) -> str:
        return f"line {self.pk}"
