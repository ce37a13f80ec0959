"""What the documents point at exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.ROOT)
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_local_link_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text()):
        if "://" not in target and not target.startswith("mailto:"):
            assert (document.parent / target).exists(), target


def test_every_setting_read_from_the_environment_is_in_the_example() -> None:
    example = (ROOT / ".env.example").read_text()
    sources = [ROOT / "config" / "settings.py", *sorted((ROOT / "config").rglob("*.py"))]
    read = {
        name
        for source in sources
        for name in re.findall(
            r"(?:flag|listed|number|os\.environ\.get|os\.environ\[)\(?\s*\"([A-Z_]+)\"", source.read_text()
        )
    }
    # Said by our own processes to each other, not by people.
    ours = read - {
        "DJANGO_SETTINGS_MODULE",
        "CI",
        "PATH",
        "HOME",
        "REVERIE_DURABLE",
        "REVERIE_WORKER",
        "REVERIE_DOTENV",
    }

    assert ours
    assert {name for name in ours if name not in example} == set()
