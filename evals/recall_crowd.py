"""Many other people in the database, as years would leave them: their rows one after the other, person by person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.postgresql.base import DatabaseWrapper
from pgvector import HalfVector

from evals.recall_speed import EMBEDDER, RandomEmbedder

_FIRST = 1_000_000_000  # keys; below are those of who is measured
_VECTORS = 500
_BATCH = 100_000
_SEARCHED = {"memories_memorysearch": "memory_search_terms", "memories_exchangesearch": "exchange_search_terms"}

# Their words are as common as words are and hashed by person, as everybody's are; what recall never reads of others
# (the weights of their words, their texts) has the right length and says nothing. The vectors are some random ones.
_PEOPLE = """
INSERT INTO memories_person (id, password, is_superuser, username, first_name, last_name, email, is_staff, is_active,
    date_joined, language, time_zone, night_hour, use_memories, learn_memories, dream_nightly, ask_before_saving,
    last_memory_number)
SELECT %(first)s + n, '', false, 'crowd-' || n, '', '', '', false, false, now(), '', '', 3, true, true, true, false, 0
FROM generate_series(0, %(people)s - 1) n
"""
_CONVERSATIONS = """
INSERT INTO memories_conversation (id, person_id, title, title_is_mine, memory_mode, started_at, last_said_at)
SELECT %(first)s + n, %(first)s + n %% %(people)s, '', false, 'on', now(), now()
FROM generate_series(0, %(people)s * 40 - 1) n
"""
_MESSAGES = """
INSERT INTO memories_message (id, person_id, conversation_id, position, attempt, shown, role, state, error, said_at,
    read_at)
SELECT %(first)s + 2 * n + r, %(first)s + n %% %(people)s, %(first)s + n %% (%(people)s * 40),
       2 * (n / (%(people)s * 40)) + r, 1, true, CASE r WHEN 0 THEN 'user' ELSE 'assistant' END, 'done', '',
       now() - (%(rows)s - n) * interval '1 minute', now()
FROM generate_series(%(from)s::bigint, %(until)s::bigint) n, generate_series(0, 1) r
"""
_PASSAGES = """
INSERT INTO memories_passage (id, person_id, message_id, position, origin, name, text)
SELECT %(first)s + 2 * n + r, %(first)s + n %% %(people)s, %(first)s + 2 * n + r, 0,
       CASE r WHEN 0 THEN 'typed' ELSE 'assistant' END, '', repeat(md5((2 * n + r)::text), 5)
FROM generate_series(%(from)s::bigint, %(until)s::bigint) n, generate_series(0, 1) r
"""
_EXCHANGE_ROWS = """
INSERT INTO memories_exchangesearch (person_id, terms, packed, length, script, vector, embedder, conversation_id,
    message_id, position)
SELECT %(first)s + n %% %(people)s, {terms}, decode(repeat('00', 12 * 48), 'hex'), 33, 0, crowd.v, %(embedder)s,
       %(first)s + n %% (%(people)s * 40), %(first)s + 2 * n, 2 * (n / (%(people)s * 40))
FROM generate_series(%(from)s::bigint, %(until)s::bigint) n JOIN crowd ON crowd.place = n %% %(vectors)s
"""
_MEMORIES = """
INSERT INTO memories_memory (id, person_id, number, statement, kind, category, status, waiting_reason, confidence,
    trusted, plan, lasting, said_at, version, created_at)
SELECT %(first)s + n, %(first)s + n %% %(people)s, n / %(people)s + 1, repeat(md5(n::text), 2), 'semantic', 'other',
       'active', '', 'high', true, false, true, now() - (%(rows)s - n) * interval '1 minute', 1, now()
