"""An embedder on another machine, asked as OpenAI's /embeddings is, or answering `{"embeddings": [[...], ...]}`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import httpx2
import numpy as np
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from memories.embedding import MOST_DIMENSIONS, EmbedderUnavailable, Vector, named, of_length_one, shortened

_MANY_TIMEOUT_S = 60  # for the texts that a worker sends at a time; nobody waits for them


class RemoteEmbedder:
    def __init__(self) -> None:
        if not settings.EMBEDDER_URL:
            raise ImproperlyConfigured("EMBEDDER=remote needs EMBEDDER_URL.")
        self.name = named("remote", settings.EMBEDDER_MODEL or "model")
        headers = {"Authorization": f"Bearer {settings.EMBEDDER_KEY}"} if settings.EMBEDDER_KEY else {}
        self._client = httpx2.Client(headers=headers)

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        return self._ask(texts, _MANY_TIMEOUT_S)

    def query(self, text: str) -> Vector:
        return self._ask([text], settings.EMBEDDER_TIMEOUT_S)[0]

    def _ask(self, texts: Sequence[str], timeout_s: float) -> list[Vector]:
        asked: dict[str, Any] = {"input": [shortened(text) for text in texts]}
        if settings.EMBEDDER_MODEL:
            asked["model"] = settings.EMBEDDER_MODEL
        try:
            answer = self._client.post(settings.EMBEDDER_URL, json=asked, timeout=timeout_s)
            answer.raise_for_status()
            return _vectors(answer.json(), len(texts))
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, KeyError, TypeError, AttributeError) as problem:
            # Without its cause, which may hold what was sent.
            raise EmbedderUnavailable(type(problem).__name__) from None


def _vectors(answer: Any, count: int) -> list[Vector]:
    if "data" in answer:
        rows = [row["embedding"] for row in sorted(answer["data"], key=lambda row: row.get("index", 0))]
    else:
        rows = answer["embeddings"]
    vectors = np.asarray(rows, dtype=np.float32)
    if vectors.shape != (count, vectors.shape[-1]) or not 0 < vectors.shape[-1] <= MOST_DIMENSIONS:
        raise ValueError("not as many vectors, or not as long")
    if not np.isfinite(vectors).all() or not vectors.any(axis=1).all():
        raise ValueError("not numbers")
    return of_length_one(vectors)
