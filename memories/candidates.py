"""Reading one person's search rows for a question, each query bound to the person before anything else.

What every unit has (its place, length and cosine) comes from one index that holds all of it, person by person. The
words come with the rows, and a person with much in store has many rows for a common word: then only those that have one
of the rarer words of the question are read, and those that are nearest by vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db import connection
from django.db.backends.utils import CursorWrapper
from numpy.typing import NDArray
from pgvector import HalfVector

from memories.embedding import Vector
from memories.index import PACKED, term_hash
from memories.models import ExchangeSearch, MemorySearch
from memories.scoring import Floats, Integers, Units, across_scripts, best

_READ_WHOLE = 1_500  # units; of so many, or fewer, every row with any of the words is read
_SAMPLE = 300  # rows that show how common the words are
_ROWS = 1_200  # about so many are read for their words
_NEAREST = 100  # and so many for their vectors
_ON_DAY = 300  # rows of the days that a question names are looked at, the newest first
_COMMON_OFF = 0.75  # of what a person's vectors have in common
_COMMON_FROM = 1_000  # the newest vectors, whose mean is what they have in common

# The rows travel as a few packed strings: a thousand times fewer values for the driver to make objects of.
_ALL = """
SELECT string_agg(unit, ''::bytea), string_agg(float4send(cosine::float4), ''::bytea)
FROM (SELECT unit, {cosine} AS cosine FROM {table} WHERE person_id = %(person)s {only} {order}) AS units
"""
_UNIT = np.dtype([("id", ">i8"), ("group", ">i8"), ("length", ">f4"), ("script", ">i2")])
_WITH_WORDS = """
SELECT string_agg(int8send({id}), ''::bytea), string_agg(int4send(octet_length(packed)), ''::bytea),
       string_agg(packed, ''::bytea)
