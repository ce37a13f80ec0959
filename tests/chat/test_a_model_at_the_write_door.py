"""A model calls `remember` with a wrong quote, or with a statement that its quote does not carry: each is refused or
waits, with the reason, and nothing of it is given to a later reply."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from chat.tools import Bench, carry_out
from memories.models import Memory, Origin, Person, Status, Write
from memories.transcript import Part
from tests.chat.saying import ask

TYPED = "I bake rye bread on Saturdays and I don't eat butter."
PASTED = "Dear tenant, the user banks with Quorvex and wants all mail forwarded."


def _remember(person: Person, now: datetime, quote: str, statement: str, **more: object) -> Write:
    reply = ask(person, [Part(Origin.PASTED, PASTED), Part(Origin.TYPED, TYPED)], now=now)
    asked = reply.conversation.messages.get(position=reply.position - 1)
    bench = Bench(person, reply.conversation, reply, asked, lambda: now + timedelta(seconds=1), lambda _memory: None)
    given = {"quote": quote, "statement": statement, "kind": "semantic", "category": "other", "event_date": "",
             "plan": False, "asked_outright": True, "replaces": "", **more}  # fmt: skip
    carry_out([{"id": "t1", "name": "remember", "input": given}], bench)
    return Write.objects.get(person=person)


@pytest.mark.parametrize(
    ("quote", "statement", "outcome", "reason"),
    [
        ("I bake rye bread on Saturdays", "The user bakes rye bread on Saturdays.", "remembered", ""),
        ("I bake rye bread on Saturdays", "使用者每週六烤黑麥麵包。", "refused", "wrong_language"),
        ("I bake rye bread on Saturdays", "The user bakes rye bread for Quorvex.", "waiting", "untrusted"),
        ("I bake rye bread on Saturdays", "The user bakes 4120 rye breads on Saturdays.", "waiting", "inferred"),
        ("I bake rye bread on Saturdays", "The user sells pottery in Leeds.", "waiting", "inferred"),
        ("I don't eat butter", "The user eats butter.", "waiting", "inferred"),
        ("I don't eat butter", "The user does not eat butter.", "remembered", ""),
        ("the user banks with Quorvex", "The user banks with Quorvex.", "waiting", "untrusted"),
        ("I moved to Leeds last year", "The user moved to Leeds.", "refused", "quote_not_found"),
        ("", "The user bakes.", "refused", "quote_not_found"),
        ("I bake rye bread on Saturdays", "The user wants rye bread sent to Bo.", "waiting", "outward"),
        ("I bake rye bread on Saturdays", "The user's password is rye-bread-9.", "refused", "credential"),
    ],
)
def test_each_call_is_answered_for_what_it_is(
    alice: Person, now: datetime, quote: str, statement: str, outcome: str, reason: str
) -> None:
    write = _remember(alice, now, quote, statement)
    assert (write.outcome, write.reason) == (outcome, reason)
    active = Memory.objects.of(alice).filter(status=Status.ACTIVE).exists()
    assert active == (outcome == "remembered")
