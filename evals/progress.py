"""How far a long run is, on one line."""

from __future__ import annotations

import sys
import time
from typing import TextIO

_WIDTH = 24
_EVERY_S = 15.0


class Progress:
    def __init__(self, total: int, *, stream: TextIO | None = None) -> None:
        self.total, self.done = total, 0
        self._stream = stream or sys.stderr
        self._said = 0.0

    def step(self, label: str) -> None:
        self.done += 1
        self.show(label)

    def skip(self, steps: int) -> None:
        self.done += steps

    def show(self, label: str) -> None:
        filled = _WIDTH * min(self.done, self.total) // max(self.total, 1)
        line = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {self.done}/{self.total} {label}"
        if self._stream.isatty():
            self._stream.write(f"\r\033[K{line[:118]}")
            self._stream.flush()
        elif time.monotonic() - self._said > _EVERY_S:
            self._said = time.monotonic()
            self._stream.write(line + "\n")

    def close(self) -> None:
        if self._stream.isatty():
            self._stream.write("\r\033[K")
            self._stream.flush()
