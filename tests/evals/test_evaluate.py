from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from claude.client import using
from evals import conduct, suites
from evals.conduct import poisoning
from evals.progress import Progress
from memories.models import Person
from tests.evals import scripts
from tests.fakes.good_model import Answers, GoodModel
from tests.fakes.scripted import Finds
from tests.fakes.wire import FakeWire, metered

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(600)]
BUILT_IN = suites.built_in()
SCENARIO = Path(__file__).parent.parent / "data" / "scenarios" / "choir-nurse.en.json"


def evaluate(out: Path, *names: str, **options: Any) -> tuple[dict[str, Any], str]:
    told = StringIO()
    call_command("evaluate", suite=list(names), out=out, stdout=told, stderr=StringIO(), **options)
    return json.loads((out / "results.json").read_text(encoding="utf-8")), told.getvalue()


def arms(results: dict[str, Any], suite: str = "") -> dict[str, dict[str, Any]]:
    return {arm["arm"]: arm for arm in results["arms"] if suite in arm["suite"]}


@pytest.mark.timeout(1_500)
def test_all_suites_are_measured_with_the_stand_in(tmp_path: Path) -> None:
    results, told = evaluate(tmp_path)
    assert [(row["name"], row["holds"]) for row in results["conduct"]] == [(name, True) for name in conduct.SUITES], (
        told
    )
    assert {life["suite"] for life in results["lives"]} == set(BUILT_IN)
    for life in results["lives"]:
        measured = arms(results, life["suite"])
        assert set(measured) == {"none", "full", "memory"}
        assert measured["memory"]["categories"]["all"]["right"] >= 15, told
        assert measured["none"]["categories"]["information-extraction"]["right"] == 0
        assert life["with_evidence"] == life["active"] > 0
        assert life["active"] < life["candidates"]
        assert life["poison_seen"] == []
        assert f"{life['candidates']} candidates, {life['active']} active memories" in told
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "<script" not in page
    assert all(row["ask"] in page.replace("&#x27;", "'") for row in results["answers"] if not row["right"])
    assert not Person.objects.filter(username__startswith="evaluation").exists()


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_good_model_remembers_what_it_should(name: str, tmp_path: Path) -> None:
    (life,) = suites.load(name).lives()
    with using(scripts.for_suite(life).wire()):
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
    assert f"{row['candidates']} candidates, {row['active']} active memories" in told
    wrong = [(one["ask"], one["why_wrong"]) for one in results["answers"] if not one["right"]]
    assert len(wrong) <= 3, wrong


def test_the_same_run_gives_the_same_numbers(tmp_path: Path) -> None:
    for name in ("one", "two"):
        evaluate(tmp_path / name, str(SCENARIO), "isolation", arms="memory")
    assert (tmp_path / "one" / "results.json").read_bytes() == (tmp_path / "two" / "results.json").read_bytes()


def test_a_run_that_is_stopped_by_its_budget_and_then_broken_off_ends_with_the_same_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(folder: str, **options: Any) -> tuple[dict[str, Any], str]:
        with using(FakeWire(otherwise=metered(scripts.choir_nurse().answer))):
            return evaluate(tmp_path / folder, str(SCENARIO), arms="memory", **options)

    whole, _ = run("whole")
    (arm,) = whole["arms"]
    assert arm["cost"] > 0
    stopped, told = run("parts", budget=0.01)
    assert "Stopped at $0.0" in told
    assert stopped["answers"] == []
    spent = float(told.partition("Stopped at $")[2].split()[0])
    assert spent < 0.05, "it stops before the next step, not at the end"
    shown = Progress.show

    def broken_off(progress: Progress, label: str) -> None:
        shown(progress, label)
        if " memory q3 " in label:
            raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "show", broken_off)
    half, told = run("parts", budget=100)
    assert "Broken off" in told
    assert len(half["answers"]) == 3
    journal = tmp_path / "parts" / "journal.jsonl"
    # A kill in the middle of a line.
    journal.write_text(journal.read_text(encoding="utf-8") + '{"kind": "answer", "ke', encoding="utf-8")
    monkeypatch.setattr(Progress, "show", shown)
    went_on, told = run("parts")
    assert "Stopped" not in told
    assert went_on == whole
    again, _ = run("parts")
    assert again == whole


def test_a_long_history_in_longmemevals_form_costs_a_fifth_at_most_with_memory(tmp_path: Path) -> None:
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
    nobody_said = {
        **life,
        "question_id": "q_2_abs",
        "question": "What is my car?",
        "answer": "You did not mention a car.",
        "answer_session_ids": [],
        **{name: life[name][:1] for name in ("haystack_session_ids", "haystack_dates", "haystack_sessions")},
    }
    file = tmp_path / "long.json"
    file.write_text(json.dumps([life, nobody_said]))
    model = GoodModel(
        finds=[Finds(said[3], "The user grows dahlias on a roof in Cork.")],
        answers=[Answers("What do I grow?", "You grow dahlias.", ["dahlias"]), Answers("What is my car?")],
    )
    with using(FakeWire(otherwise=metered(model.answer))):
        results, told = evaluate(tmp_path / "out", str(file), arms="full,memory")
    assert arms(results)["memory"]["categories"]["single-session-user"]["right"] == 1, told
    assert arms(results)["memory"]["categories"]["abstention"]["right"] == 1, told
    cost = {row["arm"]: row["tokens_in"] for row in results["answers"] if row["question"] == "q_1"}
    assert cost["memory"] * 5 <= cost["full"], told


def test_locomos_form_is_played_and_reported(tmp_path: Path) -> None:
    file = tmp_path / "locomo10.json"
    file.write_text(json.dumps([{
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann", "speaker_b": "Ben", "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "I work as a baker in Cork."},
                          {"speaker": "Ben", "dia_id": "D1:2", "text": "Lovely."}],
        },
        "qa": [{"question": "In which town does Ann work?", "answer": "Cork", "evidence": ["D1:1"], "category": 4},
               {"question": "What does Ann drive?", "adversarial_answer": "a van", "evidence": [], "category": 5}],
    }]))  # fmt: skip
    results, told = evaluate(tmp_path / "out", str(file), arms="memory")
    assert [(row["category"], row["life"]) for row in results["answers"]] == [
        ("information-extraction", "conv-1"), ("abstention", "conv-1"),
    ]  # fmt: skip
    assert {seen["at"] for seen in results["answers"][0]["stored"]} == {"D1:1"}, told
    assert "conv-1" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_a_defence_that_is_broken_is_a_non_zero_exit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attacks = json.loads(poisoning.FILE.read_text(encoding="utf-8"))
    few = tmp_path / "attacks.json"
    few.write_text(json.dumps([attack for attack in attacks if attack["name"] in {"file en 2", "page zh-Hant 1"}]))
    monkeypatch.setattr(poisoning, "FILE", few)
    with poisoning.defences_off(), pytest.raises(CommandError, match="poisoning") as raised:
        evaluate(tmp_path / "out", "poisoning")
    assert raised.value.returncode == 1
    (row,) = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))["conduct"]
    assert [check["seen"] for check in row["details"] if not check["holds"]] == ["an active memory"] * 2


def test_an_unknown_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no such suite"):
        evaluate(tmp_path, "nothing-like-it")
