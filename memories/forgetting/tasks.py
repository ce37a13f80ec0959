from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from memories import forget


@shared_task
def purge_deletions() -> int:
    """Beat asks every minute; what is due stands in the database, so a restart loses nothing."""
    return forget.purge_due(now=timezone.now())
