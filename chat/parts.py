"""What a person sends, as parts with their origin: typed, pasted, or from a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest

from memories.models import Origin
from memories.transcript import Part

MOST = 20
FILE_BYTES = 2_000_000
# Tried in order: what editors write today, and what Taiwan wrote before.
_ENCODINGS = ("utf-8-sig", "big5hkscs")


class TooManyParts(Exception):
    """More pasted passages and files than one message may have."""


class NotText(Exception):
    """A file that holds something other than text, or more than may be read."""

    def __init__(self, name: str) -> None:
        super().__init__("not a text file")
        self.name = name


def parts_of(request: HttpRequest) -> list[Part]:
    """The material first, then the words about it."""
    pasted = [Part(Origin.PASTED, text) for text in request.POST.getlist("pasted") if text.strip()]
    files = request.FILES.getlist("files")
    if len(pasted) + len(files) > MOST:
        raise TooManyParts
    return [*pasted, *_read(files), Part(Origin.TYPED, request.POST.get("text", ""))]


def _read(files: Sequence[UploadedFile[Any]]) -> Iterator[Part]:
    for file in files:
        name = (file.name or "")[:255]
        if (file.size or 0) > FILE_BYTES:
            raise NotText(name)
        text = _decoded(file.read(), name)
        if text.strip():
            yield Part(Origin.FILE, text, name)


def _decoded(content: bytes, name: str) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    if b"\0" in content:
        raise NotText(name)
    for encoding in _ENCODINGS:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise NotText(name)
