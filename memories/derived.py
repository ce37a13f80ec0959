"""What is derived from memories and passages, layer by layer, so that forgetting reaches all of it.

An app that keeps derived text (segments, sent turns, summaries, candidates, reply buffers, vectors) registers a `Layer`
in its `AppConfig.ready()`. `memories.forget` calls every layer and knows none of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from memories.models import Deletion, Person


@dataclass(frozen=True)
class Reach:
    """What one deletion touches, by primary key. `passages` carry at least one tombstone of it; `conversations` are
    those that go as a whole."""

    memories: frozenset[int] = frozenset()
    passages: frozenset[int] = frozenset()
    conversations: frozenset[int] = frozenset()
    # All that is remembered of the person goes: a layer then works by person. `passages` is empty, being all of them.
    everything: bool = False


@dataclass(frozen=True)
class Finding:
    """Something that a deletion should have taken and that is still there. Keys and codes, never text."""

    layer: str
    code: str
    model: str = ""
    pk: int | None = field(default=None)


class Layer:
    """One kind of derived rows. Subclass it and override what applies; the defaults do nothing.

    `drop`, `restore` and `purge` run inside the one transaction of the deletion, under the person's lock: they use the
    database only. What lives elsewhere (a buffer in Valkey) goes in `transaction.on_commit`, and again in `purge`, in
    case the process died in between.
    """

    name: str = ""
    # How the dialog and the receipt call it.
    label: str | _StrPromise = ""

    def count(self, person: Person, reach: Reach) -> int:
        """How many rows would go. Asked for the plan, outside of a transaction."""
        return 0

    def drop(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        """Take it out of every read path at once. Returns how many rows went."""
        return 0

    def restore(self, deletion: Deletion, reach: Reach, *, now: datetime) -> None:
        """The deletion was undone: make what was dropped be built again."""

    def purge(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        """The undo window ended: nothing of it may remain."""
        return 0

    def leave(self, person: Person) -> None:
        """The account goes: drop what a cascade in the database does not reach."""

    def given_elsewhere(self, person: Person, messages: Collection[int]) -> Mapping[int, Collection[int]]:
        """Keys of replies that were given words of these messages from elsewhere, and so may repeat them; for each, of
        which messages."""
        return {}

    def verify(self, deletion: Deletion, reach: Reach) -> Collection[Finding]:
        """What is still there although the deletion was carried out."""
        return ()


_layers: dict[str, Layer] = {}


def register(layer: Layer) -> None:
    if not layer.name:
        raise ValueError("A layer needs a name.")
    _layers[layer.name] = layer


def layers() -> tuple[Layer, ...]:
    return tuple(_layers.values())


def given_elsewhere(person: Person, messages: Collection[int]) -> dict[int, set[int]]:
    """Of all layers: keys of replies, and of which of these messages each was given words."""
    found: dict[int, set[int]] = defaultdict(set)
    for layer in layers():
        for reply, given in layer.given_elsewhere(person, messages).items():
            found[reply].update(given)
    return dict(found)
