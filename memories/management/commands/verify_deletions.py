from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from memories import forget
from memories.models import Deletion


class Command(BaseCommand):
    help = "Check every carried-out deletion against every layer. Exits non-zero when anything of one is left."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", help="Only the deletions of this person.")

    def handle(self, *args: Any, user: str | None = None, **options: Any) -> None:
        deletions = Deletion.objects.standing().order_by("pk")
        if user:
            deletions = deletions.filter(person__username=user)
        count = deletions.count()
        found = forget.verify(deletions.iterator(), now=timezone.now())
        for deletion, finding in found:
            where = f" {finding.model} {finding.pk}" if finding.model else ""
            self.stderr.write(f"deletion {deletion.pk}: {finding.layer}: {finding.code}{where}")
        if found:
            raise CommandError(f"{len(found)} findings in {count} deletions.")
        self.stdout.write(f"{count} deletions checked against every layer: nothing found.")
