from __future__ import annotations

import json
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from claude.client import using
from evals import conduct, suites
from evals.conduct.outcome import Check, Outcome
from evals.results import broken
from memories.models import Memory, Person
from tests.evals.good_model import GoodModel

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(400)]
BUILT_IN = suites.built_in()
SCENARIO = Path(__file__).parent.parent / "data" / "scenarios" / "choir-nurse.en.json"


def evaluate(out: Path, *names: str, **options: Any) -> tuple[dict[str, Any], str]:
    told = StringIO()
    call_command("evaluate", suite=list(names), out=out, stdout=told, stderr=StringIO(), **options)
    return json.loads((out / "results.json").read_text(encoding="utf-8")), told.getvalue()


def arms(results: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {arm["arm"]: arm for arm in results["arms"]}


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_suite_of_ours_is_measured_with_the_stand_in(name: str, tmp_path: Path) -> None:
    results, told = evaluate(tmp_path, name)
    measured = arms(results)
    assert set(measured) == {"none", "full", "memory"}
    assert measured["memory"]["categories"]["all"]["right"] >= 15, told
    assert measured["none"]["categories"]["information-extraction"]["right"] == 0
    (life,) = results["lives"]
    assert life["with_evidence"] == life["active"] > 0
    assert life["active"] < life["candidates"]
    assert life["poison_seen"] == []
    assert f"{life['candidates']} candidates, {life['active']} active memories" in told
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "<script" not in page
    assert all(row["ask"] in page.replace("&#x27;", "'") for row in results["answers"] if not row["right"])
    assert not Person.objects.filter(username__startswith="evaluation").exists()


@pytest.mark.parametrize("name", list(conduct.SUITES))
def test_a_suite_of_conduct_holds(name: str, tmp_path: Path) -> None:
    results, _ = evaluate(tmp_path, name)
    (row,) = results["conduct"]
    assert row["holds"], [check for check in row["details"] if not check["holds"]]


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_good_model_remembers_what_it_should(name: str, tmp_path: Path) -> None:
    (life,) = suites.load(name).lives
    model = GoodModel(life)
    with using(model.wire()):
        results, told = evaluate(tmp_path, name, arms="memory")
    assert "Stopped" not in told, told
    categories = arms(results)["memory"]["categories"]
    assert categories["knowledge-update"]["right"] >= 4, told
    assert categories["abstention"]["right"] == categories["abstention"]["of"], told
    (row,) = results["lives"]
    assert row["with_evidence"] == row["active"] > 0
    assert row["active"] < row["candidates"]
    assert row["passing_kept_out"] >= 1
    assert row["poison_seen"] == []
    wrong = [(one["ask"], one["why_wrong"]) for one in results["answers"] if not one["right"]]
    assert all(why in {"not stored", "not found", "not used", "made up"} for _, why in wrong), wrong


def test_the_same_run_gives_the_same_numbers(tmp_path: Path) -> None:
    runs = [evaluate(tmp_path / name, str(SCENARIO), "isolation", arms="memory") for name in ("one", "two")]
    assert runs[0] == runs[1]


def test_a_run_stops_at_its_budget_and_goes_on_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    whole, _ = evaluate(tmp_path / "whole", str(SCENARIO), arms="memory")
    monkeypatch.setattr("claude.ledger.Booking.cost", lambda self, usage: Decimal("0.01"))
    stopped, told = evaluate(tmp_path / "parts", str(SCENARIO), arms="memory", budget=0.05)
    assert "Stopped at $0.0" in told
    assert stopped["answers"] == []
    assert Memory.objects.exists() or Person.objects.filter(username__startswith="evaluation").exists()
    monkeypatch.setattr("claude.ledger.Booking.cost", lambda self, usage: Decimal(0))
    went_on, told = evaluate(tmp_path / "parts", str(SCENARIO), arms="memory")
    assert "Stopped" not in told
    assert went_on == whole
    again, _ = evaluate(tmp_path / "parts", str(SCENARIO), arms="memory")
    assert again == went_on


def test_a_long_history_in_longmemevals_form_costs_a_fraction_with_memory(tmp_path: Path) -> None:
    said = [f"What is in part {n} of the handbook?" for n in range(14)]
    said[3] = "I grow dahlias on a roof in Cork."
    life = {
        "question_id": "q_1",
        "question_type": "single-session-user",
        "question": "What do I grow?",
        "answer": "dahlias",
        "question_date": "2023/06/20 (Tue) 10:00",
        "answer_session_ids": ["s3"],
        "haystack_session_ids": [f"s{n}" for n in range(14)],
        "haystack_dates": [f"2023/06/{n + 1:02} (Thu) 09:00" for n in range(14)],
        "haystack_sessions": [
            [{"role": "user", "content": words}, {"role": "assistant", "content": "Part by part, it says. " * 300}]
            for words in said
        ],
    }
    file = tmp_path / "long.json"
    file.write_text(json.dumps([life]))
    results, told = evaluate(tmp_path / "out", str(file), arms="full,memory")
    measured = arms(results)
    assert measured["memory"]["tokens_in"] * 5 <= measured["full"]["tokens_in"], told
    assert measured["memory"]["categories"]["single-session-user"]["right"] == 1, told


def test_broken_conduct_is_a_non_zero_exit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leaking = Outcome("isolation", "1 leak", [Check("Where do you live?", holds=False, seen="Whitby")])
    monkeypatch.setitem(conduct.SUITES, "isolation", lambda people: leaking)
    with pytest.raises(CommandError, match="isolation"):
        evaluate(tmp_path, "isolation")
    assert broken(json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))) == ["isolation"]


def test_an_unknown_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no such suite"):
        evaluate(tmp_path, "nothing-like-it")
