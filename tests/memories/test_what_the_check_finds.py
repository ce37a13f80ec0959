"""Each layer is broken by hand after a deletion, and the check sees it: something is put back that should be gone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from chat.live import valkey
from chat.models import FoundMessage, Segment, SentTurn
from chat.stream import stream_key
from consolidation.models import AskedFor, Candidate, Night
from memories import forget
from memories.derived import Layer, layers
from memories.forgetting.spans import BLANK
from memories.models import (
    AlteredMemory,
    Conversation,
    DeletedEvidence,
    DeletedTitle,
    Deletion,
    Evidence,
    ExchangeSearch,
    How,
    Line,
    Memory,
    MemorySearch,
    Message,
    Page,
    Passage,
    Person,
    Recollection,
    Status,
    Version,
    Via,
)
from tests.conftest import ROOT
from tests.memories.telling import converse, learn, passage

ORLA = "My niece Orla starts school in September."
STATEMENT = "The user's niece Orla starts school in September."


@dataclass(frozen=True)
class Life:
    """What was there before, and the deletion of it."""

    memory: Memory
    other: Memory
    chat: Conversation
    # Where it was given to a reply, and where a reply found the words of `chat`.
    given: Conversation
    found: Conversation
    deletion: Deletion
    now: datetime

    @property
    def person(self) -> Person:
        return self.memory.person

    @property
    def said(self) -> Passage:
        return passage(self.chat, 0)

    @property
    def before(self) -> datetime:
        return self.deletion.carried_out_at - timedelta(hours=1)


@pytest.fixture
def life(alice: Person, now: datetime) -> Life:
    at = now - timedelta(days=3)
    chat = converse(alice, ORLA, "Lovely.", at=at)
    given, found = (converse(alice, "And now?", "Let us see.", at=at + timedelta(days=1)) for _ in range(2))
    memory = learn(alice, STATEMENT, (passage(chat, 0), ORLA[:-1]))
    other = learn(alice, "The user has a van.", (passage(given, 0), "And now"))
    Recollection.objects.create(
        person=alice, reply=passage(given, 1).message, memory=memory, how=How.RETRIEVED, rank=1, given_at=at
    )
    FoundMessage.objects.create(
        person=alice, reply=passage(found, 1).message, message=passage(chat, 0).message, given_at=at
    )
    for conversation in (chat, given, found):
        Segment.objects.create(person=alice, conversation=conversation, from_position=0, opened_at=at)
    plan = forget.plan(alice, memories=[memory], now=now)
    deletion = forget.carry_out(plan, now=now, via=Via.LIST, erase_words=True)
    assert forget.verify([deletion], now=now) == []
    return Life(memory, other, chat, given, found, deletion, now)


def memory_is_active(life: Life) -> None:
    Memory.objects.filter(pk=life.memory.pk).update(status=Status.ACTIVE)


def memory_rests_on_the_words(life: Life) -> None:
    Evidence.objects.create(memory=life.other, passage=life.said, start=3, end=12, said_at=life.before)


def older_words_teach_it_again(life: Life) -> None:
    later = life.now + timedelta(hours=1)
    Memory.objects.filter(pk=life.other.pk).update(statement=STATEMENT, created_at=later, said_at=life.before)


def time_zone_rests_on_it(life: Life) -> None:
    Person.objects.filter(pk=life.person.pk).update(time_zone="Asia/Tokyo", time_zone_memory=life.memory)


def line_rests_on_it(life: Life) -> None:
    page = Page.objects.create(person=life.person, slug="preferences", built_at=life.now)
    Line.objects.create(page=page, section="people", position=0, text="Niece Orla.").memories.add(life.memory)


def title_says_it(life: Life) -> None:
    Conversation.objects.filter(pk=life.chat.pk).update(title="Niece Orla starts school in September")


def title_that_was_set_aside_stands(life: Life) -> None:
    DeletedTitle.objects.create(deletion=life.deletion, conversation=life.chat, title="Her", title_is_mine=False)
    Conversation.objects.filter(pk=life.chat.pk).update(title="Her")


def title_is_still_set_aside(life: Life) -> None:
    DeletedTitle.objects.create(deletion=life.deletion, conversation=life.chat, title="Her", title_is_mine=False)


def search_row_of_the_memory(life: Life) -> None:
    MemorySearch.objects.filter(memory=life.other).update(memory=life.memory)


def search_row_of_the_old_words(life: Life) -> None:
    stale = ExchangeSearch.objects.get(message=passage(life.found, 0).message)
    ExchangeSearch.objects.filter(message=life.said.message).delete()
    ExchangeSearch.objects.filter(pk=stale.pk).update(message=life.said.message)


def segment_that_was_given_the_memory(life: Life) -> None:
    _segment(life, life.given, summary="About Orla.")


def segment_that_has_it_injected(life: Life) -> None:
    apart = converse(life.person, "Hello.", at=life.before)
    _segment(life, apart, opening="Orla").injected.add(life.memory)


def segment_in_which_it_was_said(life: Life) -> None:
    _segment(life, life.chat, opening="Orla")


def segment_that_was_given_the_words_by_a_search(life: Life) -> None:
    segment = _segment(life, life.found)
    reply = passage(life.found, 1).message
    SentTurn.objects.create(segment=segment, message=reply, position=0, role="user", blocks=[{"text": ORLA}])


def parts_of_a_reply(life: Life) -> None:
    reply = passage(life.found, 1).message
    Message.objects.filter(pk=reply.pk).update(finished_at=life.before)
    valkey().xadd(stream_key(reply.pk), {"kept": 0, "html": "<p>Orla</p>"})


def candidate_from_the_words(life: Life) -> None:
    _candidate(life, life.said)


def candidate_that_confirms_the_memory(life: Life) -> None:
    _candidate(life, passage(life.given, 0), memory=life.memory)


def statement_is_left(life: Life) -> None:
    Memory.objects.filter(pk=life.memory.pk).update(statement=STATEMENT)


def version_is_left(life: Life) -> None:
    Version.objects.create(memory=life.memory, number=1, statement=STATEMENT, replaced_at=life.now)


def evidence_is_left(life: Life) -> None:
    Evidence.objects.create(memory=life.memory, passage=passage(life.given, 0), start=0, end=3, said_at=life.before)


def words_are_left(life: Life) -> None:
    Passage.objects.filter(pk=life.said.pk).update(text=ORLA)


def name_of_a_file_is_left(life: Life) -> None:
    Passage.objects.filter(pk=life.said.pk).update(text=BLANK * len(ORLA), name="orla.txt")


def conversation_is_left(life: Life) -> None:
    Conversation.objects.filter(pk=life.chat.pk).update(deletion=life.deletion)


def settings_are_left(life: Life) -> None:
    Deletion.objects.filter(pk=life.deletion.pk).update(settings_before={"time_zone": "Asia/Tokyo"})


def what_a_memory_was_is_left(life: Life) -> None:
    AlteredMemory.objects.create(deletion=life.deletion, memory=life.other, status_before=Status.ACTIVE)


def taken_evidence_is_left(life: Life) -> None:
    DeletedEvidence.objects.create(
        deletion=life.deletion, memory=life.other, passage=life.said, start=0, end=2, said_at=life.before
    )


def record_of_its_use(life: Life) -> None:
    reply = passage(life.given, 1).message
    Recollection.objects.create(
        person=life.person, reply=reply, memory=life.memory, how=How.RETRIEVED, rank=1, given_at=life.before
    )


type Break = Callable[[Life], None]
# What is put back, while it can still be undone: the layer and the code of the finding.
AT_ONCE: dict[Break, tuple[str, str]] = {
    memory_is_active: ("memories", "not_deleted"),
    memory_rests_on_the_words: ("memories", "rests_on_forgotten_words"),
    older_words_teach_it_again: ("memories", "learned_again"),
    time_zone_rests_on_it: ("settings", "time_zone_rests_on_it"),
    line_rests_on_it: ("lines", "line_rests_on_it"),
    title_says_it: ("titles", "says_it"),
    title_that_was_set_aside_stands: ("titles", "says_it"),
    search_row_of_the_memory: ("search_rows", "row_of_deleted"),
    search_row_of_the_old_words: ("search_rows", "stale_words"),
    segment_that_was_given_the_memory: ("segments", "left"),
    segment_that_has_it_injected: ("segments", "left"),
    segment_in_which_it_was_said: ("segments", "left"),
    segment_that_was_given_the_words_by_a_search: ("segments", "left"),
    parts_of_a_reply: ("reply_buffers", "left"),
    candidate_from_the_words: ("candidates", "left"),
    candidate_that_confirms_the_memory: ("candidates", "left"),
}
AFTER_THE_PURGE: dict[Break, tuple[str, str]] = {
    memory_is_active: ("memories", "not_deleted"),
    older_words_teach_it_again: ("memories", "learned_again"),
    line_rests_on_it: ("lines", "line_rests_on_it"),
    title_says_it: ("titles", "says_it"),
    title_is_still_set_aside: ("titles", "set_aside_left"),
    search_row_of_the_memory: ("search_rows", "row_of_deleted"),
    segment_in_which_it_was_said: ("segments", "left"),
    segment_that_was_given_the_words_by_a_search: ("segments", "left"),
    parts_of_a_reply: ("reply_buffers", "left"),
    candidate_from_the_words: ("candidates", "left"),
    statement_is_left: ("memories", "statement_left"),
    version_is_left: ("memories", "version_left"),
    evidence_is_left: ("memories", "evidence_left"),
    what_a_memory_was_is_left: ("memories", "kept_for_undo"),
    taken_evidence_is_left: ("memories", "kept_for_undo"),
    settings_are_left: ("settings", "kept_for_undo"),
    words_are_left: ("transcripts", "words_left"),
    name_of_a_file_is_left: ("transcripts", "name_left"),
    conversation_is_left: ("transcripts", "conversation_left"),
    record_of_its_use: ("recollections", "still_recorded"),
}
ELSEWHERE = {("memories", "not_purged_in_time")}


def _sees(life: Life, cases: dict[Break, tuple[str, str]]) -> None:
    for put_back, expected in cases.items():
        with transaction.atomic():
            put_back(life)
            life.deletion.refresh_from_db()
            found = forget.verify([life.deletion], now=life.now)
            transaction.set_rollback(True)
        valkey().flushdb()
        assert expected in {(finding.layer, finding.code) for _deletion, finding in found}, put_back.__name__
    life.deletion.refresh_from_db()
    assert forget.verify([life.deletion], now=life.now) == []


def test_whatever_is_put_back_at_once_is_found(life: Life) -> None:
    _sees(life, AT_ONCE)


def test_whatever_is_left_after_the_purge_is_found(life: Life) -> None:
    assert forget.purge(life.deletion.pk, now=life.deletion.undo_until)
    _sees(life, AFTER_THE_PURGE)


def test_a_purge_that_does_not_come_is_found_and_the_command_fails(life: Life) -> None:
    late = life.deletion.undo_until + timedelta(minutes=31)
    assert [(f.layer, f.code) for _deletion, f in forget.verify([life.deletion], now=late)] == [*ELSEWHERE]
    life.deletion.refresh_from_db()
    assert life.deletion.check_findings == 1

    told = StringIO()
    Deletion.objects.update(undo_until=life.now + timedelta(days=36_500))
    call_command("verify_deletions", stdout=told)
    assert "nothing found" in told.getvalue()
    memory_is_active(life)
    with pytest.raises(CommandError, match="2 findings in 1 deletions"):
        call_command("verify_deletions", user="alice", stderr=told)
    assert f"deletion {life.deletion.pk}: memories: not_deleted Memory {life.memory.pk}" in told.getvalue()
    assert "Orla" not in told.getvalue()


def test_each_layer_and_each_finding_has_its_case_here() -> None:
    """A new layer, or a new thing that one looks for, is to be broken here too."""
    cases = {*AT_ONCE.values(), *AFTER_THE_PURGE.values(), *ELSEWHERE}
    for layer in layers():
        looks = type(layer).verify is not Layer.verify
        assert looks == (layer.name in {name for name, _code in cases}), layer.name
        # What holds rows has a label to count them under.
        assert looks == bool(layer.label), layer.name
    written = {
        code
        for app in ("memories", "chat", "consolidation")
        for file in (ROOT / app).rglob("*.py")
        for code in re.findall(r'\bFinding\([\w".]+, "(\w+)"', file.read_text())
    }
    assert written == {code for _layer, code in cases}


def _segment(life: Life, conversation: Conversation, *, opening: str = "", summary: str = "") -> Segment:
    return Segment.objects.create(
        person=life.person,
        conversation=conversation,
        from_position=0,
        opening=opening,
        summary=summary,
        opened_at=life.before,
    )


def _candidate(life: Life, said: Passage, memory: Memory | None = None) -> None:
    night = Night.objects.create(
        person=life.person, asked_for=AskedFor.PERSON, local_date=life.now.date(), started_at=life.now,
        leased_until=life.now, reads_until=life.now,
    )  # fmt: skip
    Candidate.objects.create(
        night=night, passage=said, memory=memory, said_at=life.before, start=3, end=8, statement=STATEMENT,
        kind="semantic", category="people", confidence="high",
    )  # fmt: skip
