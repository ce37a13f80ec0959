"""One line per record, name=value after the message, and no words of a person: an error is told by its type and its
place, never by its text, because the text of a database or parsing error quotes what it stumbled over."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path
from typing import Any

from config.services.paths import ROOT

# What a task was given, gave back or failed with.
_TASK_CONTENT = ("args", "kwargs", "exc", "return_value", "traceback")


class LineFormatter(logging.Formatter):
    default_msec_format = "%s.%03d"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        record = logging.makeLogRecord(record.__dict__)
        record.exc_text = None
        if isinstance(record.args, dict) and record.name.startswith("celery"):
            record.args = {**record.args, **{name: "" for name in _TASK_CONTENT if name in record.args}}
        if (request := getattr(record, "request", None)) is not None and isinstance(record.args, tuple):
            record.args = tuple(_pattern(request) if _is_path(arg) else arg for arg in record.args)
        return " ".join(super().format(record).split("\n")).rstrip()

    def formatException(self, ei: Any) -> str:
        kind, _, trace = ei
        frames = [f"{_short(frame.filename)}:{frame.lineno}:{frame.name}" for frame in traceback.extract_tb(trace)[-8:]]
        return f"error={getattr(kind, '__name__', kind)} at={' < '.join(reversed(frames))}"


def _is_path(arg: object) -> bool:
    return isinstance(arg, str) and arg.startswith("/")


def _pattern(request: Any) -> str:
    """The address as the URLconf writes it: the address of a page bears its topic."""
    match = getattr(request, "resolver_match", None)
    return f"/{match.route}" if match else "(no such address)"


def _short(filename: str) -> str:
    path = Path(filename)
    ours = path.is_relative_to(ROOT) and "site-packages" not in path.parts
    return str(path.relative_to(ROOT)) if ours else "/".join(path.parts[-3:])
