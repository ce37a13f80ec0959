"""Processes that live and end together: what happens when one of them dies."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from config import local
from config.processes import KeepsDying, NotYet, ProcessTree, Program
from tests.config.machine import wait_until

STAYS = "import time; print('here', flush=True); time.sleep(600)"
DIES = "raise SystemExit(3)"

type Grow = Callable[..., ProcessTree]


@pytest.fixture
def log() -> list[str]:
    return []


@pytest.fixture
def grow(log: list[str]) -> Iterator[Grow]:
    with ExitStack() as stack:

        def grow(*programs: Program, **more: object) -> ProcessTree:
            options = {"waits_s": (0.0, 0.1), "steady_s": 60.0, **more}
            tree = ProcessTree(programs, say=lambda name, line: log.append(f"{name}: {line}"), **options)  # type: ignore[arg-type]
            stack.callback(tree.stop, hurry=lambda: True)
            tree.start()
            return tree

        yield grow


def python(name: str, script: str, before_start: Callable[[], None] = lambda: None) -> Program:
    return Program(name, [sys.executable, "-S", "-c", script], before_start=before_start)


def tended(tree: ProcessTree, until: Callable[[], object]) -> None:
    def look() -> object:
        tree.tend(0.02)
        return until()

    wait_until(look)


def test_what_died_is_started_again_and_the_log_says_so(grow: Grow, log: list[str], tmp_path: Path) -> None:
    mark = tmp_path / "died once"
    once = (
        f"import pathlib; mark = pathlib.Path({str(mark)!r})\nif not mark.exists(): mark.touch(); raise SystemExit(3)"
    )
    script = f"{once}\n{STAYS}"
    tree = grow(python("nights", script), python("beat", STAYS))
    tended(tree, lambda: "nights: here" in log)
    assert log.count("up: nights ended with code 3; it is started again.") == 1
    assert not any(line.startswith("up: beat") for line in log)


def test_what_never_worked_is_given_up(grow: Grow, log: list[str]) -> None:
    tree = grow(python("web", DIES))
    with pytest.raises(KeepsDying, match="web ended 5 times in a row, last with code 3"):
        tended(tree, lambda: False)
    assert log[-1] == "up: web ended with code 3; it is started again in 0.1 s."


def test_what_has_worked_is_started_again_however_often_it_dies(grow: Grow, log: list[str]) -> None:
    tree = grow(python("nights", DIES), steady_s=0.0)
    tended(tree, lambda: len(log) >= 8)


def test_while_one_waits_the_others_are_looked_after(grow: Grow, log: list[str], tmp_path: Path) -> None:
    talks = "import time\nwhile True: print('more', flush=True); time.sleep(0.02)"
    tree = grow(python("nights", DIES), python("web", talks), waits_s=(600.0,))
    tended(tree, lambda: log.count("up: nights ended with code 3; it is started again in 600 s."))
    so_far = len(log)
    tended(tree, lambda: len(log) > so_far + 3)


def test_what_cannot_start_yet_is_tried_again_and_the_rest_lives(grow: Grow, log: list[str]) -> None:
    missing = [1, 1, 1, 1, 1, 1, 1]

    def need() -> None:
        if missing:
            missing.pop()
            raise NotYet("its broker does not answer.")

    tree = grow(python("nights", STAYS, need), python("web", STAYS))
    tended(tree, lambda: "nights: here" in log and "web: here" in log)
    said = [line for line in log if "cannot start yet" in line]
    assert said[0] == "up: nights cannot start yet: its broker does not answer. It is tried again."
    assert len(said) == 7


def test_a_worker_whose_broker_is_away_cannot_start_yet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from config.celery import app

    nights = next(program for program in local.programs(0) if program.name == "nights")
    monkeypatch.setattr(app.conf, "broker_write_url", f"redis+socket://{tmp_path}/away?virtual_host=0")
    with pytest.raises(NotYet, match="its broker does not answer"):
        nights.before_start()
