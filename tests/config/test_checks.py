from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.checks import run_checks

if TYPE_CHECKING:
    from pytest_django import Settings

# The models' own checks ask which PostgreSQL it is.
pytestmark = pytest.mark.django_db


def ids() -> list[str | None]:
    return [message.id for message in run_checks() if str(message.id).startswith("reverie.")]


def test_the_settings_as_they_are_have_no_fault() -> None:
    assert ids() == []


@pytest.mark.parametrize(
    ("wrong", "id"),
    [
        ({"PRODUCTION": True, "DEBUG": True}, "reverie.E001"),
        ({"ANTHROPIC_BASE_URL": "localhost:8080"}, "reverie.E002"),
        ({"CLAUDE_MODELS": {"chat": ""}}, "reverie.E003"),
        ({"INJECTED_BLOCK_MAX_TOKENS": 2_000}, "reverie.E004"),
        ({"UNDO_WINDOW_S": -1}, "reverie.E005"),
        ({"NIGHT_MAX_RETIRED_SHARE": 0}, "reverie.E006"),
        ({"PRODUCTION": True, "ALLOWED_HOSTS": ["*"]}, "reverie.E007"),
    ],
)
def test_a_wrong_setting_is_named(settings: Settings, wrong: dict[str, object], id: str) -> None:
    for name, value in wrong.items():
        setattr(settings, name, value)
    assert id in ids()
