"""How often a person may ask for what costs: so many times an hour, counted in the cache."""

from __future__ import annotations

from django.core.cache import cache

from memories.models import Person

HOUR_S = 3_600


def is_too_often(person: Person, what: str, *, most: int) -> bool:
    """Count this time too; an hour after the first the count begins anew."""
    key = f"often:{what}:{person.pk}"
    cache.add(key, 0, timeout=HOUR_S)
    try:
        return cache.incr(key) > most
    except ValueError:  # the hour ended between the two
        return False
