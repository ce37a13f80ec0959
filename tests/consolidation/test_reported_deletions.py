"""What people reported of deletions in systems like this one; each test names the report. Those of one path that skips
the others' work (graphiti#1491) are the doors of tests/memories/test_canaries.py; of an account that leaves rows
(agenticos#1421), tests/memories/test_deleting_the_account.py; of a chat that leaves its memories (omi#4100) and of one
of two sources that goes (teams-agent-accelerator#94), tests/memories/test_the_deletion_pages.py and
test_forgetting_a_memory.py."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from consolidation.models import Decision
from memories import forget
from memories.block import compose
from memories.edit import StaleEdit
from memories.models import (
    AskedBy,
    Deletion,
    ExchangeSearch,
    Line,
    Memory,
    MemorySearch,
    Message,
    Page,
    Person,
    Status,
    Version,
    Via,
    WaitingReason,
)
from memories.recall import recall
from memories.remember import edit, remember, restore
from tests.consolidation.conftest import Dream, Say
from tests.fakes.scripted import Finds, ScriptedModel
from tests.memories.saying import proposal
from tests.memories.telling import learn

STATEMENT = "The user's niece Orla starts school in September."


def _forget(memory: Memory, *, now: datetime, purged: bool = True) -> Deletion:
    plan = forget.plan(memory.person, memories=[memory], now=now, ask_model=False)
    deletion = forget.carry_out(plan, now=now, via=Via.DETAIL)
    if purged:
        forget.purge(deletion.pk, now=deletion.undo_until)
    return deletion


@pytest.fixture
def orla(says: Say, alice: Person, now: datetime) -> Memory:
    said = says("My niece Orla starts school in September.", at=now - timedelta(days=9), answer="Lovely for Orla.")
    says("In September school begins for my niece, little Orla.", at=now - timedelta(days=8))
    return learn(alice, STATEMENT, (said.passages.get(), "My niece Orla starts school in September"))


@pytest.mark.parametrize("report", ["stella#671", "remnic#1631", "lobehub#15576"])
def test_deleted_and_dreamt_of_twice_it_is_not_learned_again_from_the_transcript_or_a_paraphrase_in_it(
    report: str, orla: Memory, model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    # In words that have nothing in common with it, so that they bear no tombstone and the model reads them.
    says("The little one gets her first satchel after the summer.", at=now - timedelta(days=7))
    model.finds = [
        Finds("The little one gets her first satchel after the summer", STATEMENT, category="people"),
        Finds("My niece Orla starts school in September", STATEMENT, category="people"),
        Finds("In September school begins for my niece, little Orla", "Orla, the user's niece, starts school."),
        Finds("little Orla", "The user has a niece, Orla.", category="people"),
    ]
    # Before its purge and after it.
    deletion = _forget(orla, now=now, purged=report != "remnic#1631")
    for day in (1, 2):
        Message.objects.update(read_at=None)
        dream(at=now + timedelta(days=day))
    assert not Memory.objects.of(alice).kept().exists()
    assert not Line.objects.exists()
    assert model.asked["candidates"] >= 2
    assert not Decision.objects.filter(did__in=["added", "confirmed", "replaced"]).exists()
    assert forget.verify([deletion], now=deletion.undo_until) == []


def test_lobehub_15576_a_paraphrase_is_not_merged_into_another_memory(
    orla: Memory, model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    said = says("I have a niece.", at=now - timedelta(days=7))
    niece = learn(alice, "The user has a niece.", (said.passages.get(), "I have a niece"))
    model.finds = [Finds("In September school begins for my niece, little Orla", "The user's niece is Orla.")]
    model.judges = [("Orla", "replaces", "has a niece")]
    _forget(orla, now=now)
    Message.objects.update(read_at=None)
    dream(at=now + timedelta(days=1))

    assert [(m.pk, m.statement, m.status) for m in Memory.objects.of(alice).kept()] == [
        (niece.pk, "The user has a niece.", Status.ACTIVE)
    ]


def test_remnic_1631_an_import_of_it_waits_and_says_that_it_was_deleted(
    orla: Memory, alice: Person, now: datetime
) -> None:
    _forget(orla, now=now)
    write = remember(alice, proposal(None, STATEMENT), now=now + timedelta(days=1), asked_by=AskedBy.IMPORT)
    assert write.memory is not None
    assert (write.memory.status, write.memory.waiting_reason) == (Status.WAITING, WaitingReason.DELETED_BEFORE)


def test_stella_671_it_cannot_be_restored_or_edited_back(orla: Memory, alice: Person, now: datetime) -> None:
    _forget(orla, now=now, purged=False)
    for bring_back in (
        partial(restore, alice, orla.number, now=now),
        partial(edit, alice, orla.number, STATEMENT, version=orla.version, now=now),
    ):
        with pytest.raises((Memory.DoesNotExist, StaleEdit)):
            bring_back()
    assert not Memory.objects.of(alice).kept().exists()


def test_memos_2331_and_mem0_3610_its_vector_is_gone_with_the_row(orla: Memory, alice: Person, now: datetime) -> None:
    unit = [1.0, 0.0]
    MemorySearch.objects.update(vector=unit, embedder="e")
    ExchangeSearch.objects.update(vector=unit, embedder="e")
    told = ExchangeSearch.objects.get(message__passages__text__startswith="My niece")
    before = bytes(told.packed)

    _forget(orla, now=now, purged=False)

    assert not MemorySearch.objects.exists()
    left = ExchangeSearch.objects.filter(pk=told.pk).first()
    assert left is None or (left.vector is None and bytes(left.packed) != before)
    assert recall(alice, "When does Orla start school?", now=now, budget=1_000) == []


def test_supermemory_142_it_counts_in_no_total_facet_or_meter(
    orla: Memory, client: Client, alice: Person, now: datetime
) -> None:
    Memory.objects.filter(pk=orla.pk).update(category="style", kind="procedural")
    assert compose(alice, now=now).memories
    assert client.get(reverse("memories:list")).context["page"].paginator.count == 1

    _forget(orla, now=now, purged=False)

    context = client.get(reverse("memories:list"), {"status": "all"}).context
    assert context["page"].paginator.count == 0
    assert not any(choice.count for facet in context["facets"] for choice in facet.choices)
    assert context["meter"].memories == 0
    assert not compose(alice, now=now).memories


def test_chronicle_254_its_old_versions_do_not_survive(orla: Memory, alice: Person, now: datetime) -> None:
    for turn, words in enumerate(["in autumn.", "in October.", "next year."]):
        orla.refresh_from_db()
        edit(alice, orla.number, f"The user's niece Orla starts school {words}", version=orla.version, now=now)
        assert Version.objects.count() == turn + 1
    orla.refresh_from_db()

    deletion = _forget(orla, now=now + timedelta(minutes=1))

    assert deletion.counts["versions"] == 3
    assert not Version.objects.exists()
    assert Memory.objects.get(pk=orla.pk).statement == ""
    # Said as it once was, it is as much what was deleted.
    assert forget.blocked(alice, statement=STATEMENT, said_at=now - timedelta(days=1))


def test_hindsight_3294_and_1951_a_source_that_is_read_again_resurrects_nothing_and_takes_no_edit_back(
    orla: Memory, model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    said = says("I drive a van.", at=now - timedelta(days=7))
    van = learn(alice, "The user drives a van.", (said.passages.get(), "I drive a van"))
    edit(alice, van.number, "The user drives a blue van.", version=van.version, now=now - timedelta(days=1))
    model.finds = [
        Finds("My niece Orla starts school in September", STATEMENT, category="people"),
        Finds("I drive a van", "The user drives a van."),
    ]
    model.judges = [("drives a van", "same", "blue van")]
    _forget(orla, now=now)
    Message.objects.update(read_at=None)
    dream(at=now + timedelta(days=1))

    assert [m.statement for m in Memory.objects.of(alice).kept()] == ["The user drives a blue van."]


def test_omi_12473_a_stale_tab_saves_no_edit_to_a_deleted_memory(
    orla: Memory, client: Client, alice: Person, now: datetime
) -> None:
    address = reverse("memories:edit", args=[orla.number])
    stale = {"statement": "The user's niece Orla is five.", "version": str(orla.version)}
    assert client.get(address).status_code == 200
    deletion = _forget(orla, now=now, purged=False)

    assert client.post(address, stale).status_code == 410

    orla.refresh_from_db()
    assert (orla.status, orla.statement) == (Status.DELETED, STATEMENT)
    forget.undo(deletion, now=now)
    orla.refresh_from_db()
    assert (orla.status, orla.statement) == (Status.ACTIVE, STATEMENT)


def test_a_page_is_written_anew_without_it(
    orla: Memory, model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    said = says("I drive a van.", at=now - timedelta(days=7))
    van = learn(alice, "The user drives a van.", (said.passages.get(), "I drive a van"))
    page = Page.objects.create(person=alice, slug="preferences", built_at=now - timedelta(days=1))
    line = Line.objects.create(page=page, section="other", position=0, text="Drives a van; niece Orla starts school.")
    line.memories.set([orla, van])

    _forget(orla, now=now)
    assert not Line.objects.exists()
    dream(at=now + timedelta(days=1))

    assert all("Orla" not in text for text in Line.objects.values_list("text", flat=True))
