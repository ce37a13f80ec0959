from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import local
from config.environment import read_dotenv, secret_key
from tests.conftest import ROOT


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(os, "environ", {"KEPT": "from the environment"})
    return monkeypatch


def test_a_dotenv_file_fills_what_the_environment_does_not_say(tmp_path: Path, environment: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text(
        '# a comment\nKEPT=no\nPLAIN=a=b#c\nexport QUOTED="with space"\n  SPACED = x \n\nnonsense\nEMPTY=\n'
    )
    read_dotenv(tmp_path / ".env")
    os.environ.pop("PYTEST_CURRENT_TEST", None)
    assert os.environ == {
        "KEPT": "from the environment", "PLAIN": "a=b#c", "QUOTED": "with space", "SPACED": "x", "EMPTY": "",
    }  # fmt: skip


def test_a_missing_dotenv_file_is_no_matter(tmp_path: Path) -> None:
    read_dotenv(tmp_path / ".env")


def test_a_secret_key_is_made_once_and_closed_to_others(tmp_path: Path, environment: pytest.MonkeyPatch) -> None:
    environment.setitem(os.environ, "REVERIE_VAR", str(tmp_path / "base"))
    key = secret_key(production=False)
    assert len(key) >= 50
    assert secret_key(production=False) == key
    assert stat.S_IMODE((tmp_path / "base" / "secret-key").stat().st_mode) == 0o600


def test_production_wants_a_secret_key_of_its_own(environment: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImproperlyConfigured):
        secret_key(production=True)


def test_every_name_in_the_example_is_read_somewhere() -> None:
    names = [
        line.removeprefix("# ").partition("=")[0]
        for line in (ROOT / ".env.example").read_text().splitlines()
        if "=" in line and line.removeprefix("# ").partition("=")[0].isupper()
    ]
    assert names
    code = "".join(
        path.read_text() for folder in ("config", "claude", "memories") for path in (ROOT / folder).rglob("*.py")
    )
    assert [name for name in names if f'"{name}"' not in code] == []


def test_the_deployment_check_is_clean_in_production(tmp_path: Path) -> None:
    checked = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={
            **{name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"},
            "PRODUCTION": "1",
            "SECRET_KEY": "a-key-of-fifty-characters-or-more-0123456789-abcdefghijk",
            "ALLOWED_HOSTS": "reverie.example.org",
        },
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert checked.returncode == 0, checked.stderr
    assert "no issues" in checked.stdout + checked.stderr


@pytest.mark.parametrize(("said", "given"), [(None, "0.03"), ("0", "0")])
def test_up_lets_the_stand_in_stream_visibly_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, said: str | None, given: str
) -> None:
    monkeypatch.delenv("STANDIN_DELAY_S", raising=False)
    if said is not None:
        monkeypatch.setenv("STANDIN_DELAY_S", said)
    programs = {program.name: program.environment for program in local.programs(web_fd=3)}

    assert programs["replies"]["STANDIN_DELAY_S"] == given
    assert "STANDIN_DELAY_S" not in programs["nights"]
