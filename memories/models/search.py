"""What recall searches: one row per memory and one per exchange, derived from their words and gone with them."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from pgvector.django import HalfVectorField

from memories.models.memory import Memory
from memories.models.transcript import Conversation, Message


class Real(models.FloatField):  # type: ignore[type-arg]
    """Four bytes, as they travel."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        return "real"


# Person by person and in order, so that a question touches nobody else's pages and no wide row.
IN_INDEX = ["unit", "embedder", "vector"]


def unit_of(key: str, group: str) -> models.GeneratedField:
    """What a question needs of every unit of a person, as one string of bytes that PostgreSQL keeps beside the columns
    it is made of: to put it together again for thousands of rows would cost more than all the cosines."""
    sent = (("int8send", key), ("int8send", group), ("float4send", "length"), ("int2send", "script"))
    return models.GeneratedField(
        expression=models.Func(
            *(models.Func(models.F(column), function=function) for function, column in sent),
            template="%(expressions)s",
            arg_joiner=" || ",
            output_field=models.BinaryField(),
        ),
        output_field=models.BinaryField(),
        db_persist=True,
    )


class SearchRow(models.Model):
    """`terms` are hashes of the words, made with the person's id, so that the posting lists of the GIN index are the
    person's own. `packed` repeats them with their weights; `memories.index` writes both."""

    # The index of the units begins with the person.
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    terms = ArrayField(models.BigIntegerField())
    packed = models.BinaryField()
    length = Real()
    script = models.SmallIntegerField(default=0, help_text="What it is written in: `memories.words.script`.")
    # Null until the worker has made it. The embedder's name and version stand beside it.
    vector = HalfVectorField(null=True)
    embedder = models.CharField(max_length=60, blank=True, default="")

    class Meta:
        abstract = True


class MemorySearch(SearchRow):
    memory = models.OneToOneField(Memory, on_delete=models.CASCADE, related_name="search_row")
    unit = unit_of("memory", "memory")

    class Meta:
        indexes = [
            GinIndex(fields=["terms"], name="memory_search_terms"),
            models.Index(fields=["embedder", "person"], name="memory_search_made_by"),
            models.Index(fields=["person", "memory"], include=IN_INDEX, name="memory_search_units"),
        ]

    def __str__(self) -> str:
        return f"search row of memory {self.memory_id}"


class ExchangeSearch(SearchRow):
    """One exchange: a message of the person and the shown reply to it. The row belongs to the person's message."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+")
    message = models.OneToOneField(Message, on_delete=models.CASCADE, related_name="search_row")
    position = models.PositiveIntegerField()
    unit = unit_of("message", "conversation")

    class Meta:
        indexes = [
            GinIndex(fields=["terms"], name="exchange_search_terms"),
            models.Index(fields=["embedder", "person"], name="exchange_search_made_by"),
            models.Index(
                fields=["person", "conversation", "position"],
                include=IN_INDEX,
                name="exchange_search_units",
            ),
        ]

    def __str__(self) -> str:
        return f"search row of message {self.message_id}"
