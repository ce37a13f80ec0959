"""The same words are said and asked many times in an evaluation: each text is embedded once, which gives what embedding
it again would give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from unittest import mock

from memories.embedding import Vector, embedder


@contextmanager
def each_text_once() -> Iterator[None]:
    model = embedder()
    if model is None:
        yield
        return
    as_passages, made = model.passages, dict[str, Vector]()

    def passages(texts: Sequence[str]) -> list[Vector]:
        new = [text for text in dict.fromkeys(texts) if text not in made]
        made.update(zip(new, as_passages(new) if new else [], strict=True))
        return [made[text] for text in texts]

    with mock.patch.multiple(model, query=cache(model.query), passages=passages):
        yield
