"""Where the embedded servers keep their data and their sockets. Computed, never guessed from what runs."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# The kernel takes 107 bytes for a socket's address; PostgreSQL's own name in it has 15.
_LONGEST_SOCKET_FOLDER = 85


def base() -> Path:
    """The folder of everything that a running Reverie keeps. As root it cannot be in the checkout: the servers refuse
    to run as root, and whoever they run as may not enter root's folders."""
    if chosen := os.environ.get("REVERIE_VAR"):
        return ROOT / chosen
    if os.geteuid() == 0:
        return Path("/var/lib/reverie") / digest(ROOT)
    return ROOT / "var"


def sockets() -> Path:
    beside = base() / "run"
    if len(os.fsencode(beside)) <= _LONGEST_SOCKET_FOLDER and re.fullmatch(r"[A-Za-z0-9_./-]+", str(beside)):
        return beside
    return Path("/tmp") / f"reverie-{os.geteuid()}-{digest(base())}"  # noqa: S108 (checked by folders.own_folder)


def digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
