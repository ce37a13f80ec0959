from __future__ import annotations

import pytest
from django.core.checks import run_checks
from pytest_django.fixtures import Settings

# The models' own checks ask which PostgreSQL it is.
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("CLAUDE_EFFORT", "heroic", "claude.E001"),
        ("ANTHROPIC_BASE_URL", "http://localhost:11434/v1/", "claude.W001"),
        ("STANDIN_DELAY_S", -1.0, "claude.E002"),
    ],
)
def test_settings_that_cannot_work_are_said(settings: Settings, name: str, value: object, found: str) -> None:
    assert found not in {problem.id for problem in run_checks()}
    setattr(settings, name, value)
    assert found in {problem.id for problem in run_checks()}
