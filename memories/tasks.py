"""What the workers do for search: vectors, on their own queue, and rows that an undone deletion gives back."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from memories import searchable, vectors
from memories.embedding import EmbedderUnavailable


@shared_task(throws=(EmbedderUnavailable,))
def embed_pending(*, person_id: int) -> None:
    """An embedder that does not answer is asked again by beat."""
    vectors.fill(person_id)


@shared_task
def embed_left() -> None:
    """By beat: whoever has rows without a vector of the present embedder, a slice of people at a time."""
    for person_id in vectors.people_with_pending():
        embed_pending.apply_async(kwargs={"person_id": person_id})


@shared_task
def index_missing(*, person_id: int) -> None:
    searchable.index_missing(person_id)


@shared_task
def index_left() -> None:
    """By beat: where the worker that was called did not come, or died over it."""
    for person_id in searchable.people_with_missing(timezone.now()):
        index_missing.delay(person_id=person_id)
