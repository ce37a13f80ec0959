from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memories import vectors
from memories.embedding import EmbedderUnavailable, embedder
from memories.models import Person


class Command(BaseCommand):
    help = (
        "Make the vectors that are missing or of another embedder, here and now. The workers do so too, by and by;"
        " recall works meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", help="Only this person's.")
        parser.add_argument("--count", action="store_true", help="Only count the vectors by what made them.")

    def handle(self, *args: Any, user: str | None = None, count: bool = False, **options: Any) -> None:
        model = embedder()
        if model is None:
            raise CommandError("EMBEDDER is none: there are no vectors to make.")
        if not count:
            try:
                self._fill(user)
            except EmbedderUnavailable as problem:
                raise CommandError(f"The embedder does not answer ({problem}). What was made so far is kept.") from None
        for name, rows in sorted(vectors.count_by_embedder().items()):
            current = " (the present one)" if name == model.name else ""
            self.stdout.write(f"{name or 'none yet'}{current}: {rows}")

    def _fill(self, user: str | None) -> None:
        if user is not None:
            person = Person.objects.filter(username=user).first()
            if person is None:
                raise CommandError("There is no such person.")
            self.stdout.write(f"{vectors.fill(person.pk)} made")
            return
        made, people = 0, 0
        while pending := vectors.people_with_pending():
            added = sum(map(vectors.fill, pending))
            made, people = made + added, people + len(pending)
            if not added:
                break  # their words change as fast as they are read
        self.stdout.write(f"{made} made, for {people} people")