FROM generate_series(%(from)s::bigint, %(until)s::bigint) n
"""
_EVIDENCE = """
INSERT INTO memories_evidence (memory_id, passage_id, start, "end", said_at)
SELECT %(first)s + n, %(first)s + 2 * (n %% %(exchanges)s), 0, 5, now()
FROM generate_series(%(from)s::bigint, %(until)s::bigint) n
"""
_MEMORY_ROWS = """
INSERT INTO memories_memorysearch (person_id, terms, packed, length, script, vector, embedder, memory_id)
SELECT %(first)s + n %% %(people)s, {terms}, decode(repeat('00', 12 * 16), 'hex'), 14, 0, crowd.v, %(embedder)s,
       %(first)s + n
FROM generate_series(%(from)s::bigint, %(until)s::bigint) n JOIN crowd ON crowd.place = n %% %(vectors)s
"""
_TERMS = """
ARRAY(SELECT hashint8extended(floor(30 * power(20000 / 30.0, random()))::bigint, %(first)s + n %% %(people)s)
      FROM generate_series(1, {count}))
"""


@contextmanager
def own_database() -> Iterator[None]:
    """An empty database beside the project's own, gone at the end."""
    before = connection.settings_dict["NAME"]
    _let_go()
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        _let_go()
        connection.creation.destroy_test_db(before, verbosity=0)


def fill(people: int, *, memories: int, passages: int, tell: Callable[[str], object]) -> None:
    """So many rows over so many others. The indexes of the words are made anew at the end, which is quicker; those that
    the rows of a person are read from grow with the rows, and are as loose as years would leave them."""
    exchanges = passages // 2
    values: dict[str, int | str] = {
        "first": _FIRST,
        "people": people,
        "exchanges": exchanges,
        "vectors": _VECTORS,
        "embedder": EMBEDDER,
        "rows": max(exchanges, memories),
    }
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        vectors = [HalfVector(vector).to_text() for vector in RandomEmbedder(2).passages([""] * _VECTORS)]
        cursor.execute(
            "CREATE TEMP TABLE crowd AS"
            " SELECT row_number() OVER () - 1 AS place, v::halfvec AS v FROM unnest(%s::text[]) v",
            [vectors],
        )
        indexes = _words_indexes()
        for name in indexes:
            cursor.execute(f"DROP INDEX {name}")
        cursor.execute(_PEOPLE, values)
        cursor.execute(_CONVERSATIONS, values)
        for count, statements in (
            (exchanges, [_MESSAGES, _PASSAGES, _EXCHANGE_ROWS.format(terms=_TERMS.format(count=48))]),
            (memories, [_MEMORIES, _EVIDENCE, _MEMORY_ROWS.format(terms=_TERMS.format(count=16))]),
        ):
            for begin in range(0, count, _BATCH):
                part = values | {"from": begin, "until": min(begin + _BATCH, count) - 1}
                with transaction.atomic():
                    for statement in statements:
                        cursor.execute(statement, part)
                tell(f"  {min(begin + _BATCH, count):,} of {count:,}")
        cursor.execute("SET maintenance_work_mem = '1GB'")
        for definition in indexes.values():
            cursor.execute(definition)
        cursor.execute("DROP TABLE crowd")
        cursor.execute("RESET session_replication_role")


def sizes() -> dict[str, tuple[int, int, int]]:
    """Of each table of search rows: rows, bytes in the table, bytes in its indexes."""
    found: dict[str, tuple[int, int, int]] = {}
    with connection.cursor() as cursor:
        for table in _SEARCHED:
            cursor.execute(f"SELECT count(*), pg_table_size('{table}'), pg_indexes_size('{table}') FROM {table}")  # noqa: S608
            found[table] = cursor.fetchone() or (0, 0, 0)
    return found


def _let_go() -> None:
    """A pool holds connections to the database that it was opened for."""
    wrapper = connections[DEFAULT_DB_ALIAS]
    wrapper.close()
    if isinstance(wrapper, DatabaseWrapper):
        wrapper.close_pool()


def _words_indexes() -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE indexname = ANY(%s)", [list(_SEARCHED.values())]
        )
        return dict(cursor.fetchall())
