"""The addresses that settings need, from the environment or computed; nothing is started here."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.services import paths

DATABASE = "reverie"
SUPERUSER = "postgres"


def database_settings() -> dict[str, Any]:
    """Django's DATABASES entry. A pool keeps the number of connections flat, however many threads ask."""
    if url := os.environ.get("DATABASE_URL"):
        said = _parsed(url)
    else:
        said = {"dbname": DATABASE, "user": SUPERUSER, "host": str(paths.sockets())}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": said.pop("dbname"),
        "USER": said.pop("user", ""),
        "PASSWORD": said.pop("password", ""),
        "HOST": said.pop("host", ""),
        "PORT": said.pop("port", ""),
        # A connection that a restart of the server broke is found out when it is taken from the pool, not by a person.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            **said,
            "pool": {"min_size": 1, "max_size": int(os.environ.get("DATABASE_POOL", "20")), "timeout": 30},
        },
    }


def redis_url() -> str:
    """For redis-py and Django's cache."""
    return os.environ.get("REDIS_URL") or f"unix://{valkey_socket()}?db=0"


def broker_url(redis_url: str) -> str:
    """The same address as Celery writes it."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    number = dict(pair.split("=", 1) for pair in parts.query.split("&") if "=" in pair).get("db", "0")
    return f"redis+socket://{parts.path}?virtual_host={number}"


def is_ours(redis_url: str) -> bool:
    """Whether it is the embedded Valkey, and so ours to tidy."""
    return urlsplit(redis_url).path == valkey_socket()


def valkey_socket() -> str:
    return str(paths.sockets() / "valkey.sock")


def _parsed(url: str) -> dict[str, Any]:
    # Imported late: settings are read by programs that never connect.
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        said = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    except ProgrammingError:
        # The address may hold a password, so it is not repeated.
        raise ImproperlyConfigured("DATABASE_URL cannot be read; see .env.example.") from None
    if not said.get("dbname"):
        raise ImproperlyConfigured("DATABASE_URL names no database.")
    return said
