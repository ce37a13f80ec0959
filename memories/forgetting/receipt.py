"""The receipt of a deletion: what was removed per layer, what remains and until when, and the check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from memories.derived import layers
from memories.models import Deletion

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

_OWN: dict[str, str | _StrPromise] = {
    "memories": _("Memories"),
    "versions": _("Earlier versions"),
    "evidence": _("Links to the words they came from"),
    "tombstones": _("Passages of conversation that say it"),
    "kept_with_less": _("Memories that stay with less evidence, to be checked"),
    "revived": _("Memories that hold again"),
    "conversations": _("Conversations"),
    "settings": _("Settings derived from it"),
    "erased": _("Passages whose words were erased"),
}


@dataclass(frozen=True)
class Receipt:
    deletion: Deletion
    removed: list[tuple[str | _StrPromise, int]]
    can_undo: bool
    backups_until: datetime | None


def receipt_of(deletion: Deletion, *, now: datetime) -> Receipt:
    days = settings.BACKUPS_KEPT_DAYS
    return Receipt(
        deletion=deletion,
        removed=layer_labels(deletion.counts),
        can_undo=deletion.can_undo(now),
        backups_until=deletion.undo_until + timedelta(days=days) if days else None,
    )


def layer_labels(counts: Mapping[str, int]) -> list[tuple[str | _StrPromise, int]]:
    """Counts per layer with the words that a page uses for each, in the order of the layers."""
    words = {**_OWN, **{layer.name: layer.label or layer.name for layer in layers()}}
    return [(words[name], counts[name]) for name in words if counts.get(name)]
