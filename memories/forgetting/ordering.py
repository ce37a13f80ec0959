"""Deleting all that is remembered, by a worker: it touches all rows that a person has, and no request waits so long."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from django.db import transaction

from memories.forgetting.carry import carry_out
from memories.forgetting.gather import gather_everything
from memories.forgetting.plan import NothingToForget
from memories.models import OrderedDeletion, Person, Via, lock_person


@transaction.atomic
def order_everything(person: Person, *, via: Via, now: datetime, erase_words: bool = False) -> OrderedDeletion:
    """Write down the person's word and call a worker. Beat asks again for what no worker has come to."""
    lock_person(person.pk)
    unfinished = OrderedDeletion.objects.of(person).unfinished().first()
    if unfinished is not None:
        return unfinished
    ordered = OrderedDeletion.objects.create(person=person, via=via, erase_words=erase_words, ordered_at=now)
    transaction.on_commit(partial(_call_a_worker, ordered.pk), robust=True)
    return ordered


@transaction.atomic
def carry_out_ordered(ordered_id: int, *, now: datetime) -> bool:
    """The order and what it asks for at one stroke. False when there is nothing left to do for it."""
    owner = OrderedDeletion.objects.unfinished().filter(pk=ordered_id).values_list("person_id", flat=True).first()
    if owner is None:
        return False
    person = lock_person(owner)
    ordered = OrderedDeletion.objects.unfinished().select_for_update().filter(pk=ordered_id).first()
    if ordered is None:
        return False
    plan = gather_everything(person, now=now, counted=False)
    try:
        ordered.deletion = carry_out(plan, now=now, via=Via(ordered.via), erase_words=ordered.erase_words)
    except NothingToForget:
        ordered.deletion = None
    ordered.finished_at = now
    ordered.save(update_fields=["deletion", "finished_at"])
    return True


def _call_a_worker(ordered_id: int) -> None:
    from memories.forgetting.tasks import carry_out_ordered as task

    task.apply_async(kwargs={"ordered_id": ordered_id}, retry=False)
