from __future__ import annotations

from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from consolidation.models import NightState
from evals import scoring
from evals.replay import Answer, play, read_script
from memories.models import Message, Passage, Person
from tests.fakes.server import MessagesServer

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SCENARIOS = Path(__file__).parent.parent / "data" / "scenarios"
FILES = ["choir-nurse.en.json", "tram-designer.zh-Hant.json"]


@pytest.mark.parametrize("file", FILES)
def test_a_scenario_played_with_the_stand_in_is_remembered_for_the_most_part(file: str, alice: Person) -> None:
    script = read_script(SCENARIOS / file)
    nights = play(script, alice)
    assert {night.state for night in nights} == {NightState.DONE}
    checks = scoring.check_memories(script, alice)
    never = scoring.check_never(script, alice)
    answers = scoring.check_questions(script, alice)
    told = "\n".join(
        f"{'+' if check.holds else '-'} {check.what} {check.name}: {check.seen}" for check in [*checks, *never]
    ) + "\n" + "\n".join(f"{'+' if a.right else '-'} {a.question.ask} {a.text}" for a in answers)  # fmt: skip
    assert sum(check.holds for check in checks) >= 4 / 5 * len(checks), told
    assert all(check.holds for check in never), told
    assert sum(answer.right for answer in answers) >= 4 / 5 * len(answers), told


@pytest.mark.parametrize("file", FILES)
def test_what_a_scenario_asks_to_forget_is_gone_after_two_more_nights(file: str, alice: Person) -> None:
    script = read_script(SCENARIOS / file)
    play(script, alice)
    checks = scoring.check_forgotten(script, alice)
    assert all(check.holds for check in checks), [check for check in checks if not check.holds]


@pytest.mark.parametrize("file", FILES)
def test_the_transcript_is_the_files_with_its_dates_and_origins(file: str, alice: Person) -> None:
    script = read_script(SCENARIOS / file)
    play(script, alice, nights=False)
    for session in script.sessions:
        for number, turn in enumerate(session.turns):
            asked = Message.objects.get(pk=script.places[f"{session.name}.{2 * number + 1}"])
            reply = Message.objects.get(pk=script.places[f"{session.name}.{2 * number + 2}"])
            assert [(p.origin, p.text) for p in asked.passages.order_by("position")] == [
                (part.origin, part.text) for part in turn.parts
            ]
            assert asked.said_at == turn.at.astimezone(UTC)
            assert reply.passages.get().text == turn.answer


def test_a_scenario_plays_as_well_over_real_http(alice: Person, settings: Any) -> None:
    script = read_script(SCENARIOS / FILES[0])
    with MessagesServer() as server:
        settings.ANTHROPIC_BASE_URL, settings.ANTHROPIC_API_KEY, settings.CLAUDE_STANDIN = server.url, "key", False
        nights = play(script, alice)
        never = scoring.check_never(script, alice)
        assert server.history
    assert {night.state for night in nights} == {NightState.DONE}
    checks = scoring.check_memories(script, alice)
    assert sum(check.holds for check in checks) >= 2 / 3 * len(checks)
    assert all(check.holds for check in never)
    assert Message.objects.get(pk=script.places["s1.2"]).passages.get().text == script.sessions[0].turns[0].answer


def test_asking_teaches_nothing(alice: Person) -> None:
    script = read_script(SCENARIOS / FILES[0])
    answers: list[Answer] = scoring.check_questions(script, alice, ["q1"])
    assert len(answers) == 1
    assert not Message.objects.of(alice).unread_by_night().exists()


def test_a_conversation_in_locomos_form_is_one_persons_months(alice: Person, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    file.write_text(
        """[{"conversation": {"speaker_a": "Ann", "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [{"speaker": "Ben", "text": "Hi!"}, {"speaker": "Ann", "text": "Hello. I keep bees."},
                      {"speaker": "Ann", "text": "Look.", "blip_caption": "a hive"},
                      {"speaker": "Ben", "text": "Nice."}],
        "session_2_date_time": "9:05 am on 2 June, 2023",
        "session_2": [{"speaker": "Ann", "text": "I moved to Sligo."}]}}]"""
    )
    script = read_script(file)
    nights = play(script, alice)
    assert [night.state for night in nights] == [NightState.DONE] * 2
    said = Passage.objects.of(alice).typed().order_by("message__said_at", "position").values_list("text", flat=True)
    assert list(said) == ["…", "Hello. I keep bees.", "Look. [a hive]", "I moved to Sligo."]
    assert Message.objects.of(alice).order_by("said_at")[0].said_at.isoformat() == "2023-05-08T13:56:00+00:00"
