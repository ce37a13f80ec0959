"""PostgreSQL and Valkey: yours by DATABASE_URL and REDIS_URL, else embedded ones under `var/`."""

from __future__ import annotations

import os
from typing import Any


def database_settings() -> dict[str, Any]:
    return {"ENGINE": "django.db.backends.postgresql", "NAME": "reverie", "HOST": os.environ.get("PGHOST", "")}


def redis_url() -> str:
    return os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0")
