from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from memories import forget
from memories.models import OrderedDeletion


@shared_task
def purge_deletions() -> int:
    """Beat asks every minute; what is due stands in the database, so a restart loses nothing."""
    return forget.purge_due(now=timezone.now())


@shared_task
def carry_out_ordered(*, ordered_id: int) -> None:
    forget.carry_out_ordered(ordered_id, now=timezone.now())


@shared_task
def carry_out_left() -> None:
    """By beat: what was ordered while no worker or broker was there."""
    for ordered_id in OrderedDeletion.objects.unfinished().values_list("pk", flat=True):
        carry_out_ordered.delay(ordered_id=ordered_id)
