"""Two people with the same words dream in a process of its own, with servers of its own: one undisturbed, and one while
PostgreSQL and Valkey are stopped and started at each step. Prints what each is left with.

Run by tests/consolidation/test_servers_restart.py."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from datetime import timedelta
from typing import Any, Self

import django

from config.services import postgres, running, valkey
from tests.fakes.server import MessagesServer
from tests.fakes.wire import Request, Scripted

STEPS = ["candidates", "verdicts", "checks", "lines"]
BEFORE = ["I keep hens.", "I live in Leeds."]
SINCE = ["I moved to York.", "I play the oboe."]


class Restarting(MessagesServer):
    """Answers as the stand-in, after the servers were away at the first question of each step that is left."""

    def __init__(self) -> None:
        super().__init__()
        self.left: list[str] = []

    def take(self, request: Request) -> Scripted | None:
        shape = next(iter(request.get("output_config", {}).get("format", {}).get("schema", {}).get("properties", "?")))
        if shape in self.left:
            self.left.remove(shape)
            for server in (postgres, valkey):
                server.stop()
                server.start()
        return super().take(request)


def main(service: Restarting) -> dict[str, Any]:
    from django.core.management import call_command
    from django.db import close_old_connections
    from django.db.utils import InterfaceError, OperationalError
    from django.utils import timezone
    from kombu.exceptions import OperationalError as BrokerGone
    from redis.exceptions import ConnectionError as ValkeyGone

    from consolidation import night, tasks
    from consolidation.models import AskedFor, Night, NightState
    from memories.models import Memory, Person

    call_command("migrate", verbosity=0, interactive=False)
    people = [
        Person.objects.create_user(name, f"{name}@example.org", dream_nightly=False)
        for name in ("undisturbed", "disturbed")
    ]
    now = timezone.now()
    for person in people:
        _say(person, BEFORE, now - timedelta(days=3))
        begun = night.begin(person, now=now - timedelta(days=2), asked_for=AskedFor.PERSON)
        assert begun is not None
        assert night.run(begun.pk, now=now - timedelta(days=2)).state == NightState.DONE
        Memory.objects.of(person).filter(statement__contains="hens").update(to_check_at=now)
        _say(person, SINCE, now - timedelta(hours=1))
    turns = 0
    with _Worker() as worker:
        for person, steps in zip(people, ([], STEPS), strict=True):
            service.left = list(steps)
            night.begin(person, now=timezone.now(), asked_for=AskedFor.PERSON)
            until = looked = time.monotonic()
            while time.monotonic() < until + 160:
                worker.keep()
                close_old_connections()
                try:
                    over = Night.objects.of(person).newest_first()[0]
                    if over.state == NightState.DONE:
                        break
                    if time.monotonic() > looked:
                        # As if the lease had run out, or the rest after a failure: beat finds it again.
                        turns, looked = turns + 1, time.monotonic() + 12
                        night.begin(person, now=timezone.now(), asked_for=AskedFor.PERSON)
                        Night.objects.filter(pk=over.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
                        tasks.find_due()
                except (OperationalError, InterfaceError, BrokerGone, ValkeyGone):
                    looked = 0
                time.sleep(0.5)
    return {"left": service.left, "turns": turns, **{person.username: _told(person) for person in people}}


class _Worker:
    """A real worker; started again when it ends, as whoever runs it does: Celery gives up when its broker goes away
    while it is finding it again."""

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def keep(self) -> None:
        if self._process.poll() is not None:
            self._start()

    def _start(self) -> None:
        command = ["-m", "celery", "-A", "config", "worker", "--pool=threads", "--concurrency=2", "--queues=nights"]
        self._process = subprocess.Popen([sys.executable, *command, "--loglevel=error"], stderr=subprocess.DEVNULL)


def _say(person: Any, sentences: list[str], at: Any) -> None:
    from memories.models import Conversation, Origin, Role
    from memories.transcript import Part, say

    conversation = Conversation.objects.create(person=person, started_at=at, last_said_at=at)
    for sentence in sentences:
        say(conversation, Role.USER, [Part(Origin.TYPED, sentence)], now=at)
        say(conversation, Role.ASSISTANT, [Part(Origin.ASSISTANT, "I see.")], now=at)


def _told(person: Any) -> dict[str, Any]:
    from consolidation.models import Candidate, Decision, Night
    from memories.models import Line, Memory, Message, Question

    memories = Memory.objects.of(person).order_by("number")
    return {
        "states": [night.state for night in Night.objects.of(person).newest_first()],
        "memories": [[memory.statement, memory.status, memory.evidence.count()] for memory in memories],
        "lines": sorted(Line.objects.filter(page__person=person).values_list("text", flat=True)),
        "decisions": sorted(Decision.objects.filter(night__person=person).values_list("did", flat=True)),
        "questions": Question.objects.of(person).count(),
        "staged": Candidate.objects.filter(night__person=person).count(),
        "unread": Message.objects.of(person).unread_by_night().shown().count(),
    }


if __name__ == "__main__":
    with Restarting() as service, running():
        os.environ.update(
            DJANGO_SETTINGS_MODULE="config.settings", ANTHROPIC_BASE_URL=service.url, ANTHROPIC_API_KEY="none"
        )
        django.setup()
        json.dump(main(service), sys.stdout)
        sys.stdout.write("\n")
