"""One person's night from the command line; with --dry-run it prints the proposal and changes nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone, translation

from claude.errors import ClaudeError
from consolidation import night
from consolidation.models import AskedFor, NightState
from consolidation.printing import done, rehearsed
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
        # Its own language, whatever the installation's: only the person's words are in theirs.
        with translation.override("en"):
            if options["dry_run"]:
                self._rehearse(person)
            else:
                self._dream(person)

    def _rehearse(self, person: Person) -> None:
        try:
            rehearsal = rehearse(person, now=timezone.now())
        except CannotRehearse:
            raise CommandError("A night is running already, or one is held for a look.") from None
        except ClaudeError as problem:
            raise CommandError(f"The model failed: {problem.code}. Nothing was changed.") from None
        self.stdout.write("\n".join(rehearsed(rehearsal, person)))

    def _dream(self, person: Person) -> None:
        embed_pending(person_id=person.pk)
        now = timezone.now()
        begun = night.begin(person, now=now, asked_for=AskedFor.STAFF)
        if begun is None:
            raise CommandError("A night is running already, or one is held for a look.")
        over = night.run(begun.pk, now=now)
        (told,) = tell([over], person, now=over.started_at)
        self.stdout.write(f"{over}: {over.get_state_display()} {over.error}".rstrip())
        self.stdout.write("\n".join(done(told)))
        if over.state == NightState.FAILED:
            raise CommandError(f"The night failed: {over.error}.")
