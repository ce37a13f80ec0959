from datetime import datetime, timedelta

import pytest
from django.forms import model_to_dict
from pytest_django import DjangoAssertNumQueries

from memories import index
from memories.models import (
    AskedBy,
    Category,
    Confidence,
    Evidence,
    Kind,
    Memory,
    MemoryMode,
    MemorySearch,
    Origin,
    Person,
    RefusalReason,
    Status,
    WaitingReason,
    Write,
    WriteOutcome,
)
from memories.remember import confirm, remember
from tests.memories.saying import conversation, proposal, said, told


def test_what_the_person_said_is_active_with_its_words_as_evidence(alice: Person, now: datetime) -> None:
    write = told(
        alice,
        "I sing alto in a choir on Tuesdays.",
        "The user sings alto in a choir.",
        now,
        quote="I sing alto in a choir",
    )
    memory = Memory.objects.get()
    assert write.outcome == WriteOutcome.REMEMBERED
    assert (memory.status, memory.trusted, memory.label) == (Status.ACTIVE, True, "m1")
    evidence = memory.evidence.get()
    assert evidence.passage is not None
    assert evidence.passage.text[evidence.start : evidence.end] == "I sing alto in a choir"
    assert memory.said_at == evidence.passage.message.said_at


def test_a_memory_is_born_whole_in_few_queries(
    alice: Person, now: datetime, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    passage = said(alice, "I moved to Tainan on 3 May and I keep two cats, Mochi and Latte.", now)
    asked = proposal(passage, "The user keeps two cats, Mochi and Latte.", category=Category.PEOPLE)
    with django_assert_max_num_queries(8):  # two of them are the savepoint's
        write = remember(alice, asked, now=now, asked_by=AskedBy.NIGHT)
    kept = Memory.objects.get()
    assert write.memory is not None
    assert model_to_dict(write.memory) == model_to_dict(kept)
    assert model_to_dict(write) == model_to_dict(Write.objects.get())
    row, wanted = MemorySearch.objects.get(memory=kept), index.memory_row(kept)
    assert (row.terms, bytes(row.packed), row.vector) == (wanted["terms"], wanted["packed"], None)
    assert row.length == pytest.approx(wanted["length"])
    alice.refresh_from_db()
    assert (kept.number, alice.last_memory_number) == (1, 1)


@pytest.mark.parametrize("origin", [Origin.PASTED, Origin.FILE, Origin.TOOL])
def test_what_others_wrote_waits_whatever_the_model_claims(alice: Person, now: datetime, origin: Origin) -> None:
    write = told(alice, "I love hazelnuts.", "The user loves hazelnuts.", now, origin=origin, asked_outright=True)
    assert (write.outcome, write.reason) == (WriteOutcome.WAITING, WaitingReason.UNTRUSTED)
    assert not Memory.objects.get().trusted


def test_the_assistants_words_are_not_the_persons(alice: Person, now: datetime) -> None:
    write = told(alice, "Maybe try a standing desk.", "The user wants a standing desk.", now, origin=Origin.ASSISTANT)
    assert (write.outcome, write.reason) == (WriteOutcome.REFUSED, RefusalReason.NOT_THEIR_WORDS)
    assert not Memory.objects.exists()


def test_words_that_were_not_said_are_no_evidence(alice: Person, now: datetime) -> None:
    write = told(alice, "I sing alto.", "The user plays the flute.", now, quote="I play the flute")
    assert write.reason == RefusalReason.QUOTE_NOT_FOUND


def test_a_passage_of_someone_else_is_no_evidence(alice: Person, bob: Person, now: datetime) -> None:
    passage = said(bob, "I sing alto.", now)
    write = remember(alice, proposal(passage, "The user sings alto."), now=now, asked_by=AskedBy.CHAT)
    assert write.reason == RefusalReason.QUOTE_NOT_FOUND
    assert write.person == alice


@pytest.mark.parametrize("mode", [MemoryMode.READ_ONLY, MemoryMode.TEMPORARY])
def test_a_conversation_that_is_not_learned_from_stays_so(alice: Person, now: datetime, mode: MemoryMode) -> None:
    passage = said(alice, "I sing alto.", now, within=conversation(alice, now, mode))
    write = remember(alice, proposal(passage, "The user sings alto."), now=now, asked_by=AskedBy.CHAT)
    assert write.reason == RefusalReason.LEARNING_OFF


def test_with_learning_off_only_the_persons_own_entry_is_kept(alice: Person, now: datetime) -> None:
    alice.learn_memories = False
    alice.save(update_fields=["learn_memories"])
    assert told(alice, "I sing alto.", "The user sings alto.", now).reason == RefusalReason.LEARNING_OFF
    entered = remember(alice, proposal(None, "The user sings alto."), now=now, asked_by=AskedBy.PAGE)
    assert entered.outcome == WriteOutcome.REMEMBERED
    assert Evidence.objects.get().passage is None


def test_who_wants_to_be_asked_is_asked(alice: Person, now: datetime) -> None:
    alice.ask_before_saving = True
    alice.save(update_fields=["ask_before_saving"])
    assert told(alice, "I sing alto.", "The user sings alto.", now).reason == WaitingReason.ASKED


def test_what_was_inferred_waits(alice: Person, now: datetime) -> None:
    write = told(alice, "Shorter, please.", "The user prefers short summaries.", now, confidence=Confidence.LOW)
    assert write.reason == WaitingReason.INFERRED


def test_an_import_waits(alice: Person, now: datetime) -> None:
    write = remember(alice, proposal(None, "The user sings alto."), now=now, asked_by=AskedBy.IMPORT)
    assert (write.outcome, write.reason) == (WriteOutcome.WAITING, WaitingReason.UNTRUSTED)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("", RefusalReason.BLANK),
        (" \n ", RefusalReason.BLANK),
        ("…", RefusalReason.BLANK),
        ("The user \x00 sings.", RefusalReason.MALFORMED),
        ("The user \ud800 sings.", RefusalReason.MALFORMED),
        ("The user sings. " * 100, RefusalReason.MALFORMED),
    ],
)
def test_a_statement_says_something_and_can_be_stored(
    alice: Person, now: datetime, statement: str, reason: RefusalReason
) -> None:
    assert told(alice, "I sing.", statement, now).reason == reason


