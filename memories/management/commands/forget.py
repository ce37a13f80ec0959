from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from memories import forget
from memories.models import Memory, Person, Via


class Command(BaseCommand):
    help = "Plan a deletion for a person, and carry it out with --yes. Prints numbers and counts, never words."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", required=True)
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--memory", type=int, nargs="+", default=[], metavar="NUMBER")
        what.add_argument("--request", default="", help='In words, as in a chat: "everything about my niece".')
        what.add_argument("--all", action="store_true", dest="everything")
        parser.add_argument("--erase-words", action="store_true")
        parser.add_argument("--yes", action="store_true", help="Carry it out.")

    def handle(self, *args: Any, **options: Any) -> None:
        person = Person.objects.filter(username=options["user"]).first()
        if person is None:
            raise CommandError("There is no such person.")
        plan = self._plan(person, **options)
        if plan.ambiguous:
            choices = "; ".join(" ".join(memory.label for memory in group) for group in plan.groups)
            raise CommandError(f"The request fits several things: {choices}. Name the memories.")
        if plan.is_empty:
            raise CommandError("Nothing that is remembered fits.")
        self.stdout.write(f"Certain: {', '.join(part.memory.label for part in plan.memories) or 'everything'}")
        self.stdout.write(f"Doubtful, not taken: {', '.join(part.memory.label for part in plan.doubtful_memories)}")
        for name, count in plan.counts.items():
            self.stdout.write(f"  {name}: {count}")
        if not options["yes"]:
            self.stdout.write("Nothing was changed. Say --yes to carry it out.")
            return
        deletion = forget.carry_out(plan, now=timezone.now(), via=Via.COMMAND, erase_words=options["erase_words"])
        self.stdout.write(f"Deletion {deletion.pk}; it can be undone for {settings.UNDO_WINDOW_S} s.")

    def _plan(self, person: Person, **options: Any) -> forget.Plan:
        now = timezone.now()
        if options["everything"]:
            return forget.plan_everything(person, now=now)
        memories = Memory.objects.of(person).kept().filter(number__in=options["memory"])
        return forget.plan(person, memories=memories, query=options["request"], now=now)
