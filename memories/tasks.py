"""What the workers do for the memories: vectors, on their own queue."""

from __future__ import annotations

from celery import shared_task

from memories import vectors


@shared_task
def embed_pending(*, person_id: int) -> None:
    vectors.fill(person_id)


@shared_task
def embed_left() -> None:
    """By beat: whoever has rows without a vector of the present embedder, a slice of people at a time."""
    for person_id in vectors.people_with_pending():
        embed_pending.apply_async(kwargs={"person_id": person_id})
