from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from config.services import running

BENCHES = {"replies": "bench_replies", "recall": "recall_speed", "forgetting": "bench_forgetting"}


class Command(BaseCommand):
    help = "How fast it is, on this machine: all of it, or what is named."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", nargs="*", choices=[*BENCHES, []], default=[])

    def handle(self, *args: Any, what: list[str], **options: Any) -> None:
        with running():
            call_command("migrate", verbosity=0, interactive=False)
            for name in what or BENCHES:
                call_command(BENCHES[name], stdout=self.stdout)
