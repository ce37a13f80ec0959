from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from consolidation import tasks
from consolidation.models import AskedFor, Night, NightState
from memories import forget
from memories.models import Conversation, Memory, Message, Person, StaffRead, Via
from tests.consolidation.conftest import Dream, Say
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db


def test_staff_see_counts_and_reasons_and_no_words(
    staff_client: Client, model: ScriptedModel, says: Say, dream: Dream, alice: Person
) -> None:
    model.finds = [Finds("I play the oboe", "The user plays the oboe.", category="taste")]
    said = says("I play the oboe.")
    over = dream()
    memory = Memory.objects.of(alice).get()
    pages = [
        reverse("admin:consolidation_night_changelist"),
        reverse("admin:consolidation_night_change", args=[over.pk]),
        reverse("admin:memories_memory_changelist"),
        reverse("admin:memories_memory_change", args=[memory.pk]),
        reverse("admin:memories_conversation_changelist"),
        reverse("admin:memories_message_changelist"),
        reverse("admin:memories_message_change", args=[said.pk]),
    ]
    for page in pages:
        answer = staff_client.get(page)
        assert answer.status_code == 200, page
        assert "oboe" not in answer.content.decode().lower(), page
    night = staff_client.get(pages[1]).content.decode()
    assert f"m{memory.number}" in night
    assert reverse("admin:memories_message_change", args=[said.pk]) in night


def test_failed_and_stuck_nights_come_first(staff_client: Client, alice: Person, bob: Person, now: datetime) -> None:
    def of(person: Person, state: NightState, days: int) -> Night:
        at = now + timedelta(days=days)
        return Night.objects.create(
            person=person, local_date=at.date(), state=state, started_at=at, leased_until=now - timedelta(days=900),
            reads_until=at,
        )  # fmt: skip

    done, failed, stuck = of(alice, NightState.DONE, 9), of(alice, NightState.FAILED, 1), of(bob, NightState.RUNNING, 2)
    listed = list(staff_client.get(reverse("admin:consolidation_night_changelist")).context["cl"].result_list)
    assert listed == [stuck, failed, done]


