from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from memories import forget
from memories.models import Memory, Person, Via

# As the dialog asks of what it replaced, and of what replaced it.
CHOICES = {"go": "they go too.", "past": "they stay, as past.", "holds": "they stay, and hold again."}


class Command(BaseCommand):
    help = "Plan a deletion for a person, and carry it out with --yes. Prints numbers and counts, never words."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", required=True)
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--memory", type=int, nargs="+", default=[], metavar="NUMBER")
        what.add_argument("--request", default="", help='In words, as in a chat: "everything about my niece".')
        what.add_argument("--all", action="store_true", dest="everything")
        for name, what_of_them in CHOICES.items():
            parser.add_argument(
                f"--{name}",
                type=int,
                nargs="+",
                default=[],
                metavar="NUMBER",
                help=f"Of its replacements: {what_of_them}",
            )
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
        chosen = {name: _of_chain(plan, options[name], name) for name in CHOICES}
        stays = {*chosen["past"], *chosen["holds"], *(plan.undecided - chosen["go"])}
        goes = [part.memory for part in plan.memories if part.memory.pk not in stays]
        asks = [part.memory for part in plan.chain if part.memory.pk in plan.undecided - set().union(*chosen.values())]
        self.stdout.write(f"Goes: {'everything' if plan.everything else _labels(goes)}")
        if asks:
            self.stdout.write(f"Linked by replacement, stays as it is: {_labels(asks)}")
            self.stdout.write("  (--go, --past or --holds says what becomes of each)")
        if plan.doubtful_memories:
            self.stdout.write(f"Doubtful, not taken: {_labels(part.memory for part in plan.doubtful_memories)}")
        for name, count in {**plan.counts, "memories": len(goes)}.items():
            self.stdout.write(f"  {name}: {count}")
        if not options["yes"]:
            self.stdout.write("Nothing was changed. Say --yes to carry it out.")
            return
        deletion = forget.carry_out(
            plan,
            now=timezone.now(),
            via=Via.COMMAND,
            erase_words=options["erase_words"],
            keep=stays - chosen["holds"],
            revive=chosen["holds"],
        )
        self.stdout.write(f"Deletion {deletion.pk}; it can be undone for {settings.UNDO_WINDOW_S} s.")

    def _plan(self, person: Person, **options: Any) -> forget.Plan:
        now = timezone.now()
        if options["everything"]:
            return forget.plan_everything(person, now=now)
        memories = Memory.objects.of(person).kept().filter(number__in=options["memory"])
        return forget.plan(person, memories=memories, query=options["request"], now=now)


def _of_chain(plan: forget.Plan, numbers: Sequence[int], name: str) -> set[int]:
    """Keys of the numbered memories. A number that is not linked by replacement is a mistake, and nothing is done."""
    linked = {part.memory.number: part.memory.pk for part in plan.chain}
    if strange := [f"m{number}" for number in numbers if number not in linked]:
        raise CommandError(f"--{name}: {' '.join(strange)} is not linked by replacement to what goes.")
    return {linked[number] for number in numbers}


def _labels(memories: Iterable[Memory]) -> str:
    return ", ".join(memory.label for memory in memories)
