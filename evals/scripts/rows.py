"""The rows of a JSON file one at a time: LongMemEval's M is some gigabytes, and a row of it a few megabytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_CHUNK = 1 << 20


def rows(file: Path) -> Iterator[Any]:
    """The members of a list, or the values that stand one after another (one alone, or JSON lines)."""
    decode = json.JSONDecoder().raw_decode
    with file.open(encoding="utf-8") as source:
        text = source.read(_CHUNK).removeprefix("\ufeff").lstrip()
        listed = text.startswith("[")
        text = text[listed:]
        while True:
            text = text.lstrip(" \t\r\n,")
            if text.startswith("]") and listed:
                return
            try:
                row, end = decode(text)
            except ValueError:
                row, end = None, len(text)
            # A value that reaches the end of what was read may go on behind it.
            if end < len(text):
                yield row
                text = text[end:]
            elif more := source.read(max(_CHUNK, len(text))):
                text += more
            elif not text or row is None or listed:
                if text or listed:
                    raise ValueError("The file ends in the middle of a value.")
                return
            else:
                yield row
                return
