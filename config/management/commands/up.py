"""Everything at once: PostgreSQL, Valkey, the web server, the workers and beat, until Ctrl-C."""

from __future__ import annotations

import os
import signal
import time
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.checks import ERROR
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from config import local, sign_in
from config.processes import KeepsDying, ProcessTree
from config.services import ServicesError, restart_what_died, running


class _Stop(Exception):
    """Ctrl-C or SIGTERM."""


class Command(BaseCommand):
    help = "Run Reverie on this machine: the servers, the workers and the web, with one log."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
        parser.add_argument("--port", type=int, default=8000, help="the next free one is taken when it is in use")

    def handle(self, *, host: str, port: int, **options: Any) -> None:
        self._asked_to_stop = 0
        self._asked_at = -1.0
        self._launcher = local.launcher()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._ask_to_stop)
        try:
            with local.only_one() as tell, local.listen(host, port) as listening, running():
                taken = listening.getsockname()[1]
                if taken != port:
                    self._say("up", f"Port {port} is in use; {taken} is taken instead.")
                address = local.address(host, taken)
                tell(address)
                self._prepare()
                self._run(ProcessTree(local.programs(listening.fileno()), say=self._say), address)
        except (ServicesError, local.RunsAlready, local.NoPort, KeepsDying) as error:
            raise CommandError(str(error)) from None
        except _Stop:
            pass
        self._say("up", "Stopped.")

    def _prepare(self) -> None:
        self._say("up", "Bringing the database up to date.")
        call_command("migrate", verbosity=0, interactive=False)
        self.check(fail_level=ERROR)

    def _run(self, tree: ProcessTree, address: str) -> None:
        try:
            self._say("up", "Starting the web, the workers and beat.")
            tree.start()
            while not local.answers(address):
                tree.tend(0.2)
                self._stop_if_asked()
            self._welcome(address)
            while True:
                tree.tend(1)
                self._stop_if_asked()
                for name in restart_what_died():
                    self._say("up", f"{name} was down; it is started again.")
        except _Stop:
            self._say("up", "Stopping. (Ctrl-C again: at once.)")
        finally:
            tree.stop(hurry=lambda: self._asked_to_stop > 1)

    def _welcome(self, address: str) -> None:
        self._say("up", f"Reverie is at {address}")
        if not settings.PRODUCTION:
            link = sign_in.make_link(sign_in.owner_id(), address=address)
            minutes = sign_in.EXPIRES_S // 60
            self._say("up", f"Sign in as its owner (works once, for {minutes} minutes): {link}")
        if settings.CLAUDE_STANDIN:
            self._say("up", "No ANTHROPIC_API_KEY is set: the offline stand-in answers.")
        self._say("up", "Ctrl-C stops everything.")
        # The connection and its pool are not needed again.
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]

    def _say(self, name: str, line: str) -> None:
        self.stdout.write(f"{self.style.SUCCESS(f'{name:<8}') if name == 'up' else f'{name:<8}'}| {line}")
        self.stdout.flush()

    def _ask_to_stop(self, number: int, frame: FrameType | None) -> None:
        # One Ctrl-C may come twice: from the terminal, and passed on by `uv run`.
        if time.monotonic() - self._asked_at > 1:
            self._asked_at = time.monotonic()
            self._asked_to_stop += 1

    def _stop_if_asked(self) -> None:
        if self._asked_to_stop or (self._launcher and os.getppid() != self._launcher):
            raise _Stop