def test_more_nights_and_decisions_ask_the_database_no_more(
    staff_client: Client, model: ScriptedModel, says: Say, dream: Dream, alice: Person
) -> None:
    def asked(page: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert staff_client.get(page).status_code == 200
        return len(queries)

    def nights_of(*words: str) -> list[str]:
        model.finds = [Finds(f"I keep {word}", f"The user keeps {word}.") for word in words]
        says(" ".join(f"I keep {word}." for word in words))
        of = reverse("admin:consolidation_night_change", args=[dream().pk])
        return [reverse("admin:consolidation_night_changelist"), of]

    few = [asked(page) for page in nights_of("bees")]
    many = [asked(page) for page in nights_of("goats", "hens", "ducks", "geese")]
    assert many == few
    assert max(many) < 40


def test_peoples_memories_and_words_cannot_be_changed_here(
    staff_client: Client, says: Say, dream: Dream, model: ScriptedModel, alice: Person
) -> None:
    model.finds = [Finds("I play the oboe", "The user plays the oboe.")]
    says("I play the oboe.")
    dream()
    rows = {"memory": Memory, "conversation": Conversation, "message": Message}
    for name, kind in rows.items():
        row = kind._default_manager.first()
        assert row is not None
        assert staff_client.get(reverse(f"admin:memories_{name}_add")).status_code == 403
        assert (
            staff_client.post(reverse(f"admin:memories_{name}_delete", args=[row.pk]), {"post": "yes"}).status_code
            == 403
        )
        assert (
            staff_client.post(reverse(f"admin:memories_{name}_change", args=[row.pk]), {"statement": "x"}).status_code
            == 403
        )


def test_staff_let_a_person_dream_and_retry_what_failed(
    staff_client: Client, alice: Person, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    enqueued: list[int] = []
    monkeypatch.setattr(tasks.run_night, "delay", lambda *, night_id: enqueued.append(night_id))
    staff_client.post(
        reverse("admin:memories_person_changelist"), {"action": "dream_now", "_selected_action": [alice.pk]}
    )
    begun = Night.objects.of(alice).get()
    assert enqueued == [begun.pk]
    begun.release(NightState.FAILED, now=now, error="overloaded")
    staff_client.post(
        reverse("admin:consolidation_night_changelist"), {"action": "retry", "_selected_action": [begun.pk]}
    )
    begun.refresh_from_db()
    assert begun.state == NightState.RUNNING
    assert enqueued == [begun.pk, begun.pk]


def test_people_who_are_not_staff_see_none_of_it(client: Client) -> None:
    assert client.get(reverse("admin:consolidation_night_changelist")).status_code == 302


def test_words_are_shown_for_a_reason_that_is_recorded_and_told_to_the_person(
    staff_client: Client, client: Client, bobs_client: Client, model: ScriptedModel, says: Say, dream: Dream,
    alice: Person,
) -> None:  # fmt: skip
    model.finds = [Finds("I play the oboe", "The user plays the oboe.")]
    said = says("I play the oboe.")
    dream()
    memory = Memory.objects.of(alice).get()
    assert "Nobody has." in client.get(reverse("memories:privacy")).content.decode()
    for name, row, words in [("memory", memory, "plays the oboe"), ("message", said, "I play the oboe")]:
        url = reverse(f"admin:memories_{name}_reveal", args=[row.pk])
        assert url in staff_client.get(reverse(f"admin:memories_{name}_change", args=[row.pk])).content.decode()
        assert "oboe" not in staff_client.get(url).content.decode()
        assert "oboe" not in staff_client.post(url, {"reason": "just so"}).content.decode()
        assert not StaffRead.objects.filter(looked_at=name).exists()
        assert words in staff_client.post(url, {"reason": f"Ticket 12, broken {name}"}).content.decode()
        assert bobs_client.post(url, {"reason": "Ticket 12, out of interest"}).status_code == 302
    assert StaffRead.objects.of(alice).count() == 2
    told = client.get(reverse("memories:privacy")).content.decode()
    assert "Ticket 12, broken memory" in told
    assert "charlie" in told


def test_forgotten_words_are_not_shown_even_for_a_reason(
    staff_client: Client, model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [Finds("I play the oboe", "The user plays the oboe.")]
    said = says("I play the oboe.")
    dream()
    memory = Memory.objects.of(alice).get()
    forget.carry_out(forget.plan(alice, memories=[memory], now=now), via=Via.LIST, now=now)
    for name, row in [("memory", memory), ("message", said)]:
        url = reverse(f"admin:memories_{name}_reveal", args=[row.pk])
        assert "oboe" not in staff_client.post(url, {"reason": "Ticket 12, broken"}).content.decode()


def test_tokens_and_cost_are_drawn_without_script_or_style(
    staff_client: Client, model: ScriptedModel, says: Say, dream: Dream
) -> None:
    says("I play the oboe.")
    dream()
    for url in (reverse("admin:consolidation_night_changelist"), reverse("admin:claude_call_changelist")):
        page = staff_client.get(url).content.decode()
        figure = page[page.index("<figure") : page.rindex("</figure>")]
        assert "<rect" in figure
        assert "Night: extracting" in figure
        assert "style=" not in figure
        assert "<script" not in figure


def test_every_filter_of_the_nights_has_words(staff_client: Client, alice: Person, now: datetime) -> None:
    for state, error in ((NightState.DONE, ""), (NightState.FAILED, "refused")):
        Night.objects.create(
            person=alice, local_date=now.date(), asked_for=AskedFor.PERSON, state=state, error=error, started_at=now,
            leased_until=now, reads_until=now,
        )  # fmt: skip
    # A link without words cannot be seen, or told to anybody.
    changes = staff_client.get(reverse("admin:consolidation_night_changelist")).context["cl"]
    named = [str(choice["display"]).strip() for each in changes.filter_specs for choice in each.choices(changes)]
    assert "refused" in named
    assert all(named)
