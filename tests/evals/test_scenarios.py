"""Both scenario files hold in full with a model that answers as a good one would: what the model is right about, the
code neither loses nor spoils."""

from __future__ import annotations

from pathlib import Path

import pytest

from claude.client import using
from consolidation.models import NightState
from evals import scoring
from evals.replay import play, read_script
from memories.models import Person
from tests.evals import scripts

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SCENARIOS = Path(__file__).parent.parent / "data" / "scenarios"
FILES = ["choir-nurse.en.json", "tram-designer.zh-Hant.json"]


@pytest.mark.parametrize("file", FILES)
def test_a_scenario_holds_in_full_with_a_good_model_and_stays_forgotten(file: str, alice: Person) -> None:
    script = read_script(SCENARIOS / file)
    with using(scripts.for_file(file).wire()):
        nights = play(script, alice)
        checks = [*scoring.check_memories(script, alice), *scoring.check_never(script, alice)]
        answers = scoring.check_questions(script, alice)
        forgotten = scoring.check_forgotten(script, alice)
    assert {night.state for night in nights} == {NightState.DONE}
    assert [check for check in checks if not check.holds] == []
    assert [(answer.question.ask, answer.text) for answer in answers if not answer.right] == []
    assert [check for check in forgotten if not check.holds] == []
