"""Print a new one-time sign-in link, for the owner or for somebody else on this machine."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import sign_in


class Command(BaseCommand):
    help = "Print a one-time sign-in link. Not in production."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", help="whose (default: the owner)")
        parser.add_argument("--address", default="http://127.0.0.1:8000/")

    def handle(self, *, user: str | None, address: str, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("There are no sign-in links in production.")
        if user is None:
            person_id = sign_in.owner_id()
        else:
            found = get_user_model().objects.filter(username=user, is_active=True).first()
            if found is None:
                raise CommandError(f"There is nobody called {user}.")
            person_id = found.pk
        self.stdout.write(sign_in.make_link(person_id, address=address))
