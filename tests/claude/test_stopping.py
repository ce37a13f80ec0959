"""Stop must end the call upstream, wherever it stands, over real sockets."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from claude.client import Block, ModelStream, complete, is_standin, stream
from claude.errors import Interrupted, Unreachable
from claude.models import Call
from claude.purposes import Purpose
from memories.models import Person
from tests.fakes import wire as fake
from tests.fakes.server import MessagesServer

pytestmark = pytest.mark.django_db
HELLO: list[Block] = [{"role": "user", "content": "你好 🙂"}]
WORDS = "我喜歡榛果拿鐵 🙂。And the window seat. " * 5


@pytest.fixture
def server(settings: Settings) -> Iterator[MessagesServer]:
    with MessagesServer() as server:
        settings.ANTHROPIC_BASE_URL, settings.CLAUDE_STANDIN, settings.CLAUDE_RETRIES = server.url, False, 0
        yield server


def test_a_stream_over_real_http_is_whole_though_its_characters_are_parted(
    server: MessagesServer, alice: Person
) -> None:
    server.enqueue(fake.text(WORDS))
    with stream(Purpose.CHAT, system="S", messages=HELLO, person=alice) as call:
        assert "".join(call) == WORDS
    assert not is_standin()
    assert server.history[0]["messages"][0]["content"] == [{"type": "text", "text": "你好 🙂"}]
    assert Call.objects.get().request_id == "req_loopback"


def test_the_stand_in_answers_over_real_http_too(server: MessagesServer, alice: Person) -> None:
    with stream(Purpose.CHAT, system="S", messages=HELLO, person=alice) as call:
        assert "".join(call).strip()
    assert complete(Purpose.TITLE, system="S", messages=HELLO, person=alice).text.strip()


def test_one_connection_serves_many_calls(server: MessagesServer, alice: Person) -> None:
    for _ in range(5):
        with stream(Purpose.CHAT, system="S", messages=HELLO, person=alice) as call:
            list(call)
        complete(Purpose.TITLE, system="S", messages=HELLO, person=alice)
    assert server.connections == 1


@pytest.mark.parametrize(
    "slow",
    [
        pytest.param(fake.Scripted((fake.text_block(WORDS),), pause_s=60), id="while it streams"),
        pytest.param(fake.Scripted((fake.text_block(WORDS),), thinks_s=60), id="before it answers"),
    ],
)
def test_close_from_another_thread_hangs_up_at_once(server: MessagesServer, alice: Person, slow: fake.Scripted) -> None:
    server.enqueue(slow)
    with stream(Purpose.CHAT, system="S", messages=HELLO, person=alice) as call:
        stopper = threading.Thread(target=_stop_once_asked, args=(server, call))
        stopper.start()
        before = time.monotonic()
        list(call)
        took = time.monotonic() - before
        stopper.join()

    assert call.aborted
    assert took < 20
    assert server.hung_up.wait(60)
    assert Call.objects.get().error == "aborted"


def test_leaving_the_stream_hangs_up(server: MessagesServer, alice: Person) -> None:
    server.enqueue(fake.Scripted((fake.text_block(WORDS),), pause_s=1))
    with stream(Purpose.CHAT, system="S", messages=HELLO, person=alice) as call:
        next(iter(call))
    assert server.hung_up.wait(60)


def test_closing_after_the_end_changes_nothing_and_spares_the_connection(server: MessagesServer, alice: Person) -> None:
    server.enqueue(fake.text("Hello."), fake.text("Again."))
    for words in ("Hello.", "Again."):
        with stream(Purpose.CHAT, system="S", messages=HELLO, person=alice) as call:
            assert "".join(call) == words
            call.close()
        assert not call.aborted
    assert server.connections == 1
    assert list(Call.objects.values_list("error", flat=True)) == ["", ""]


def test_closing_before_the_beginning_sends_nothing(server: MessagesServer, alice: Person) -> None:
    with stream(Purpose.CHAT, system="S", messages=HELLO, person=alice) as call:
        call.close()
        assert list(call) == []
    assert server.history == []
    assert not Call.objects.exists()


def test_a_network_that_drops_in_mid_stream_is_interrupted(server: MessagesServer, alice: Person) -> None:
    server.enqueue(fake.broken("Half an ans"))
    with stream(Purpose.CHAT, system="S", messages=HELLO, person=alice) as call, pytest.raises(Interrupted):
        list(call)
    assert call.text == "Half an ans"


def test_a_server_that_is_not_there_is_unreachable(settings: Settings, alice: Person) -> None:
    settings.ANTHROPIC_BASE_URL, settings.CLAUDE_STANDIN, settings.CLAUDE_RETRIES = "http://127.0.0.1:9", False, 0
    with pytest.raises(Unreachable):
        complete(Purpose.TITLE, system="S", messages=HELLO, person=alice)
    row = Call.objects.get()
    assert (row.error, row.cost) == ("unreachable", None)


def _stop_once_asked(server: MessagesServer, call: ModelStream) -> None:
    server.asked.wait(60)
    time.sleep(0.1)
    call.close()
