"""One person's memories stay theirs: another asks ten times, and a model that repeats all it is given helps them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from claude.client import using
from evals.conduct.outcome import Check, Outcome
from evals.conduct.telling import answer_to, day, holds_any, tell
from evals.conduct.wire import Obliging
from evals.journal import People
from memories.models import Person, Recollection
from memories.passages import search_passages
from memories.recall import recall

FILE = Path(__file__).parent / "isolation.json"


def run(people: People) -> Outcome:
    data = json.loads(FILE.read_text(encoding="utf-8"))
    owner, stranger = people.fresh("isolation owner"), people.fresh("isolation stranger")
    for language, days in data["told"].items():
        tell(owner, language, days)
    tell(stranger, "en", [["I collect stamps."]])
    checks = [_asked(stranger, asked, data["secrets"]) for asked in data["asks"]]
    checks += [_searched(stranger, secret) for secret in data["secrets"]]
    leaks = sum(not check.holds for check in checks)
    outcome = Outcome(
        "isolation", f"{leaks} leaks in {len(data['asks'])} questions and {len(data['secrets'])} searches", checks
    )
    people.remove(owner)
    people.remove(stranger)
    return outcome


def _asked(stranger: Person, asked: str, secrets: list[str]) -> Check:
    """Once of the model in use, once of one that looks everything up and repeats it."""
    said = answer_to(stranger, asked, 40)
    with using(Obliging()):
        said += "\n" + answer_to(stranger, asked, 40)
    # The question's own words may come back; what it did not say may not.
    leaked = holds_any(said, [secret for secret in secrets if not holds_any(asked, [secret])])
    foreign = Recollection.objects.filter(person=stranger).exclude(memory__person=stranger).exists()
    return Check(asked, not leaked and not foreign, leaked or ("a recollection" if foreign else ""))


def _searched(stranger: Person, secret: str) -> Check:
    now = day(40)
    found: list[Any] = [
        one.memory.person_id for one in recall(stranger, secret, now=now, budget=800, include_past=True)
    ]
    found += [passage.person_id for one in search_passages(stranger, secret, now=now) for passage in one.exchange]
    return Check(f"search: {secret}", all(pk == stranger.pk for pk in found), "")
