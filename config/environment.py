"""Reading the process environment, and the `.env` file beside manage.py."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.services.paths import base

ROOT = Path(__file__).resolve().parent.parent


def read_dotenv(file: Path = ROOT / ".env") -> None:
    """NAME=value lines. What the environment says already stands."""
    if os.environ.get("REVERIE_DOTENV") == "0" or not file.exists():
        return
    for line in file.read_text().splitlines():
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if not equals or name.startswith("#"):
            continue
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        os.environ.setdefault(name.strip(), value)


def flag(name: str, *, default: bool) -> bool:
    value = os.environ.get(name)
    return default if value is None else value.strip().lower() in {"1", "true", "yes", "on"}


def listed(name: str, *, default: list[str]) -> list[str]:
    value = os.environ.get(name)
    return default if value is None else [part.strip() for part in value.split(",") if part.strip()]


def mailer(*, production: bool) -> dict[str, Any]:
    """Mail is printed to the log until there is a server for it."""
    if not production and not os.environ.get("MAIL_HOST"):
        return {"BACKEND": "django.core.mail.backends.console.EmailBackend"}
    return {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": os.environ.get("MAIL_HOST", "localhost"),
            "port": int(os.environ.get("MAIL_PORT", "587")),
            "username": os.environ.get("MAIL_USER", ""),
            "password": os.environ.get("MAIL_PASSWORD", ""),
            "use_tls": flag("MAIL_TLS", default=True),
            "timeout": 10,
        },
    }


def secret_key(*, production: bool) -> str:
    """The key from the environment; on a development machine one is made once and kept."""
    if key := os.environ.get("SECRET_KEY"):
        return key
    if production:
        raise ImproperlyConfigured("SECRET_KEY must be set in production.")
    kept = base() / "secret-key"
    if not kept.exists():
        _make_secret_key(kept)
    return kept.read_text()


def _make_secret_key(kept: Path) -> None:
    kept.parent.mkdir(parents=True, exist_ok=True)
    half = kept.with_name(f"secret-key-{os.getpid()}")
    half.touch(mode=0o600)
    half.write_text(secrets.token_urlsafe(50))
    # Two processes may get here at once: the first one's key stands.
    with suppress(FileExistsError):
        kept.hardlink_to(half)
    half.unlink()
