"""A worker, Valkey or PostgreSQL dies while a reply is written: real processes, really killed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client

from chat.live import lease_key, valkey
from chat.stream import stream_key
from claude.models import Call
from config.unfinished import give_back, transport_options
from memories.models import Message, MessageState, Person
from tests.chat.saying import text_of
from tests.chat.test_streaming import state_of, until
from tests.config.machine import Machine
from tests.conftest import start_worker_process

WORKER = "replies-to-be-killed"
IN_MID_REPLY = """
import os, signal, threading, time
from config.services import postgres, restart_what_died, running, valkey as server
with running():
    import django
    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.utils import timezone
    call_command("migrate", verbosity=0, interactive=False)
    from chat.live import valkey
    from chat.reply import write_reply
    from chat.send import send
    from chat.stream import stream_key
    from claude.models import Call
    from memories.models import Message, Origin, Person
    from memories.transcript import Part, readable_message
    person = Person.objects.create(username="alice")
    for dying in (postgres, server):
        said = [Part(Origin.TYPED, "What is the longest thing that you can tell me about yourself?")]
        reply = send(person, conversation=None, parts=said, key=dying.__name__, now=timezone.now())
        connection.close()
        writing = threading.Thread(target=write_reply, args=(reply.pk,))
        writing.start()
        while not valkey().exists(stream_key(reply.pk)):
            time.sleep(0.05)
        os.kill(dying.running_pid(), signal.SIGKILL)
        while dying.running_pid() and dying.answers():
            time.sleep(0.05)
        assert restart_what_died(), "It did not die."
        writing.join()
        reply = Message.objects.get(pk=reply.pk)
        calls = Call.objects.filter(run=f"reply-{reply.pk}").order_by("pk")
        ends = [call.error or call.stop_reason for call in calls]
        print("ended", reply.state, *ends, len(readable_message(reply)) > 20, flush=True)
"""


@pytest.fixture
def machine() -> Iterator[Machine]:
    machine = Machine()
    yield machine
    machine.clear()


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_reply_whose_worker_is_killed_is_told_as_interrupted_and_can_be_tried_again(
    client: Client, transactional_db: None, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_WORKER", WORKER)
    monkeypatch.setenv("STANDIN_DELAY_S", "0.5")
    first = start_worker_process("replies")
    try:
        client.post("/chats/send/", {"text": "I live in Oslo. What can you do for me?", "key": "k1"})
        reply = Message.objects.get(role="assistant")
        until(lambda: valkey().exists(stream_key(reply.pk)), 120)
        assert state_of(reply) == MessageState.STREAMING
    finally:
        first.kill()
        first.wait()
    booked = list(Call.objects.values_list("pk", flat=True))

    # As `manage.py up` does before it starts a worker again.
    give_back(WORKER)
    monkeypatch.setenv("STANDIN_DELAY_S", "0")
    second = start_worker_process("replies")
    try:
        until(lambda: not valkey().llen("replies") and not valkey().hlen(transport_options(WORKER)["unacked_key"]), 120)
        # Taken up a second time, it is not written a second time, however long the worker took to start.
        assert state_of(reply) in {MessageState.STREAMING, MessageState.FAILED}
        assert list(Call.objects.values_list("pk", flat=True)) == booked

        valkey().delete(lease_key(reply.pk))
        page = client.get(f"/chats/{reply.conversation_id}/").content.decode()
        assert "I live in Oslo." in page
        assert "was interrupted on our side" in page
        assert "Retry" in page
        assert state_of(reply) == MessageState.FAILED

        client.post(f"/replies/{reply.pk}/retry/")
        again = Message.objects.get(attempt=2)
        until(lambda: state_of(again) == MessageState.DONE, 120)
    finally:
        second.kill()
        second.wait()
    assert text_of(again)
    assert not text_of(reply)
    assert list(Message.objects.filter(shown=True).order_by("position")) == [
        Message.objects.get(role="user"),
        again,
    ]
    assert set(Call.objects.exclude(pk__in=booked).values_list("run", flat=True)) == {f"reply-{again.pk}"}
    assert Call.objects.filter(stop_reason="end_turn").count() == 1


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_reply_outlives_a_restart_of_postgresql_and_of_valkey(machine: Machine) -> None:
    told = machine.python(IN_MID_REPLY, STANDIN_DELAY_S="0.5", LOG_LEVEL="ERROR", EMBEDDER="none")

    ended = [line for line in told.splitlines() if line.startswith("ended")]
    assert ended == ["ended done tool_use tool_use end_turn True"] * 2
