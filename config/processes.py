"""A tree of processes that live and end together, with one log. Everything happens in the calling thread."""

from __future__ import annotations

import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

_RESTARTS = 5
_RESTARTS_WITHIN_S = 60
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


class KeepsDying(Exception):
    """A process died so often that starting it again is no help."""


@dataclass
class Program:
    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    pass_fds: tuple[int, ...] = ()
    before_start: Callable[[], None] = lambda: None


class _Child:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.died_at: deque[float] = deque(maxlen=_RESTARTS)
        self.unread = b""
        self.process = self._started()

    def restart(self) -> None:
        self.process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        self.program.before_start()
        process = subprocess.Popen(  # noqa: S603
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
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        return process

    def signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


class ProcessTree:
    def __init__(self, programs: Sequence[Program], *, say: Callable[[str, str], None]) -> None:
        """`say(name, line)` writes one line of the log."""
        self._say = say
        self._selector = selectors.DefaultSelector()
        self._programs = programs
        self._children: list[_Child] = []

    def start(self) -> None:
        for program in self._programs:
            child = _Child(program)
            self._children.append(child)
            self._watch(child)

    def tend(self, for_s: float) -> None:
        """Pass on what the processes write, and start the dead ones again."""
        self._pass_on(for_s)
        for child in self._children:
            if child.process.poll() is not None:
                self._restart(child)

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
        return [child for child in self._children if child.process.poll() is None]

    def _restart(self, child: _Child) -> None:
        self._drain(child)
        how = child.process.returncode
        child.died_at.append(time.monotonic())
        if len(child.died_at) == _RESTARTS and child.died_at[-1] - child.died_at[0] < _RESTARTS_WITHIN_S:
            raise KeepsDying(f"{child.program.name} ended {_RESTARTS} times in a row, last with code {how}.")
        self._say("up", f"{child.program.name} ended with code {how}; it is started again.")
        time.sleep(min(len(child.died_at) - 1, 3))
        child.restart()
        self._watch(child)

    def _watch(self, child: _Child) -> None:
        self._selector.register(child.process.stdout, selectors.EVENT_READ, child)  # type: ignore[arg-type]

    def _pass_on(self, for_s: float) -> None:
        if not self._selector.get_map():
            time.sleep(for_s)
            return
        for key, _ in self._selector.select(for_s):
            self._drain(key.data)

    def _drain(self, child: _Child) -> None:
        pipe = child.process.stdout
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
