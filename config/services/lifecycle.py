"""Starting and stopping the embedded servers together, however many processes want them.

Whoever uses them holds the reader's side of a lock that the kernel drops with the process; the last one to leave gets
the writer's side, and stops them. So a killed process is never counted, and servers it left running are found and used.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import fasteners

from config.services import paths, postgres, valkey
from config.services.account import make_base


@contextmanager
def running() -> Iterator[None]:
    """Embedded servers for as long as the block lasts. Those given by DATABASE_URL and REDIS_URL are left alone."""
    if not _embedded():
        yield
        return
    make_base()
    in_use = fasteners.InterProcessReaderWriterLock(paths.base() / "in-use.lock")
    with _changing():
        in_use.acquire_read_lock()
        try:
            _start()
        except BaseException:
            in_use.release_read_lock()
            raise
    try:
        yield
    finally:
        with _changing():
            in_use.release_read_lock()
            if in_use.acquire_write_lock(blocking=False):
                try:
                    _stop()
                finally:
                    in_use.release_write_lock()


def restart_what_died() -> list[str]:
    """Start again what is down, and name it. Called by whoever is inside `running()`."""
    if all(server.running_pid() for server in _embedded()):
        return []
    with _changing():
        dead = [server for server in _embedded() if not server.answers()]
        for server in dead:
            server.start()
    return [server.__name__.rpartition(".")[2] for server in dead]


def _embedded() -> list[ModuleType]:
    servers = []
    if not os.environ.get("DATABASE_URL"):
        servers.append(postgres)
    if not os.environ.get("REDIS_URL"):
        servers.append(valkey)
    return servers


def _start() -> None:
    for server in _embedded():
        server.start()


def _stop() -> None:
    for server in reversed(_embedded()):
        server.stop()


def _changing() -> fasteners.InterProcessLock:
    """One process at a time starts or stops anything."""
    return fasteners.InterProcessLock(paths.base() / "services.lock")