FROM {table} WHERE person_id = %(person)s {words} {only}
"""
_ON_DAYS = """
SELECT {id} FROM (
    -- Kept apart from the order: in that order an index would be read that is everybody's.
    SELECT {id} FROM {table} WHERE person_id = %(person)s AND terms && %(terms)s::bigint[] OFFSET 0
) AS theirs ORDER BY {id} DESC LIMIT %(most)s
"""
# Some texts are near every question. What they have in common with all of the person's is taken off the question.
_COMMON = """
SELECT avg(vector)::real[] FROM (
    SELECT vector FROM {table} WHERE person_id = %(person)s AND embedder = %(embedder)s {newest} LIMIT %(sample)s
) AS newest
"""
_COSINE = "CASE WHEN embedder = %(embedder)s THEN -(vector <#> %(vector)s::halfvec) ELSE 'NaN' END"
_NO_COSINE = "NULL::float8"

MEMORIES = {
    "table": MemorySearch._meta.db_table,
    "id": "memory_id",
    "order": "",
    "newest": "ORDER BY memory_id DESC",
}
EXCHANGES = {
    "table": ExchangeSearch._meta.db_table,
    "id": "message_id",
    "order": "ORDER BY conversation_id, position",
    "newest": "ORDER BY conversation_id DESC, position DESC",
}

type Statement = tuple[str, dict[str, Any]]


def memory_units(person_id: int, words: Sequence[str], vector: Vector | None, embedder: str) -> Units:
    return _read(MEMORIES, person_id, words, vector, embedder)


def exchange_units(
    person_id: int, words: Sequence[str], vector: Vector | None, embedder: str, *, only: Sequence[int] | None = None
) -> Units:
    """`only` names the messages that begin the wanted exchanges; None means all."""
    return _read(EXCHANGES, person_id, words, vector, embedder, only)


def memories_on(person_id: int, day_words: Sequence[str]) -> Integers:
    return _on(MEMORIES, person_id, day_words)


def exchanges_on(person_id: int, day_words: Sequence[str]) -> Integers:
    return _on(EXCHANGES, person_id, day_words)


def _on(names: dict[str, str], person_id: int, day_words: Sequence[str]) -> Integers:
    """The newest rows that have one of the words for a day. A day of another year has the same word."""
    terms = [term_hash(person_id, word) for word in day_words]
    with connection.cursor() as cursor:
        cursor.execute(*statement_of_days(names, person_id, terms))
        return np.array([row[0] for row in cursor.fetchall()], dtype=np.int64)


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
        if vector is not None:
            cursor.execute(*statement_of_common(names, person_id, embedder))
            (common,) = cursor.fetchone() or (None,)
            if common is not None:
                vector = vector - _COMMON_OFF * np.array(common, dtype=np.float32)
        cursor.execute(*statement_of_all(names, person_id, vector, embedder, only))
        packed, sent = cursor.fetchone() or (None, None)
        units = np.frombuffer(packed or b"", dtype=_UNIT)
        ids = units["id"].astype(np.int64)
        cosines = np.full(len(ids), np.nan) if sent is None else _floats(sent)
        level = across_scripts(cosines, units["script"].astype(np.int64))
        rows = _Rows(cursor, names, person_id, ids, terms)
        if only is not None or len(ids) <= _READ_WHOLE:
            read, weights = rows.with_words(terms, only)
            having = (weights > 0).sum(axis=1).astype(np.float64)
        else:
            read, weights, having = _read_few(rows, level)
    return Units(
        ids=ids,
        groups=units["group"].astype(np.int64),
        lengths=units["length"].astype(np.float64),
        cosines=level,
        read=read,
        weights=weights,
        having=having,
    )


def _read_few(rows: _Rows, cosines: Floats) -> tuple[Integers, Floats, Floats]:
    """The rows that the rarest words of the question name, as far as there is room, and the nearest by vector."""
    count = len(rows.ids)
    sampled = rows.at(np.arange(0, count, max(1, count // _SAMPLE)))[1]
    shares = (sampled > 0).sum(axis=1) / max(sampled.shape[1], 1)
    estimates = np.maximum(shares, 0.5 / _SAMPLE) * count
    order = np.argsort(estimates, kind="stable")
    rare = order[np.cumsum(estimates[order]) <= _ROWS]
    complete = np.zeros(len(rows.terms), dtype=bool)
    if len(rare):
        complete[rare] = True
        read, weights = rows.with_words([rows.terms[n] for n in rare])
    elif len(order):
        # Every word is common: the newest that have the least common one.
        newest = np.sort(rows.ids)[-int(_ROWS / shares[order[0]]) :]
        read, weights = rows.with_words([rows.terms[order[0]]], newest.tolist())
    else:
        read, weights = np.zeros(0, dtype=np.int64), np.zeros((0, 0))
    there = np.flatnonzero(~np.isnan(cosines))
    nearest = there[best(cosines[there], _NEAREST)]
    more, more_weights = rows.at(np.setdiff1d(nearest, read))
    read, weights = np.concatenate([read, more]), np.concatenate([weights, more_weights], axis=1)
    in_order = np.argsort(read, kind="stable")
    read, weights = read[in_order], weights[:, in_order]
    counted = (weights > 0).sum(axis=1)
    return read, weights, np.where(complete, counted, np.maximum(counted, estimates))


class _Rows:
    """The words of chosen rows, by their place among the person's units."""

    def __init__(
        self, cursor: CursorWrapper, names: dict[str, str], person_id: int, ids: Integers, terms: Sequence[int]
    ) -> None:
        self.cursor = cursor
        self.names = names
        self.person_id = person_id
        self.ids = ids
        self.terms = terms
        self._order = np.argsort(ids, kind="stable")

    def with_words(self, terms: Sequence[int], only: Sequence[int] | None = None) -> tuple[Integers, Floats]:
        return self._weights(statement_with_words(self.names, self.person_id, terms, only))

    def at(self, places: Integers) -> tuple[Integers, Floats]:
        return self._weights(statement_of_rows(self.names, self.person_id, self.ids[places].tolist()))

    def _weights(self, statement: Statement) -> tuple[Integers, Floats]:
        """The places of the rows, ascending, and how much of each word of the question is in each: words x rows."""
        self.cursor.execute(*statement)
        found, sizes, packed = self.cursor.fetchone() or (None,) * 3
        ids = _numbers(found, ">i8")
        if not len(ids) or not len(self.ids):
            return np.zeros(0, dtype=np.int64), np.zeros((len(self.terms), 0))
        places = self._order[np.searchsorted(self.ids, ids, sorter=self._order).clip(max=len(self.ids) - 1)]
        weights = np.zeros((len(self.terms), len(ids)))
        entries = np.frombuffer(packed or b"", dtype=PACKED)
        row_of_entry = np.repeat(np.arange(len(ids)), _numbers(sizes, ">i4") // PACKED.itemsize)
        by_hash = np.argsort(np.array(self.terms, dtype=np.int64), kind="stable")
        hashes = np.array(self.terms, dtype=np.int64)[by_hash]
        if len(hashes):
            at = np.searchsorted(hashes, entries["term"]).clip(max=len(hashes) - 1)
            hit = np.flatnonzero(hashes[at] == entries["term"])
            weights[by_hash[at[hit]], row_of_entry[hit]] = entries["weight"][hit]
        # Between the two queries a row may have come; it is of the next question.
        kept = np.flatnonzero(self.ids[places] == ids)
        kept = kept[np.argsort(places[kept], kind="stable")]
        return places[kept], weights[:, kept]


def statement_of_common(names: dict[str, str], person_id: int, embedder: str) -> Statement:
    return _COMMON.format(**names), {"person": person_id, "embedder": embedder, "sample": _COMMON_FROM}


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
    words = "AND terms && %(terms)s::bigint[]"
    return _WITH_WORDS.format(**names, words=words, only=_only(names, only)), parameters


def statement_of_days(names: dict[str, str], person_id: int, terms: Sequence[int]) -> Statement:
    return _ON_DAYS.format(**names), {"person": person_id, "terms": list(terms), "most": _ON_DAY}


def statement_of_rows(names: dict[str, str], person_id: int, only: Sequence[int]) -> Statement:
    return _WITH_WORDS.format(**names, words="", only=_only(names, only)), {"person": person_id, "only": list(only)}


def _only(names: dict[str, str], only: Sequence[int] | None) -> str:
    return "" if only is None else f"AND {names['id']} = ANY(%(only)s::bigint[])"


def _numbers(sent: bytes | memoryview | None, kind: str) -> Integers:
    return np.frombuffer(sent or b"", dtype=kind).astype(np.int64)


def _floats(sent: bytes | memoryview | None) -> NDArray[np.float64]:
    return np.frombuffer(sent or b"", dtype=">f4").astype(np.float64)
