from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from memories.models import Person

pytestmark = pytest.mark.django_db


def test_the_bench_tells_recall_by_category_and_what_each_engine_costs(tmp_path: Path) -> None:
    talk = [
        {"speaker": speaker, "dia_id": f"D1:{n}", "text": words}
        for n, (speaker, words) in enumerate(
            [("Ann", "I keep bees behind the barn."), ("Ben", "My van broke down."), ("Ann", "The piano is sold.")], 1
        )
    ]
    file = tmp_path / "talk.json"
    file.write_text(json.dumps([{
        "conversation": {"speaker_a": "Ann", "speaker_b": "Ben", "session_1_date_time": "1:56 pm on 8 May, 2023",
                         "session_1": talk},
        "qa": [{"question": "Where are the bees?", "evidence": ["D1:1"], "category": 4},
               {"question": "What became of the piano?", "evidence": ["D1:3"], "category": 2}],
    }]))  # fmt: skip
    told = StringIO()
    call_command("recall_bench", file, stdout=told)
    lines = [line.split() for line in told.getvalue().splitlines()]
    assert lines[0] == ["life-1:", "3", "units,", "2", "questions"]
    headings = [line for line in lines if "R@5" in line]
    assert [(line[0], line[1]) for line in headings] == [
        ("all", "(2)"), ("information-extraction", "(1)"), ("temporal", "(1)"),
    ]  # fmt: skip
    assert all(line[2:] == ["R@5", "R@10", "R@20", "all@10", "MRR"] for line in headings)
    assert ["ours", *["100.0"] * 5] in lines
    cost = lines[[line[:1] for line in lines].index(["cost"]) :]
    assert [line[0] for line in cost[1:]] == ["bm25s", "ours,", "ours"]
    assert all(line[-1] == "MB" for line in cost[1:])
    assert not Person.objects.exists()
