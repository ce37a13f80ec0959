"""Database connections go back to their pool while something slow runs: a model answering, a
page following a stream."""

from __future__ import annotations

from django.db import connection


def release_connection() -> None:
    """Give this thread's connection back. Inside a transaction it stays, and that is a fault only tests may have."""
    if not connection.in_atomic_block:
        connection.close()
