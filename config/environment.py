"""Reading the process environment, and the `.env` file beside manage.py."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent


def flag(name: str, *, default: bool) -> bool:
    value = os.environ.get(name)
    return default if value is None else value.strip().lower() in {"1", "true", "yes", "on"}


def listed(name: str, *, default: list[str]) -> list[str]:
    value = os.environ.get(name)
    return default if value is None else [part.strip() for part in value.split(",") if part.strip()]


def secret_key(*, production: bool) -> str:
    """The key from the environment; on a development machine one is made once and kept in `var/`."""
    if key := os.environ.get("SECRET_KEY"):
        return key
    if production:
        raise ImproperlyConfigured("SECRET_KEY must be set in production.")
    kept = ROOT / "var" / "secret-key"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(secrets.token_urlsafe(50))
        kept.chmod(0o600)
    return kept.read_text()
