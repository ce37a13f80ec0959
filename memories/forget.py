"""The one forget door: every deletion, from whichever page, tool or command, is planned and carried out here."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from memories.forgetting.account import delete_account
from memories.forgetting.blocking import blocked
from memories.forgetting.carry import carry_out
from memories.forgetting.gather import gather, gather_conversation, gather_everything
from memories.forgetting.ordering import carry_out_ordered, order_everything
from memories.forgetting.plan import NothingToForget, Plan, Why, read
from memories.forgetting.proposing import propose
from memories.forgetting.purge import purge, purge_due
from memories.forgetting.receipt import layer_labels
from memories.forgetting.request import is_about_subject, resolve
from memories.forgetting.undo import TooLate, undo
from memories.forgetting.verify import verify, verify_person
from memories.models import Conversation, Memory, Person

__all__ = [
    "NothingToForget",
    "Plan",
    "TooLate",
    "Why",
    "blocked",
    "carry_out",
    "carry_out_ordered",
    "delete_account",
    "layer_labels",
    "order_everything",
    "plan",
    "plan_conversation",
    "plan_everything",
    "propose",
    "purge",
    "purge_due",
    "read",
    "undo",
    "verify",
    "verify_person",
]


def plan(
    person: Person,
    *,
    memories: Collection[Memory] = (),
    query: str = "",
    about: bool = False,
    now: datetime,
    ask_model: bool = True,
) -> Plan:
    """What forgetting `memories`, or what `query` asks for, would take. Changes nothing.

    `about`: the whole subject goes, so that its name alone is enough. A query that fits several different things gives
    a plan with `groups` and nothing else: the person says which.
    """
    asked = list(Memory.objects.of(person).kept().filter(pk__in=[memory.pk for memory in memories]))
    if query:
        about = about or is_about_subject(query)
        groups = resolve(person, query, now=now)
        if len(groups) > 1:
            return Plan(person=person, made_at=now, groups=groups, about=about)
        asked += groups[0] if groups else ()
    if not asked:
        return Plan(person=person, made_at=now, about=about)
    return gather(person, asked, about=about, now=now, ask_model=ask_model)


def plan_conversation(person: Person, conversation: Conversation, *, with_memories: bool, now: datetime) -> Plan:
    return gather_conversation(person, conversation, with_memories=with_memories, now=now)


def plan_everything(person: Person, *, now: datetime) -> Plan:
    return gather_everything(person, now=now)
