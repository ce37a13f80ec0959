from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from claude.client import using
from claude.models import Call
from consolidation import night
from consolidation.models import AskedFor, Decision, Night
from memories.models import Memory, Message, Page, Person
from tests.consolidation.conftest import Say
from tests.fakes.scripted import Finds, ScriptedModel
from tests.fakes.wire import Answer, FakeWire, Request


@pytest.mark.django_db(transaction=True)
def test_a_dry_run_tells_the_proposal_changes_nothing_and_books_its_calls_outside_of_any_transaction(
    model: ScriptedModel, says: Say, alice: Person
) -> None:
    model.finds = [Finds("I keep bees", "The user keeps bees.", category="taste")]
    says("I keep bees.", at=timezone.now() - timedelta(hours=1))
    held: list[bool] = []

    def listens(request: Request) -> Answer:
        held.append(connection.in_atomic_block)
        return model.answer(request)

    out = StringIO()
    with using(FakeWire(otherwise=listens)):
        call_command("dream", "--user", "alice", "--dry-run", stdout=out)
    assert "The user keeps bees." in out.getvalue()
    assert "Nothing was changed." in out.getvalue()
    assert held == [False]
    assert Call.objects.filter(run__startswith="night-").count() == 1
    for rows in (Memory, Night, Decision, Page):
        assert not rows._default_manager.exists()
    assert Message.objects.unread_by_night().shown().count() == 2


@pytest.mark.django_db
def test_a_rehearsal_that_broke_off_is_never_carried_out(alice: Person) -> None:
    now = timezone.now()
    left = Night.objects.create(
        person=alice, local_date=now.date(), asked_for=AskedFor.REHEARSAL, started_at=now, leased_until=now,
        reads_until=now,
    )  # fmt: skip
    later = now + timedelta(hours=1)
    assert not Night.objects.abandoned(later).exists()
    assert night.run(left.pk, now=later).counts == {}
    assert night.begin(alice, now=later, asked_for=AskedFor.PERSON) is not None
    assert not Night.objects.filter(pk=left.pk).exists()
