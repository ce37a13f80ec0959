"""The embedded PostgreSQL and Valkey: started, shared, found again, recovered."""

from __future__ import annotations

import os
import pwd
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.services import paths
from tests.config.machine import HOLD, Holder, Machine, wait_until


@pytest.fixture
def machines() -> Iterator[Callable[..., Machine]]:
    made: list[Machine] = []

    def make(name: str = "base") -> Machine:
        made.append(Machine(name))
        return made[-1]

    yield make
    for machine in made:
        machine.clear()


@pytest.fixture
def machine(machines: Callable[..., Machine]) -> Machine:
    return machines()


def test_a_second_start_finds_the_data_and_nothing_is_left_running(machine: Machine) -> None:
    machine.sql("CREATE TABLE kept AS SELECT 42 AS number")
    assert machine.processes() == []
    assert machine.sql("SELECT number FROM kept") == "42"
    assert machine.processes() == []


def test_three_at_once_share_one_server_and_the_last_one_stops_it(machine: Machine) -> None:
    starting = [machine.start("-c", HOLD) for _ in range(3)]
    first, second, third = (Holder(process) for process in starting)
    assert len({(holder.postgres, holder.valkey) for holder in (first, second, third)}) == 1
    first.let_go()
    third.let_go()
    assert machine.sql("SELECT 1") == "1"
    os.kill(second.postgres, 0)
    second.let_go()
    assert machine.processes() == []


def test_after_everything_was_killed_it_starts_again_with_its_data(machine: Machine) -> None:
    machine.sql("CREATE TABLE kept AS SELECT 42 AS number")
    machine.hold()
    machine.kill_everything()
    assert (machine.base / "postgres" / "data" / "postmaster.pid").exists()
    assert machine.sql("SELECT number FROM kept") == "42"
    assert machine.processes() == []


def test_servers_that_a_killed_process_left_behind_are_used_and_then_stopped(machine: Machine) -> None:
    left = machine.hold()
    left.process.kill()
    left.process.wait()
    found = machine.hold()
    assert (found.postgres, found.valkey) == (left.postgres, left.valkey)
    found.let_go()
    assert machine.processes() == []


def test_a_killed_postmaster_alone_is_replaced(machine: Machine) -> None:
    holder = machine.hold()
    os.kill(holder.postgres, signal.SIGKILL)
    assert machine.sql("SELECT 1") == "1"


def test_a_process_number_left_behind_may_belong_to_a_stranger(machine: Machine) -> None:
    machine.sql("SELECT 1")
    pid_file = machine.base / "postgres" / "data" / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{pid_file.parent}\n1\n5432\n/tmp\n\n0\n")
    (machine.base / "valkey" / "server.pid").write_text(f"{os.getpid()}\n")
    assert machine.sql("SELECT 1") == "1"
    os.kill(os.getpid(), 0)


def test_a_half_made_data_directory_is_made_anew(machine: Machine) -> None:
    for name in ("data", "data-half-made"):
        half = machine.base / "postgres" / name / "pg_wal"
        half.mkdir(parents=True)
        (half / "junk").write_text("x")
    assert machine.sql("SELECT 1") == "1"


def test_damaged_data_is_put_aside_and_never_thrown_away(machine: Machine) -> None:
    machine.sql("SELECT 1")
    (machine.base / "postgres" / "data" / "PG_VERSION").unlink()
    assert machine.sql("SELECT 1") == "1"
    aside = list((machine.base / "postgres").glob("data-damaged-*"))
    assert len(aside) == 1
    assert (aside[0] / "base").exists()


@pytest.mark.parametrize("name", ["a folder with a space", "資料 'and' %quotes", "long-" * 25])
def test_any_path_will_do(machines: Callable[..., Machine], name: str) -> None:
    machine = machines(name)
    assert machine.sql("SELECT 1") == "1"
    assert machine.processes() == []


def test_a_socket_folder_that_somebody_else_made_first_is_refused(
    machines: Callable[..., Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = machines("with a space")
    monkeypatch.setenv("REVERIE_VAR", str(machine.base))
    folder = paths.sockets()
    assert not folder.is_relative_to(machine.base)
    folder.symlink_to(tempfile.mkdtemp())
    try:
        process = machine.start("-c", "from config.services import running\nwith running(): pass")
        output, _ = process.communicate(timeout=100)
        assert process.returncode
        assert "belongs to somebody else" in output
    finally:
        folder.unlink()


@pytest.mark.skipif(os.geteuid() != 0, reason="The other tests ran as a plain user already.")
def test_a_plain_user_can_run_it_too(machine: Machine) -> None:
    """The interpreter may lie in root's closed home, so what it needs is loaded before root's rights are given up."""
    somebody = pwd.getpwnam("nobody")
    theirs = machine.folder / "theirs"
    theirs.mkdir()
    os.chown(theirs, somebody.pw_uid, somebody.pw_gid)
    output = machine.python(f"""
import os, encodings.idna
from config.services import postgres, running, valkey
with running():
    pass
os.setgroups([]); os.setgid({somebody.pw_gid}); os.setuid({somebody.pw_uid})
os.environ["REVERIE_VAR"] = {str(theirs)!r}
with running():
    print("answer", postgres.answers(), valkey.answers())
print("after", postgres.running_pid(), valkey.running_pid())
""")
    assert "answer True True" in output
    assert "after None None" in output
    assert (theirs / "postgres" / "data").stat().st_uid == somebody.pw_uid


def test_the_lock_of_a_killed_launcher_is_free(machine: Machine) -> None:
    stuck = machine.start(
        "-c",
        "import time\nfrom config.services import lifecycle\nfrom config.services.account import make_base\n"
        "make_base()\nwith lifecycle._changing(): print('held', flush=True); time.sleep(600)",
    )
    assert stuck.stdout is not None
    assert stuck.stdout.readline() == "held\n"
    waiting = machine.start("-c", "from config.services import running\nwith running(): print('in')")
    with pytest.raises(AssertionError):
        wait_until(lambda: waiting.poll() is not None, within_s=1)
    stuck.kill()
    assert waiting.communicate(timeout=100)[0] == "in\n"


def test_the_base_folder_is_one_per_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REVERIE_VAR")
    assert paths.base() == (
        Path("/var/lib/reverie") / paths.digest(paths.ROOT) if os.geteuid() == 0 else paths.ROOT / "var"
    )
