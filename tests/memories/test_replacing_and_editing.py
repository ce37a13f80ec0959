from datetime import datetime, timedelta

import pytest

from memories.edit import NotKept
from memories.models import (
    AskedBy,
    Evidence,
    Memory,
    MemorySearch,
    Origin,
    Person,
    RefusalReason,
    Status,
    Version,
    WriteOutcome,
)
from memories.recall import recall
from memories.remember import StaleEdit, accept, edit, reject, remember, restore
from memories.supersede import NotCurrent, Untrusted, supersede
from tests.memories.saying import proposal, said, told

LATER = timedelta(days=30)


def van(alice: Person, now: datetime) -> Memory:
    memory = told(alice, "I drive a van.", "The user drives a van.", now).memory
    assert memory is not None
    return memory


def test_a_new_saying_replaces_and_both_are_kept(alice: Person, now: datetime) -> None:
    old = van(alice, now)
    write = told(alice, "I take the train now.", "The user takes the train.", now + LATER, replaces=old.number)
    old.refresh_from_db()
    assert write.outcome == WriteOutcome.UPDATED
    assert (write.replaced, old.superseded_by, old.status) == (old, write.memory, Status.SUPERSEDED)


def test_an_older_saying_replaces_nothing(alice: Person, now: datetime) -> None:
    old = van(alice, now)
    passage = said(alice, "I take the train.", now - LATER)
    write = remember(
        alice, proposal(passage, "The user takes the train.", replaces=old.number), now=now, asked_by=AskedBy.NIGHT
    )
    assert write.reason == RefusalReason.OLDER
    assert Memory.objects.active().get() == old


def test_a_plan_stands_beside_the_present(alice: Person, now: datetime) -> None:
    old = van(alice, now)
    told(alice, "Next week I switch to the train.", "The user will take the train.", now, plan=True, replaces=1)
    old.refresh_from_db()
    assert old.status == Status.ACTIVE
    assert Memory.objects.active().count() == 2


def test_pasted_words_replace_nothing_until_they_are_accepted(alice: Person, now: datetime) -> None:
    old = van(alice, now)
    write = told(
        alice, "She takes the train.", "The user takes the train.", now + LATER, origin=Origin.PASTED, replaces=1
    )
    assert write.outcome == WriteOutcome.WAITING
    assert write.memory is not None
    with pytest.raises(Untrusted):
        supersede(old, write.memory, now=now)
    accept(alice, write.memory.number, now=now + LATER)
    old.refresh_from_db()
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, write.memory)


def test_a_memory_that_does_not_exist_cannot_be_replaced(alice: Person, bob: Person, now: datetime) -> None:
    van(bob, now)
    write = told(alice, "I take the train.", "The user takes the train.", now, replaces=1)
    assert write.reason == RefusalReason.UNKNOWN_MEMORY
    assert not Memory.objects.of(alice).exists()


def test_replacing_what_was_replaced_replaces_what_is_current(alice: Person, now: datetime) -> None:
    old = van(alice, now)
    second = told(alice, "I take the train.", "The user takes the train.", now + LATER, replaces=1).memory
    third = told(alice, "I cycle.", "The user cycles.", now + 2 * LATER, replaces=old.number).memory
    assert second is not None
    second.refresh_from_db()
    assert second.superseded_by == third


def test_an_edit_is_a_new_version_and_the_newest_saying(alice: Person, now: datetime) -> None:
    van(alice, now)
    memory = edit(alice, 1, "The user drives a blue van.", version=1, now=now + LATER)
    assert (memory.statement, memory.version, memory.said_at) == ("The user drives a blue van.", 2, now + LATER)
    assert Version.objects.get().statement == "The user drives a van."
    assert Evidence.objects.filter(passage=None).count() == 1
    assert [one.memory for one in recall(alice, "blue", now=now, budget=800, vectors=False)] == [memory]
    passage = said(alice, "I drive a red van.", now + timedelta(days=1))
    write = remember(
        alice, proposal(passage, "The user drives a red van.", replaces=1), now=now + LATER, asked_by=AskedBy.NIGHT
    )
    assert write.reason == RefusalReason.OLDER


def test_a_stale_edit_is_refused(alice: Person, now: datetime) -> None:
    van(alice, now)
    edit(alice, 1, "The user drives a blue van.", version=1, now=now)
    with pytest.raises(StaleEdit):
        edit(alice, 1, "The user drives a red van.", version=1, now=now)
    Memory.objects.update(status=Status.DELETED)
    with pytest.raises(StaleEdit):
        edit(alice, 1, "The user drives a red van.", version=2, now=now)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("  ", RefusalReason.BLANK),
        ("a\x00b", RefusalReason.MALFORMED),
        ("x" * 601, RefusalReason.MALFORMED),
        ("我的密碼是abc12345", RefusalReason.CREDENTIAL),
    ],
)
def test_an_edit_keeps_the_rules(alice: Person, now: datetime, statement: str, reason: RefusalReason) -> None:
    van(alice, now)
    with pytest.raises(NotKept) as refused:
        edit(alice, 1, statement, version=1, now=now)
    assert refused.value.reason == reason


def test_a_stranger_cannot_touch_it(alice: Person, bob: Person, now: datetime) -> None:
    van(alice, now)
    with pytest.raises(StaleEdit):
        edit(bob, 1, "The user drives a red van.", version=1, now=now)
    with pytest.raises(StaleEdit):
        restore(bob, 1, now=now)


def test_a_rejected_proposal_leaves_no_words_and_does_not_come_back(alice: Person, now: datetime) -> None:
    passage = said(alice, "The user loves archive mail.", now, origin=Origin.PASTED)
    wanted = proposal(passage, "The user loves archive mail.")
    remember(alice, wanted, now=now, asked_by=AskedBy.NIGHT)
    reject(alice, 1, now=now)
    memory = Memory.objects.get()
    assert (memory.status, memory.statement) == (Status.DELETED, "")
    assert not MemorySearch.objects.exists()
    assert remember(alice, wanted, now=now, asked_by=AskedBy.NIGHT).reason == RefusalReason.DELETED
    with pytest.raises(StaleEdit):
        accept(alice, 1, now=now)


def test_accepting_with_other_words_keeps_what_was_proposed_as_a_version(alice: Person, now: datetime) -> None:
    told(alice, "She sings.", "The user sings.", now, origin=Origin.PASTED)
    memory = accept(alice, 1, now=now, statement="The user sings alto.")
    assert (memory.status, memory.trusted, memory.statement) == (Status.ACTIVE, True, "The user sings alto.")
    assert Version.objects.get().statement == "The user sings."


def test_restoring_makes_the_old_one_current(alice: Person, now: datetime) -> None:
    van(alice, now)
    told(alice, "I take the train.", "The user takes the train.", now + LATER, replaces=1)
    memory = restore(alice, 1, now=now + LATER)
    assert (memory.status, memory.superseded_by) == (Status.ACTIVE, None)
    with pytest.raises(StaleEdit):
        restore(alice, 1, now=now + LATER)


def test_only_what_is_current_can_be_replaced(alice: Person, now: datetime) -> None:
    old = van(alice, now)
    new = told(alice, "I cycle.", "The user cycles.", now + LATER).memory
    assert new is not None
    Memory.objects.filter(pk=old.pk).update(status=Status.DELETED)
    old.refresh_from_db()
    with pytest.raises(NotCurrent):
        supersede(old, new, now=now)
