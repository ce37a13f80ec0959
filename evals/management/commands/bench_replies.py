from __future__ import annotations

import asyncio
import threading
import time
import urllib.request
from argparse import ArgumentParser
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone
from redis import Redis

from chat.markdown import to_html
from config.services import running
from evals import reply_speed as speed
from memories.models import Message, Person
from memories.transcript import readable_message

BACKEND = "django.contrib.auth.backends.ModelBackend"


class Command(BaseCommand):
    help = "Time replies with a model that answers at once, one by one and many together. People of its own; removed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--replies", type=int, default=40, help="One after the other.")
        parser.add_argument("--streams", type=int, default=50, help="At once.")
        parser.add_argument("--total", type=int, default=100, help="Streams over which connections are watched.")

    def handle(self, *args: Any, **options: Any) -> None:
        with running():
            call_command("migrate", verbosity=0, interactive=False)
            self._bench(**{name: options[name] for name in ("replies", "streams", "total")})

    def _bench(self, *, replies: int, streams: int, total: int) -> None:
        redis_url = settings.REDIS_URL.rsplit("db=", 1)[0] + f"db={speed.VALKEY_DATABASE}"
        valkey = Redis.from_url(redis_url)
        valkey.flushdb()
        stamp = timezone.now().timestamp()
        people = [Person.objects.create(username=f"bench {stamp} {number}") for number in range(max(streams, 1))]
        sessions = [_session(person) for person in people]
        model = speed.Model()
        try:
            with speed.processes(model, redis_url) as (url, pids):
                _wait_for(url)
                asyncio.run(speed.ask(url, sessions[0], settings.SESSION_COOKIE_NAME, "Warm up"))
                self._memory("at rest", pids)
                self._one_by_one(url, sessions[0], pids, replies)
                model.paragraphs, model.pause_s = 20, 0.02
                self._together(url, sessions, pids)
                self._connections(url, sessions, total)
        finally:
            model.shutdown()
            Person.objects.filter(pk__in=[person.pk for person in people]).delete()
            valkey.flushdb()

    def _one_by_one(self, url: str, session: str, pids: dict[str, int], replies: int) -> None:
        before = {name: speed.cpu_s(pid) for name, pid in pids.items()}
        heard = [
            asyncio.run(speed.ask(url, session, settings.SESSION_COOKIE_NAME, f"Hello {number}"))
            for number in range(replies)
        ]
        median, late = speed.percentiles([one.first_s for one in heard])
        self._say(f"first part, one by one      {median:6.0f} ms p50 {late:6.0f} ms p95  ({replies} replies)")
        self._cpu(before, pids, replies)

    def _cpu(self, before: dict[str, float], pids: dict[str, int], replies: int) -> None:
        found = ", ".join(
            f"{name} {(speed.cpu_s(pid) - before[name]) / replies * 1000:.0f} ms" for name, pid in pids.items()
        )
        self._say(f"computed for each reply     {found}")

    def _together(self, url: str, sessions: list[str], pids: dict[str, int]) -> None:
        watch = threading.Timer(1.5, lambda: self._memory("under load", pids))
        watch.start()
        before = {name: speed.cpu_s(pid) for name, pid in pids.items()}
        began = time.perf_counter()
        heard = asyncio.run(speed.ask_all(url, sessions, settings.SESSION_COOKIE_NAME))
        took = time.perf_counter() - began
        watch.join()
        median, late = speed.percentiles([one.first_s for one in heard])
        right = sum(_is_right(one) for one in heard)
        self._say(f"first part, {len(heard):3} at once     {median:6.0f} ms p50 {late:6.0f} ms p95")
        self._say(f"complete and correct        {right:6} of {len(heard)}, all in {took:.1f} s")
        self._cpu(before, pids, len(heard))

    def _connections(self, url: str, sessions: list[str], total: int) -> None:
        counts = [_connections()]
        done = 0
        while done < total:
            asyncio.run(speed.ask_all(url, sessions, settings.SESSION_COOKIE_NAME))
            done += len(sessions)
            counts.append(_connections())
        self._say(f"database connections        {' -> '.join(map(str, counts))} over {done} streams")

    def _memory(self, when: str, pids: dict[str, int]) -> None:
        found = ", ".join(f"{name} {speed.memory_mb(pid):.0f} MB" for name, pid in pids.items())
        self._say(f"memory {when:20} {found}")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _session(person: Person) -> str:
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = BACKEND
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def _wait_for(url: str) -> None:
    until = time.monotonic() + 180
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"{url}/healthz", timeout=2):  # noqa: S310
                return
        except OSError:
            time.sleep(0.2)
    raise CommandError("The web server did not start.")


def _is_right(heard: speed.Heard) -> bool:
    """The row at the end shows what was kept, and the parts had shown the same, but for what came with the end."""
    kept = to_html(readable_message(Message.objects.get(pk=heard.reply_id)), {})
    return bool(kept) and kept in heard.row and kept.startswith(heard.shown[: max(0, len(heard.shown) - 40)])


def _connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(cursor.fetchone()[0])
