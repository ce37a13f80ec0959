"""Reading one person's search rows for a question: two queries, each bound to the person before anything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from pgvector import HalfVector

from memories.embedding import Vector
from memories.index import PACKED, term_hash
from memories.models import ExchangeSearch, MemorySearch
from memories.scoring import Units

# The rows travel as a few packed strings: a thousand times fewer values for the driver to make objects of.
_ALL = """
SELECT string_agg(int8send(id), ''::bytea), string_agg(int8send({group}), ''::bytea),
       string_agg(float4send(length::float4), ''::bytea), string_agg(float4send(cosine::float4), ''::bytea)
FROM (
    SELECT {id} AS id, {group} AS {group}, length, {cosine} AS cosine
    FROM {table} WHERE person_id = %(person)s {only} {order}
) AS units
"""
_WITH_WORDS = """
SELECT string_agg(int8send({id}), ''::bytea), string_agg(int4send(octet_length(packed)), ''::bytea),
       string_agg(packed, ''::bytea)
FROM {table} WHERE person_id = %(person)s AND terms && %(terms)s::bigint[] {only}
"""
_COSINE = "CASE WHEN embedder = %(embedder)s THEN -(vector <#> %(vector)s::halfvec) ELSE 'NaN' END"
_NO_COSINE = "'NaN'::float8"

MEMORIES = {"table": MemorySearch._meta.db_table, "id": "memory_id", "group": "memory_id", "order": ""}
EXCHANGES = {
    "table": ExchangeSearch._meta.db_table,
    "id": "message_id",
    "group": "conversation_id",
    "order": "ORDER BY conversation_id, position",
}

type Statement = tuple[str, dict[str, Any]]


def memory_units(person_id: int, words: Sequence[str], vector: Vector | None, embedder: str) -> Units:
    return _read(MEMORIES, person_id, words, vector, embedder)


def exchange_units(
    person_id: int, words: Sequence[str], vector: Vector | None, embedder: str, *, only: Sequence[int] | None = None
) -> Units:
    """`only` names the messages that begin the wanted exchanges; None means all."""
    return _read(EXCHANGES, person_id, words, vector, embedder, only)


def _read(
    names: dict[str, str],
    person_id: int,
    words: Sequence[str],
    vector: Vector | None,
    embedder: str,
    only: Sequence[int] | None = None,
) -> Units:
    terms = [term_hash(person_id, word) for word in words]
    with connection.cursor() as cursor:
        cursor.execute(*statement_of_all(names, person_id, vector, embedder, only))
        ids, groups, lengths, cosines = cursor.fetchone() or (None,) * 4
        cursor.execute(*statement_with_words(names, person_id, terms, only))
        found, sizes, packed = cursor.fetchone() or (None,) * 3
    units = _numbers(ids, ">i8")
    return Units(
        ids=units,
        groups=_numbers(groups, ">i8"),
        lengths=_numbers(lengths, ">f4").astype(np.float64),
        weights=_weights(units, terms, _numbers(found, ">i8"), _numbers(sizes, ">i4"), packed),
        cosines=_numbers(cosines, ">f4").astype(np.float64),
    )


def statement_of_all(
    names: dict[str, str], person_id: int, vector: Vector | None, embedder: str, only: Sequence[int] | None = None
) -> Statement:
    parameters: dict[str, Any] = {"person": person_id, "only": list(only or [])}
    if vector is not None:
        parameters |= {"vector": HalfVector(vector).to_text(), "embedder": embedder}
    cosine = _NO_COSINE if vector is None else _COSINE
    return _ALL.format(**names, cosine=cosine, only=_only(names, only)), parameters


def statement_with_words(
    names: dict[str, str], person_id: int, terms: Sequence[int], only: Sequence[int] | None = None
) -> Statement:
    parameters: dict[str, Any] = {"person": person_id, "terms": list(terms), "only": list(only or [])}
    return _WITH_WORDS.format(**names, only=_only(names, only)), parameters


def _only(names: dict[str, str], only: Sequence[int] | None) -> str:
    return "" if only is None else f"AND {names['id']} = ANY(%(only)s::bigint[])"


def _numbers(sent: bytes | memoryview | None, kind: str) -> NDArray[np.int64]:
    return np.frombuffer(sent or b"", dtype=kind).astype(kind.lstrip(">"))


def _weights(
    ids: NDArray[np.int64],
    terms: Sequence[int],
    found: NDArray[np.int64],
    sizes: NDArray[np.int64],
    packed: bytes | memoryview | None,
) -> NDArray[np.float64]:
    """How much of each word of the question is in each unit, as words x units."""
    weights = np.zeros((len(terms), len(ids)))
    if not len(found) or not len(ids):
        return weights
    entries = np.frombuffer(packed or b"", dtype=PACKED)
    order = np.argsort(ids, kind="stable")
    places = order[np.searchsorted(ids, found, sorter=order).clip(max=len(ids) - 1)]
    # Between the two queries a row may have come; it is of the next question.
    places = np.where(ids[places] == found, places, -1)
    place_of_entry = np.repeat(places, sizes // PACKED.itemsize)
    entries, place_of_entry = entries[place_of_entry >= 0], place_of_entry[place_of_entry >= 0]
    for row, term in enumerate(terms):
        hit = entries["term"] == term
        weights[row, place_of_entry[hit]] = entries["weight"][hit]
    return weights
