"""What a deletion would take, before anyone decides: the certain, the doubtful, and what stays."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.core import signing
from django.db import models
from django.utils.translation import gettext_lazy as _

from memories.derived import Reach
from memories.models import Conversation, Memory, Passage, Person

SALT = "memories.forget.plan"


class Why(models.TextChoices):
    """Why something is in a plan."""

    ASKED = "asked", _("You asked for it")
    REPLACED = "replaced", _("It was replaced by it")
    REPLACES = "replaces", _("It replaced it")
    SAME = "same", _("It says the same")
    GIVES_AWAY = "gives_away", _("It gives it away")
    SAME_WORDS = "same_words", _("It rests on the same words")
    EVIDENCE = "evidence", _("It was learned from these words")
    ECHO = "echo", _("It repeats it")
    CONVERSATION = "conversation", _("It stands in the conversation")


class NothingToForget(Exception):
    """The plan names nothing that is still there."""


class Judged(StrEnum):
    BY_MODEL = "model"
    BY_WORDS = "words"


@dataclass(frozen=True)
class MemoryPart:
    memory: Memory
    why: Why
    # Linked by replacement, but about something else than what goes: it stays unless the person says otherwise.
    asks: bool = False

    @property
    def in_chain(self) -> bool:
        return self.why in {Why.REPLACED, Why.REPLACES}


@dataclass(frozen=True)
class SpanPart:
    passage: Passage
    start: int
    end: int
    why: Why

    @property
    def words(self) -> str:
        return self.passage.text[self.start : self.end]

    @property
    def key(self) -> str:
        return f"{self.passage.pk}:{self.start}:{self.end}"


@dataclass(frozen=True)
class Plan:
    """Everything by key is decided here; `carry_out` looks all of it up again under the person's lock."""

    person: Person
    made_at: datetime
    memories: tuple[MemoryPart, ...] = ()
    doubtful_memories: tuple[MemoryPart, ...] = ()
    # They stay, but lose some of their evidence and are to be checked.
    kept_memories: tuple[MemoryPart, ...] = ()
    spans: tuple[SpanPart, ...] = ()
    doubtful_spans: tuple[SpanPart, ...] = ()
    conversation: Conversation | None = None
    # All that is remembered goes, and nothing said so far is learned from again.
    everything: bool = False
    # The request fits several different things: the person says which. Nothing else is filled in then.
    groups: tuple[tuple[Memory, ...], ...] = ()
    about: bool = False
    # The number of the newest memory that it looked at. A later one, learned from older words, that says the same or
    # rests on nothing but the words that go was not there to be shown, and goes too; None leaves it to stand.
    newest: int | None = None
    time_zone: str = ""
    # Counts per layer of what is derived, by the layer's name.
    derived: dict[str, int] = field(default_factory=dict)
    judged: Judged = Judged.BY_WORDS

    @property
    def ambiguous(self) -> bool:
        return len(self.groups) > 1

    @property
    def is_empty(self) -> bool:
        return not (self.memories or self.spans or self.conversation or self.everything)

    @property
    def asked(self) -> tuple[Memory, ...]:
        return tuple(part.memory for part in self.memories if part.why == Why.ASKED)

    @property
    def chain(self) -> tuple[MemoryPart, ...]:
        return tuple(part for part in self.memories if part.in_chain)

    @property
    def undecided(self) -> frozenset[int]:
        """Keys of what the person is asked about; it stays as it is where they were not."""
        return frozenset(part.memory.pk for part in self.memories if part.asks)

    @property
    def others(self) -> tuple[MemoryPart, ...]:
        """What goes certainly without having been asked for by itself."""
        return tuple(part for part in self.memories if not part.in_chain and part.why != Why.ASKED)

    @property
    def reach(self) -> Reach:
        return Reach(
            memories=frozenset(part.memory.pk for part in self.memories),
            passages=frozenset(part.passage.pk for part in self.spans),
            conversations=frozenset({self.conversation.pk} if self.conversation else ()),
            everything=self.everything,
        )

    @property
    def counts(self) -> dict[str, int]:
        """What goes for certain, by layer."""
        own = {"memories": len(self.memories), "tombstones": len(self.spans), "settings": int(bool(self.time_zone))}
        return {name: n for name, n in {**own, **self.derived}.items() if n}

    def sign(self) -> str:
        """The plan by its keys, for a form to bring back; nobody but us can have written it."""
        return signing.dumps(
            {
                "person": self.person.pk,
                "made_at": self.made_at.isoformat(),
                "memories": [[part.memory.pk, part.why, part.asks] for part in self.memories],
                "doubtful_memories": [[part.memory.pk, part.why, part.asks] for part in self.doubtful_memories],
                "spans": [[part.passage.pk, part.start, part.end, part.why] for part in self.spans],
                "doubtful_spans": [[part.passage.pk, part.start, part.end, part.why] for part in self.doubtful_spans],
                "conversation": self.conversation.pk if self.conversation else None,
                "everything": self.everything,
                "about": self.about,
                "newest": self.newest,
            },
            salt=SALT,
            compress=True,
        )

    def ticked(self, *, memories: Collection[int] = (), spans: Collection[str] = ()) -> Plan:
        """With the doubtful that the person ticked made certain, and the other doubtful left out."""
        chosen = tuple(part for part in self.doubtful_memories if part.memory.pk in memories)
        words = tuple(part for part in self.doubtful_spans if part.key in spans)
        return replace(
            self,
            memories=self.memories + chosen,
            spans=self.spans + words,
            doubtful_memories=(),
            doubtful_spans=(),
        )


def read(person: Person, signed: str, *, max_age_s: int) -> Plan:
    """The plan that a form brought back. Raises `signing.BadSignature` for anyone else's, or an old one."""
    kept: dict[str, Any] = signing.loads(signed, salt=SALT, max_age=max_age_s)
    if kept["person"] != person.pk:
        raise signing.BadSignature
    memories = Memory.objects.of(person).in_bulk([row[0] for row in kept["memories"] + kept["doubtful_memories"]])
    passages = (
        Passage.objects.of(person)
        .select_related("message")
        .in_bulk([row[0] for row in kept["spans"] + kept["doubtful_spans"]])
    )

    def memory_parts(rows: list[list[Any]]) -> tuple[MemoryPart, ...]:
        return tuple(MemoryPart(memories[pk], Why(why), asks) for pk, why, asks in rows if pk in memories)

    def span_parts(rows: list[list[Any]]) -> tuple[SpanPart, ...]:
        return tuple(SpanPart(passages[pk], start, end, Why(why)) for pk, start, end, why in rows if pk in passages)

    return Plan(
        person=person,
        made_at=datetime.fromisoformat(kept["made_at"]),
        memories=memory_parts(kept["memories"]),
        doubtful_memories=memory_parts(kept["doubtful_memories"]),
        spans=span_parts(kept["spans"]),
        doubtful_spans=span_parts(kept["doubtful_spans"]),
        conversation=Conversation.objects.of(person).filter(pk=kept["conversation"]).first(),
        everything=kept["everything"],
        about=kept["about"],
        newest=kept["newest"],
    )
