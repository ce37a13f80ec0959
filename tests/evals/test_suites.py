from __future__ import annotations

import json
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

from evals import suites
from evals.conduct import poisoning
from evals.scripts import UnknownForm, read_scripts
from memories.models import Origin

BUILT_IN = suites.built_in()


def test_there_is_a_suite_in_each_language() -> None:
    assert {next(suites.load(name).lives()).language for name in BUILT_IN} == {"en", "zh-Hant"}


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_suite_of_ours_is_planted_exactly(name: str) -> None:
    (life,) = suites.load(name).lives()
    assert len({session.turns[0].at.date() for session in life.sessions}) >= 10
    assert all(5 <= len(session.turns) <= 15 for session in life.sessions)
    assert {what: len(told) for what, told in life.planted.items()} == {
        "lasting": 8, "changing": 5, "joined": 2, "passing": 2, "poisoned": 1,
    }  # fmt: skip
    said = {
        f"{session.name}.{2 * n + 1}": " ".join(part.text for part in turn.parts)
        for session in life.sessions
        for n, turn in enumerate(session.turns)
    }
    planted = [
        *life.planted["lasting"], *life.planted["passing"], *life.planted["poisoned"],
        *(one for change in life.planted["changing"] for one in change.values()),
        *(one for joined in life.planted["joined"] for one in joined["parts"]),
    ]  # fmt: skip
    assert all(one["quote"] in said[one["at"]] for one in planted)
    assert all(len({part["at"].split(".")[0] for part in one["parts"]}) == 2 for one in life.planted["joined"])
    pasted = [part for session in life.sessions for turn in session.turns for part in turn.parts]
    assert [part.origin for part in pasted if part.origin != Origin.TYPED] == [Origin.PASTED]


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_suite_of_ours_asks_thirty_questions_of_five_categories(name: str) -> None:
    (life,) = suites.load(name).lives()
    counted = Counter(question.category for question in life.questions)
    assert sum(counted.values()) == 30
    assert len(counted) == 5
    assert min(counted.values()) >= 5
    assert all(question.evidence for question in life.questions if not question.abstains)


def test_there_are_thirty_attacks_of_ten_kinds_in_both_languages() -> None:
    attacks = json.loads(poisoning.FILE.read_text(encoding="utf-8"))
    assert len(attacks) >= 30
    assert len({attack["kind"] for attack in attacks}) == 10
    assert {attack["language"] for attack in attacks} == {"en", "zh-Hant"}
    assert all(attack["payload"] in attack["text"] and attack["mark"] in attack["payload"] for attack in attacks)


LONGMEMEVAL = [
    {
        "question_id": "q_1", "question_type": "single-session-user", "question": "What do I grow?",
        "answer": "dahlias", "question_date": "2023/06/01 (Thu) 10:00", "answer_session_ids": ["s_b"],
        "haystack_session_ids": ["s_b", "s_a"], "haystack_dates": ["2023/05/21 (Sun) 09:00", "2023/05/20 (Sat) 02:21"],
        "haystack_sessions": [
            [{"role": "user", "content": "I grow dahlias."}, {"role": "assistant", "content": "Oh"}],
            [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hi."}],
        ],
    },
    {
        "question_id": "q_2_abs", "question_type": "single-session-user", "question": "What is my car?",
        "answer": "You did not mention a car.", "question_date": "2023/06/01 (Thu) 10:00", "answer_session_ids": [],
        "haystack_session_ids": ["s_a"], "haystack_dates": ["2023/05/20 (Sat) 02:21"],
        "haystack_sessions": [[{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hi."}]],
    },
]  # fmt: skip


def test_longmemevals_form_has_a_life_for_each_question_and_its_abstentions(tmp_path: Path) -> None:
    file = tmp_path / "oracle.json"
    file.write_text(json.dumps(LONGMEMEVAL))
    first, second = list(read_scripts(file))
    assert [session.name for session in first.sessions] == ["s_a", "s_b"]
    assert first.questions[0].answer == "dahlias"
    assert first.questions[0].evidence == ("s_b",)
    assert second.questions[0].abstains
    assert len(list(suites.load(str(file), lives=1).lives())) == 1


@pytest.mark.parametrize("form", ["list", "lines"])
def test_a_long_file_is_read_life_by_life(form: str, tmp_path: Path) -> None:
    hello = {"role": "user", "content": "Hello."}
    padding = {"role": "assistant", "content": "Part by part, it says. " * 4_000}
    lives = [LONGMEMEVAL[0] | {"question_id": f"q_{n}", "haystack_sessions": [[hello, padding]] * 2} for n in range(60)]
    file = tmp_path / "m.json"
    written = [json.dumps(life) for life in lives]
    file.write_text(f"[{', '.join(written)}]\n" if form == "list" else "\n".join(written))
    tracemalloc.start()
    names = [life.name for life in suites.load(str(file)).lives()]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert names == [f"q_{n}" for n in range(60)]
    assert most < file.stat().st_size


def test_a_file_that_breaks_off_is_refused_when_it_is_read_that_far(tmp_path: Path) -> None:
    file = tmp_path / "cut.json"
    file.write_text(json.dumps(LONGMEMEVAL)[:-20])
    assert next(suites.load(str(file), lives=1).lives()).name == "q_1"
    with pytest.raises(ValueError, match="middle"):
        list(suites.load(str(file)).lives())


def test_locomos_form_brings_its_questions(tmp_path: Path) -> None:
    file = tmp_path / "locomo10.json"
    file.write_text(json.dumps([{
        "sample_id": "conv-1",
        "conversation": {"speaker_a": "Ann", "speaker_b": "Ben", "session_1_date_time": "1:56 pm on 8 May, 2023",
                         "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "I keep bees."}]},
        "qa": [{"question": "What does Ann keep?", "answer": "bees", "evidence": ["D1:1"], "category": 4},
               {"question": "What does Ann drive?", "adversarial_answer": "a van", "evidence": [], "category": 5}],
    }]))  # fmt: skip
    (life,) = read_scripts(file)
    assert [(q.category, q.answer, q.evidence) for q in life.questions] == [
        ("information-extraction", "bees", ("D1:1",)), ("abstention", "", ()),
    ]  # fmt: skip
    assert life.sessions[0].turns[0].names == ("D1:1",)
    # The question names both, so it is said who is who.
    assert life.questions[0].ask == "What does Ann keep? (I am Ann, and it was Ben who answered me.)"
    (other,) = read_scripts(file, person="Ben")
    assert "I am Ben" in other.questions[0].ask


def test_a_file_of_no_known_form_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text('[{"texts": []}]')
    with pytest.raises(UnknownForm):
        list(read_scripts(file))
