"""Waiting for what other connections do."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.db import connection

WAIT_S = 100
_WAITS_FOR_US = """
    SELECT count(*) FROM pg_locks theirs JOIN pg_locks ours ON ours.transactionid = theirs.transactionid
    WHERE ours.pid = pg_backend_pid() AND ours.granted AND NOT theirs.granted
"""


def somebody_waits_for_a_lock() -> bool:
    """Of the transaction that is open here."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITS_FOR_US)
        return bool((cursor.fetchone() or (0,))[0])


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < end, "It did not come to it."
        time.sleep(0.05)
