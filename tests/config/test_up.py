"""`manage.py up`, as a person runs it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.machine import Machine, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


class Up:
    def __init__(self, machine: Machine, *options: str) -> None:
        self.machine = machine
        self.process = machine.start("manage.py", "up", *options)
        self.log: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def welcome(self) -> str:
        """Wait until it says where it is; returns the address."""
        return self.said(r"Reverie is at (http\S+)")

    def said(self, pattern: str) -> str:
        def found() -> re.Match[str] | None:
            return re.search(pattern, "".join(self.log))

        wait_until(lambda: found() or self.process.poll() is not None, within_s=240)
        match = found()
        assert match, "".join(self.log)
        return match[1] if match.groups() else match[0]

    def ends(self, within_s: float = 120) -> int:
        code = self.process.wait(within_s)
        self._reader.join(60)
        return code

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.ends()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.log.append(line)


@pytest.fixture
def machine() -> Iterator[Machine]:
    machine = Machine("a folder with a space")
    yield machine
    machine.clear()


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def test_it_starts_restarts_what_dies_and_stops_cleanly_and_starts_again(machine: Machine, port: int) -> None:
    up = Up(machine, "--port", str(port))
    address = up.welcome()
    assert address == f"http://127.0.0.1:{port}/"
    assert get(f"{address}healthz") == "ok"
    link = up.said(r"Sign in .*(http\S+)")
    assert signs_in(link)
    assert not signs_in(link)
    up.said(r"replies\b.*ready")
    up.said(r"nights\b.*ready")
    up.said(r"beat\b.*[Ss]tarting")

    second = subprocess.run(
        ["python", "manage.py", "up"], env=machine.environment(), capture_output=True, text=True, timeout=120
    )
    assert second.returncode == 1
    assert f"runs already: {address}" in second.stderr

    os.kill(process_of(machine, "config.web"), signal.SIGKILL)
    up.said("web ended with code -9; it is started again")
    wait_until(lambda: process_of(machine, "config.web"))
    assert get(f"{address}healthz") == "ok"
    os.kill(int((machine.base / "valkey" / "server.pid").read_text()), signal.SIGKILL)
    up.said("valkey was down; it is started again")

    assert up.stop(signal.SIGINT) == 0
    assert "Stopped." in up.log[-1]
    assert machine.processes() == []
    # One-time tokens stay out of the log, but for the line that hands the link over.
    assert len([line for line in up.log if link.split("/")[-2] in line]) == 1

    again = Up(machine, "--port", str(port))
    again.welcome()
    assert machine.sql("SELECT count(*) FROM memories_person WHERE username = 'owner'") == "1"
    assert again.stop(signal.SIGTERM) == 0
    assert machine.processes() == []


def test_it_recovers_when_everything_was_killed(machine: Machine, port: int) -> None:
    first = Up(machine, "--port", str(port))
    first.welcome()
    machine.kill_everything()
    with taken(port):
        second = Up(machine, "--port", str(port))
        address = second.welcome()
    assert f"Port {port} is in use" in "".join(second.log)
    assert get(f"{address}healthz") == "ok"
    assert second.stop() == 0
    assert machine.processes() == []


def test_when_it_alone_is_killed_its_children_end_and_the_next_one_cleans_up(machine: Machine, port: int) -> None:
    first = Up(machine, "--port", str(port))
    first.welcome()
    first.process.kill()
    first.ends()
    wait_until(lambda: not process_of(machine, "config.web") and not process_of(machine, "celery"), within_s=60)
    second = Up(machine, "--port", str(port))
    assert second.welcome() == f"http://127.0.0.1:{port}/"
    assert second.stop() == 0
    assert machine.processes() == []


def test_stopping_in_mid_start_leaves_nothing(machine: Machine, port: int) -> None:
    up = Up(machine, "--port", str(port))
    up.said("Bringing the database up to date")
    assert up.stop() == 0
    assert machine.processes() == []


def test_an_address_of_another_machine_is_refused_in_words(machine: Machine) -> None:
    up = Up(machine, "--host", "192.0.2.1")
    assert up.ends() == 1
    assert "192.0.2.1 cannot be listened on" in "".join(up.log)
    assert machine.processes() == []


def taken(port: int) -> socket.socket:
    """A killed process lets go of its port a moment after it can no longer be seen."""
    until = time.monotonic() + 60
    while True:
        try:
            return socket.create_server(("127.0.0.1", port))
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=100) as answer:
        return str(answer.read().decode())


def signs_in(link: str) -> bool:
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *args: object, **more: object) -> None:
            return None

    try:
        urllib.request.build_opener(Stay).open(link, timeout=100)
    except urllib.error.HTTPError as answer:
        return (
            answer.code == 302
            and "sessionid=" in str(answer.headers)
            and "accounts/login" not in answer.headers["Location"]
        )
    raise AssertionError("The link did not lead on.")


def process_of(machine: Machine, word: str) -> int:
    for pid in machine.processes():
        try:
            if word.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                return pid
        except OSError:
            continue
    return 0
