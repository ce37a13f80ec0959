"""What `manage.py up` runs on one machine, and where."""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import fasteners
from kombu.exceptions import OperationalError

from config.celery import Queues
from config.processes import NotYet, Program
from config.services.paths import base
from config.unfinished import give_back

_REPLY_THREADS = 64
_OTHER_THREADS = 4
# Who looks at Reverie without a model shall see its answers stream.
_STANDIN_DELAY_S = "0.03"
_PORTS_TRIED = 50


class RunsAlready(Exception):
    pass


class NoPort(Exception):
    pass


@contextmanager
def only_one() -> Iterator[Callable[[str], None]]:
    """One `up` in a checkout. Yields a function that writes down the address, for whoever comes second."""
    base().mkdir(parents=True, exist_ok=True)
    told = base() / "up.json"
    lock = fasteners.InterProcessLock(base() / "up.lock")
    if not lock.acquire(blocking=False):
        try:
            first = json.loads(told.read_text())
        except (OSError, ValueError):
            first = {"address": "an address not known yet", "pid": "?"}
        raise RunsAlready(f"Reverie runs already: {first['address']} (process {first['pid']}).")
    try:
        told.unlink(missing_ok=True)
        yield lambda address: _tell(address)
    finally:
        told.unlink(missing_ok=True)
        lock.release()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket on the port, or on the next one that is free. Held from here on: nobody else can take it."""
    for candidate in range(port, min(port + _PORTS_TRIED, 65_536)):
        try:
            listening = socket.create_server((host, candidate), backlog=256)
        except OSError as error:
            if error.errno in {errno.EADDRINUSE, errno.EACCES}:
                continue
            raise NoPort(
                f"{host} cannot be listened on: {error.strerror or 'it is no address of this machine'}."
            ) from None
        return listening
    raise NoPort(f"No port from {port} on is free.")


def address(host: str, port: int) -> str:
    return f"http://{'127.0.0.1' if host in {'0.0.0.0', ''} else host}:{port}/"  # noqa: S104


def launcher() -> int | None:
    """The process number of the `uv run` that started us, if one did: when it is gone, so is whoever asked for us."""
    parent = os.getppid()
    try:
        return parent if Path(f"/proc/{parent}/comm").read_text().strip() == "uv" else None
    except OSError:
        return None


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}healthz", timeout=2) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except OSError:
        return False


def programs(web_fd: int) -> list[Program]:
    return [
        Program(
            "web",
            [sys.executable, "-m", "config.web", "--fd", str(web_fd)],
            {"DATABASE_POOL": "24"},
            pass_fds=(web_fd,),
        ),
        _worker(
            "replies",
            [Queues.REPLIES],
            threads=_REPLY_THREADS,
            STANDIN_DELAY_S=os.environ.get("STANDIN_DELAY_S", _STANDIN_DELAY_S),
        ),
        _worker("nights", [Queues.NIGHTS, Queues.EMBEDDINGS, Queues.HOUSEKEEPING], threads=_OTHER_THREADS),
        Program("beat", [*_celery(), "beat", f"--schedule={base() / 'beat-schedule'}", "--pidfile="]),
    ]


def _worker(name: str, queues: list[Queues], *, threads: int, **environment: str) -> Program:
    return Program(
        name,
        [
            *_celery(), "worker", f"--hostname={name}@%h", f"--queues={','.join(queues)}",
            "--pool=threads", f"--concurrency={threads}", "--without-gossip", "--without-mingle",
        ],
        # One thread each for what computes: the workers' own threads are many, the machine's cores few.
        {
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "DATABASE_POOL": str(threads + 4),
            # Root on one's own machine is one's own business.
            "PYTHONWARNINGS": "ignore:You're running the worker with superuser",
            "REVERIE_WORKER": name,
            **environment,
        },
        before_start=partial(_give_back, name),
    )  # fmt: skip


def _give_back(worker: str) -> None:
    try:
        give_back(worker)
    except OperationalError:
        raise NotYet("its broker does not answer.") from None


def _celery() -> list[str]:
    return [sys.executable, "-m", "celery", "-A", "config", "--quiet"]


def _tell(address: str) -> None:
    (base() / "up.json").write_text(json.dumps({"address": address, "pid": os.getpid()}))