def test_a_kind_that_does_not_exist_is_malformed(alice: Person, now: datetime) -> None:
    assert told(alice, "I sing.", "The user sings.", now, kind="poetic").reason == RefusalReason.MALFORMED


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("我最近在準備答辯", "The user is preparing a thesis defence."),
        ("I drive a blue van to work.", "使用者開藍色廂型車上班。"),
        ("我最近在準備答辯", "使用者最近在准备答辩。"),
        ("我最近在准备答辩", "使用者最近在準備答辯。"),
        (
            "I keep the configs in /etc/app on port 8080.",
            "L'utilisateur garde les configurations dans /etc/app sur le port 8080.",
        ),
    ],
)
def test_a_statement_is_in_the_language_it_was_said_in(alice: Person, now: datetime, text: str, statement: str) -> None:
    assert told(alice, text, statement, now).reason == RefusalReason.WRONG_LANGUAGE


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("我最近在準備答辯", "使用者最近在準備答辯。"),
        ("我最近在准备答辩", "用户最近在准备答辩。"),
        ("我們團隊都用 Figma 畫圖", "使用者的團隊用 Figma 畫圖。"),
        ("交件用 PDF", "使用者交件用 PDF。"),
        ("I love 豆花", "The user loves 豆花."),
        ("我用 Visual Studio Code、Docker Compose", "使用者用 Visual Studio Code 和 Docker Compose。"),
        ("I sing alto.", "The user sings alto."),
    ],
)
def test_names_keep_their_script(alice: Person, now: datetime, text: str, statement: str) -> None:
    assert told(alice, text, statement, now).outcome == WriteOutcome.REMEMBERED


def test_the_same_statement_gains_evidence_and_no_second_row(alice: Person, now: datetime) -> None:
    told(alice, "I sing alto.", "The user sings alto.", now)
    later = now + timedelta(days=3)
    write = told(alice, "As I said, I sing alto!", "The user sings alto", later, quote="I sing alto")
    memory = Memory.objects.get()
    assert (write.outcome, write.memory) == (WriteOutcome.CONFIRMED, memory)
    assert memory.evidence.count() == 2
    assert (memory.said_at, memory.confirmed_at) == (later, later)


def test_near_identical_values_stay_apart(alice: Person, now: datetime) -> None:
    told(alice, "I filed Form 052.", "The user filed Form 052.", now)
    told(alice, "I filed Form 053.", "The user filed Form 053.", now)
    told(alice, "I eat beef.", "The user eats beef.", now)
    told(alice, "I do not eat beef.", "The user does not eat beef.", now)
    told(alice, "我吃牛肉", "使用者吃牛肉。", now)
    told(alice, "我不吃牛肉", "使用者不吃牛肉。", now)
    assert Memory.objects.active().count() == 6


def test_a_typed_word_ends_the_waiting_of_a_pasted_one(alice: Person, now: datetime) -> None:
    told(alice, "The user sings alto.", "The user sings alto.", now, origin=Origin.PASTED)
    write = told(alice, "I sing alto.", "The user sings alto.", now)
    memory = Memory.objects.get()
    assert write.outcome == WriteOutcome.REMEMBERED
    assert (memory.status, memory.trusted, memory.waiting_reason) == (Status.ACTIVE, True, "")


def test_a_memory_is_found_by_its_words_at_once(alice: Person, now: datetime) -> None:
    told(alice, "I sing alto.", "The user sings alto.", now)
    row = MemorySearch.objects.get()
    assert (row.person, row.vector) == (alice, None)
    assert row.terms


def test_saying_it_again_is_confirmed_with_the_span(alice: Person, now: datetime) -> None:
    memory = told(alice, "I sing alto.", "The user sings alto.", now).memory
    assert memory is not None
    again = said(alice, "Alto, as ever.", now + timedelta(days=1))
    write = confirm(memory, again, 0, 4, now=now, asked_by=AskedBy.NIGHT)
    assert write.outcome == WriteOutcome.CONFIRMED
    pasted = said(alice, "She sings alto.", now, origin=Origin.PASTED)
    assert confirm(memory, pasted, 0, 4, now=now, asked_by=AskedBy.NIGHT).reason == RefusalReason.NOT_THEIR_WORDS
    assert confirm(memory, again, 0, 400, now=now, asked_by=AskedBy.NIGHT).reason == RefusalReason.QUOTE_NOT_FOUND


def test_a_refusal_is_a_row_without_words(alice: Person, now: datetime) -> None:
    told(alice, "my password is hunter22", "The user's password is hunter22.", now, category=Category.OTHER)
    write = Write.objects.get()
    assert (write.outcome, write.reason, write.memory) == (WriteOutcome.REFUSED, RefusalReason.CREDENTIAL, None)


def test_a_procedure_is_numbered_after_the_last(alice: Person, now: datetime) -> None:
    told(alice, "I sing.", "The user sings.", now)
    told(alice, "Start with the one-line answer.", "Start with the one-line answer.", now, kind=Kind.PROCEDURAL)
    assert list(Memory.objects.order_by("number").values_list("number", flat=True)) == [1, 2]
