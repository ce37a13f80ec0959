"""A memory is born with its number, its evidence, its search row and the door's answer, in one statement."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db import connection, models

from memories import index
from memories.models import Evidence, Memory, MemorySearch, Person, Write

# Of these the database knows better: what it makes itself, and whose memory it is.
_MADE = {"id", "unit"}
_BORN = {"memory_id": "born.id"}


def bear(memory: Memory, evidence: Evidence, write: Write) -> None:
    """Keep all of them. The caller holds the lock of the person, who is as they were read under it."""
    person = memory.person
    person.last_memory_number += 1
    memory.number = person.last_memory_number
    row = MemorySearch(**index.memory_row(memory))
    values: dict[str, Any] = {"person": person.pk, "number": memory.number}
    for one in (memory, evidence, row, write):
        values |= _values(one)
    with connection.cursor() as cursor:
        cursor.execute(_statement(), values)
        memory.pk, write.pk = cursor.fetchone() or (None, None)
    evidence.memory = write.memory = memory
    for kept in (memory, write):
        kept._state.adding, kept._state.db = False, connection.alias
    index.embed_soon(person.pk)


@cache
def _statement() -> str:
    return f"""
WITH numbered AS (
    UPDATE {Person._meta.db_table} SET last_memory_number = %(number)s WHERE id = %(person)s
), born AS (
    {_insert(Memory)} RETURNING id
), rests AS (
    {_insert(Evidence)} FROM born
), searched AS (
    {_insert(MemorySearch)} FROM born
), answered AS (
    {_insert(Write)} FROM born RETURNING id
)
SELECT born.id, answered.id FROM born, answered
"""  # noqa: S608  (names of our own tables)


def _insert(model: type[models.Model]) -> str:
    columns = [str(field.column) for field in _fields(model)]
    into = ", ".join(connection.ops.quote_name(column) for column in columns)
    values = ", ".join(_BORN.get(column, f"%({model._meta.model_name}.{column})s") for column in columns)
    return f"INSERT INTO {model._meta.db_table} ({into}) SELECT {values}"


def _values(one: models.Model) -> dict[str, Any]:
    return {
        f"{one._meta.model_name}.{field.column}": field.get_db_prep_save(getattr(one, field.attname), connection)
        for field in _fields(type(one))
        if field.column not in _BORN
    }


@cache
def _fields(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    return [field for field in model._meta.concrete_fields if field.column not in _MADE]
