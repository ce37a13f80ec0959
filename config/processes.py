"""A tree of processes that live and end together, with one log. Everything happens in the calling thread."""

from __future__ import annotations

import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

# How long to wait before each new start in a row; the last holds from there on.
WAITS_S = (0.0, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
# Who has lived this long works: what ends it comes from outside, and passes.
STEADY_S = 60.0
_DEATHS_OF_THE_NEVER_STEADY = 5
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


class KeepsDying(Exception):
    """A process that never worked died so often that starting it again is no help."""


class NotYet(Exception):
    """What a program needs before it starts is not there now; it may be later."""


@dataclass
class Program:
    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    pass_fds: tuple[int, ...] = ()
    before_start: Callable[[], None] = lambda: None


class _Child:
    def __init__(self, program: Program, *, steady_s: float) -> None:
        self.program = program
        self.unread = b""
        self.process: subprocess.Popen[bytes] | None = None
        self.start_at = time.monotonic()
        self.waits = 0
        self.deaths = 0
        self.was_steady = False
        self._steady_s = steady_s

    def start(self) -> None:
        self.program.before_start()
        self.start_at = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603
            self.program.command,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **self.program.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=self.program.pass_fds,
            # Ctrl-C in the terminal comes to us alone; we end the children in order.
            start_new_session=True,
            preexec_fn=_end_with_parent,
        )
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)

    def lives(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def bury(self) -> int:
        """Count the death; returns the code it ended with."""
        assert self.process is not None
        if time.monotonic() - self.start_at >= self._steady_s:
            self.was_steady, self.waits, self.deaths = True, 0, 0
        self.deaths += 1
        code, self.process = self.process.returncode, None
        return code

    def signal(self, number: int) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)


class ProcessTree:
    def __init__(
        self,
        programs: Sequence[Program],
        *,
        say: Callable[[str, str], None],
        waits_s: Sequence[float] = WAITS_S,
        steady_s: float = STEADY_S,
    ) -> None:
        """`say(name, line)` writes one line of the log."""
        self._say = say
        self._waits_s = waits_s
        self._selector = selectors.DefaultSelector()
        self._children = [_Child(program, steady_s=steady_s) for program in programs]

    def start(self) -> None:
        for child in self._children:
            self._start(child)

    def tend(self, for_s: float) -> None:
        """Pass on what the processes write, and start the dead ones again, each after a wait of its own."""
        self._pass_on(for_s)
        for child in self._children:
            if child.process is not None and not child.lives():
                self._bury(child)
            if child.process is None and time.monotonic() >= child.start_at:
                self._start(child)

    def stop(self, within_s: float = 8, *, hurry: Callable[[], bool] = lambda: False) -> None:
        """Ask, ask again, and end: what is unfinished then is taken up at the next start."""
        asked_at = time.monotonic()
        for number, until in (
            (signal.SIGTERM, within_s / 2),
            (signal.SIGQUIT, within_s),
            (signal.SIGKILL, within_s + 5),
        ):
            for child in self._alive():
                child.signal(number)
            while self._alive() and time.monotonic() < asked_at + until and not (hurry() and number != signal.SIGKILL):
                self._pass_on(0.1)
        self._pass_on(0)
        self._selector.close()

    def _alive(self) -> list[_Child]:
        return [child for child in self._children if child.lives()]

    def _start(self, child: _Child) -> None:
        try:
            child.start()
        except NotYet as reason:
            self._say("up", f"{child.program.name} cannot start yet: {reason} It is tried again{self._later(child)}.")
            return
        assert child.process is not None
        self._selector.register(child.process.stdout, selectors.EVENT_READ, child)  # type: ignore[arg-type]

    def _bury(self, child: _Child) -> None:
        self._drain(child)
        assert child.process is not None
        assert child.process.stdout is not None
        if not child.process.stdout.closed:  # a child of its own, which has outlived it, holds the other end
            self._selector.unregister(child.process.stdout)
            child.process.stdout.close()
        name, code = child.program.name, child.bury()
        if child.deaths >= _DEATHS_OF_THE_NEVER_STEADY and not child.was_steady:
            raise KeepsDying(f"{name} ended {child.deaths} times in a row, last with code {code}.")
        self._say("up", f"{name} ended with code {code}; it is started again{self._later(child)}.")

    def _later(self, child: _Child) -> str:
        wait_s = self._waits_s[min(child.waits, len(self._waits_s) - 1)]
        child.waits += 1
        child.start_at = time.monotonic() + wait_s
        return f" in {wait_s:g} s" if wait_s else ""

    def _pass_on(self, for_s: float) -> None:
        if not self._selector.get_map():
            time.sleep(for_s)
            return
        for key, _ in self._selector.select(for_s):
            self._drain(key.data)

    def _drain(self, child: _Child) -> None:
        pipe = child.process.stdout if child.process else None
        if pipe is None or pipe.closed:
            return
        while (some := pipe.read(65_536)) is not None:
            if not some:
                self._selector.unregister(pipe)
                pipe.close()
                if child.unread:
                    self._say(child.program.name, child.unread.decode(errors="replace"))
                child.unread = b""
                return
            *lines, child.unread = (child.unread + some).split(b"\n")
            for line in lines:
                self._say(child.program.name, line.decode(errors="replace"))


def _end_with_parent() -> None:
    """However the parent ends, even by `kill -9`, the kernel then ends the child."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
