"""Play a file of conversations as one person's months, and say whether what should be remembered is."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from consolidation.models import NightState
from evals import scoring
from evals.replay import play, without_worker
from evals.scripts import read_script
from memories.models import Memory, Message, Person


class Command(BaseCommand):
    help = "Play a scenario, or a conversation in LoCoMo's form, through the same code as the chat."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--user", required=True, help="A username; the person is made if there is none.")
        parser.add_argument("--conversation", type=int, default=0, help="Which conversation of a LoCoMo file.")
        parser.add_argument(
            "--speaker", default="", help="Which of its speakers is the person; the first, if not said."
        )
        parser.add_argument("--questions", action="store_true", help="Ask the file's questions afterwards.")
        parser.add_argument("--forget", action="store_true", help="Then carry out the file's request to forget.")
        parser.add_argument("--no-nights", action="store_true", help="Only the conversations.")

    @without_worker()
    def handle(self, *args: Any, **options: Any) -> None:
        try:
            script = read_script(options["file"], conversation=options["conversation"], person=options["speaker"])
        except (OSError, ValueError, LookupError) as problem:
            raise CommandError(f"The file cannot be played: {problem!r}") from problem
        person, _ = Person.objects.get_or_create(username=options["user"])
        nights = play(script, person, nights=not options["no_nights"])
        turns = Message.objects.of(person).count()
        failed = sum(night.state != NightState.DONE for night in nights)
        memories = Memory.objects.of(person)
        self.stdout.write(
            f"{len(script.sessions)} sessions, {turns} messages, {len(nights)} nights ({failed} not done), "
            f"{memories.active().count()} active memories, {memories.waiting().count()} waiting."
        )
        checks = [*scoring.check_memories(script, person), *scoring.check_never(script, person)]
        self._table(checks)
        if options["questions"]:
            answers = scoring.check_questions(script, person)
            self._table([scoring.Check(a.question.category, a.question.ask, a.right, a.text) for a in answers])
        if options["forget"] and script.forget:
            self._table(scoring.check_forgotten(script, person))
        if failed:
            raise CommandError(f"{failed} nights did not finish.")

    def _table(self, checks: list[scoring.Check]) -> None:
        for check in checks:
            mark = self.style.SUCCESS("holds ") if check.holds else self.style.ERROR("missed")
            seen = " ".join(check.seen.split())
            self.stdout.write(f"{mark}  {check.what:<24} {check.name:<40} {seen[:100]}".rstrip())
        if checks:
            self.stdout.write(f"{sum(check.holds for check in checks)} of {len(checks)} hold.")
