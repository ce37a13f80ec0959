"""Reverie started as a person would start it: in processes of its own, with a base folder of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from config.services.paths import digest

ROOT = Path(__file__).resolve().parent.parent.parent

HOLD = """
import sys
from config.services import postgres, running, valkey
with running():
    print(postgres.running_pid(), valkey.running_pid(), flush=True)
    sys.stdin.read()
"""


class Machine:
    def __init__(self, name: str = "base") -> None:
        # Not pytest's own folder: that is closed to the account that the servers run as under root.
        self.folder = Path(tempfile.mkdtemp(prefix="reverie-machine-"))
        self.folder.chmod(0o755)
        self.base = self.folder / name
        # Where the sockets are when the base's own path does not suit them.
        self.sockets = Path(tempfile.gettempdir()) / f"reverie-{os.geteuid()}-{digest(self.base)}"
        self._started: list[subprocess.Popen[str]] = []

    def environment(self) -> dict[str, str]:
        not_ours = {
            "DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "REVERIE_TEST_RUN", "PYTEST_XDIST_WORKER",
            "MAKES_VECTORS",
        }  # fmt: skip
        inherited = {name: value for name, value in os.environ.items() if name not in not_ours}
        return {**inherited, "REVERIE_VAR": str(self.base), "PYTHONUNBUFFERED": "1"}

    def start(self, *command: str, **more: Any) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env=more.pop("env", self.environment()),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **more,
        )
        self._started.append(process)
        return process

    def hold(self) -> Holder:
        """A process that wants the servers, until it is let go."""
        return Holder(self.start("-c", HOLD))

    def python(self, script: str, **environment: str) -> str:
        process = self.start("-c", script, env=self.environment() | environment)
        output, _ = process.communicate(timeout=300)
        assert process.returncode == 0, output
        return output

    def sql(self, statement: str) -> str:
        return self.python(
            "import psycopg\nfrom config.services import paths, running\n"
            "with running():\n"
            "    with psycopg.connect(host=str(paths.sockets()), user='postgres', dbname='reverie') as connection:\n"
            f"        cursor = connection.execute({statement!r})\n"
            "        print(cursor.fetchone()[0] if cursor.description else 'done')\n"
        ).strip()

    def processes(self) -> list[int]:
        """All that live on this base folder, whoever started them."""
        found = []
        marks = [os.fsencode(self.base), os.fsencode(self.sockets)]
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                told = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
                if any(mark in told for mark in marks):
                    found.append(int(folder.name))
        return [pid for pid in found if pid != os.getpid()]

    def kill_everything(self) -> None:
        while pids := self.processes():
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)

    def clear(self) -> None:
        self.kill_everything()
        for process in self._started:
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    pipe.close() if pipe else None
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.sockets, ignore_errors=True)


class Holder:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout is not None
        line = process.stdout.readline()
        words = line.split()
        assert len(words) == 2, line + (process.stdout.read() or "")
        self.postgres, self.valkey = map(int, words)

    def let_go(self) -> None:
        self.process.communicate(timeout=100)
        assert self.process.returncode == 0


def wait_until(true: Callable[[], object], within_s: float = 100) -> None:
    until = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < until, "It did not happen in time."
        time.sleep(0.05)
