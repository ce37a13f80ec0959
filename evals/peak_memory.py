"""The most memory that this process held for something, over what it held before. On Linux only: elsewhere the peak of
a process cannot be begun anew."""

from __future__ import annotations

from pathlib import Path
from typing import Self

_PROC = Path("/proc/self")


class Peak:
    # In megabytes, once it is over.
    mb: float | None = None

    def __enter__(self) -> Self:
        self._before = _held("VmRSS")
        if self._before is not None:
            (_PROC / "clear_refs").write_text("5")
        return self

    def __exit__(self, *_: object) -> None:
        most = _held("VmHWM")
        self.mb = None if most is None or self._before is None else max(0.0, most - self._before)


def _held(name: str) -> float | None:
    try:
        said = (_PROC / "status").read_text()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1_024 for line in said.splitlines() if line.startswith(name)), None)
