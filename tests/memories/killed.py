"""Run by a test as a process: each of what forgetting does, in children that are killed at their nth statement, for
every n; then one gets through. Prints how many statements each has."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import django


def main(memory_id: int) -> None:
    django.setup()
    from django.db import connection, transaction
    from django.utils import timezone

    # Each child has one connection: the threads of a pool would be most of its work.
    connection.settings_dict["OPTIONS"]["pool"] = False

    from memories import forget
    from memories.models import Deletion, Memory, OrderedDeletion, Person, Via
    from tests.memories.rows import every_row

    now = timezone.now()
    memory = Memory.objects.get(pk=memory_id)
    person = memory.person

    def state() -> str:
        rows = every_row()
        connection.close()
        return rows

    def statements_of(work: Callable[[], Any]) -> int:
        """Counted in a transaction that is rolled back; what is a savepoint in it is none where it is killed."""
        count = depth = 0

        def counting(execute: Any, sql: Any, *more: Any) -> Any:
            nonlocal count, depth
            begins, ends = str(sql).startswith("SAVEPOINT"), str(sql).startswith("RELEASE SAVEPOINT")
            count += not ((begins and depth == 0) or (ends and depth == 1))
            depth += begins - ends
            return execute(sql, *more)

        with transaction.atomic():
            with connection.execute_wrapper(counting):
                work()
            transaction.set_rollback(True)
        return count

    def child(step: int, work: Callable[[], Any]) -> bool:
        """False when it was killed."""
        pid = os.fork()
        if pid == 0:
            statements = 0

            def kill(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
                nonlocal statements
                statements += 1
                if statements == step:
                    os.kill(os.getpid(), signal.SIGKILL)
                return execute(sql, params, many, context)

            with connection.execute_wrapper(kill):
                work()
            os._exit(0)
        _pid, status = os.waitpid(pid, 0)
        if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status):
            sys.exit("a child failed by itself")
        return not os.WIFSIGNALED(status)

    def dies_everywhere(name: str, work: Callable[[], Any]) -> None:
        # Twice, for what is looked up once in a process is not looked up by the children.
        statements_of(work)
        steps = statements_of(work)
        before = state()
        if any(child(step, work) for step in range(1, steps + 1)):
            sys.exit(f"{name} got through although it was to be killed")
        if state() != before:
            sys.exit(f"{name} was half done")
        # One more would have been one that is counted nowhere.
        if not child(steps + 1, work) or state() == before:
            sys.exit(f"{name} did nothing")
        print(name, steps)  # noqa: T201

    # Planning only reads; what it found is carried out by every child.
    plan = forget.plan(person, memories=[memory], now=now)

    def carry_out() -> None:
        forget.carry_out(plan, now=now, via=Via.LIST, erase_words=True)

    dies_everywhere("carry_out", carry_out)
    first = Deletion.objects.get()
    dies_everywhere("undo", lambda: forget.undo(first, now=now))
    carry_out()
    second = Deletion.objects.latest("pk")
    dies_everywhere("purge", lambda: forget.purge(second.pk, now=second.undo_until))
    ordered = OrderedDeletion.objects.create(person=person, via=Via.LIST, ordered_at=now)
    dies_everywhere("everything", lambda: forget.carry_out_ordered(ordered.pk, now=now))
    dies_everywhere("account", lambda: forget.delete_account(Person.objects.get(pk=person.pk)))


if __name__ == "__main__":
    main(int(sys.argv[1]))
