"""One person's night from the command line; with --dry-run it prints the proposal and changes nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from claude.errors import ClaudeError
from consolidation import night
from consolidation.models import AskedFor, Night, NightState
from consolidation.pages import Part
from consolidation.rehearsal import CannotRehearse, rehearse
from consolidation.telling import tell
from memories.models import Person
from memories.tasks import embed_pending


class Command(BaseCommand):
    help = "Run one person's night now."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", required=True, help="A username or an email address.")
        parser.add_argument("--dry-run", action="store_true", help="Show what the night would do, and do nothing.")

    def handle(self, *args: Any, **options: Any) -> None:
        person = Person.objects.filter(username=options["user"]).first() or (
            Person.objects.filter(email__iexact=options["user"]).first()
        )
        if person is None:
            raise CommandError("There is no such person.")
        embed_pending(person_id=person.pk)
        if options["dry_run"]:
            self._rehearse(person)
        else:
            self._dream(person)

    def _rehearse(self, person: Person) -> None:
        try:
            rehearse(person, now=timezone.now(), tell=lambda night, parts: self._print(night, person, parts))
        except CannotRehearse:
            raise CommandError("A night is running already, or one is held for a look.") from None
        except ClaudeError as problem:
            raise CommandError(f"The model failed: {problem.code}.") from None
        self.stdout.write(self.style.WARNING("Nothing was changed. The calls of the model are booked."))

    def _dream(self, person: Person) -> None:
        now = timezone.now()
        begun = night.begin(person, now=now, asked_for=AskedFor.STAFF)
        if begun is None:
            raise CommandError("A night is running already, or one is held for a look.")
        self._print(night.run(begun.pk, now=now), person)

    def _print(self, over: Night, person: Person, parts: Sequence[Part] = ()) -> None:
        self.stdout.write(f"{over}: {over.get_state_display()} {over.error}".rstrip())
        (told,) = tell([over], person, now=over.started_at)
        for group in told.groups:
            self.stdout.write(self.style.MIGRATE_HEADING(str(group.heading)))
            for one in group.told:
                memory = f"{one.memory.label} {one.memory.statement}" if one.memory else one.words
                other = f" <- {one.other.label} {one.other.statement}" if one.other else ""
                reason = f" ({one.reason})" if one.reason else ""
                self.stdout.write(f"  {memory}{other}{reason}")
        for candidate in told.proposal:
            old = f" <- {candidate.memory.label} {candidate.memory.statement}" if candidate.memory else ""
            self.stdout.write(f"  {candidate.statement}{old}")
        for part in parts:
            self.stdout.write(f"  to be written: {part.title or part.section}")
        if over.state == NightState.FAILED:
            raise CommandError(f"The night failed: {over.error}.")
