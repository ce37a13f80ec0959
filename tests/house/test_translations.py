"""Every text that a person sees exists in Traditional Chinese, and the compiled catalogue is the written one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import polib
import pytest
from django.conf import settings

ROOT = Path(settings.ROOT)
CATALOGUE = ROOT / "locale" / "zh_Hant" / "LC_MESSAGES" / "django.po"


def test_makemessages_leaves_nothing_untranslated(tmp_path: Path) -> None:
    if shutil.which("xgettext") is None:
        assert not os.environ.get("CI"), "CI must have gettext"
        pytest.skip("GNU gettext is not installed")
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in filter(None, tracked.split("\0")):
        source = ROOT / name
        if source.suffix in {".py", ".html", ".txt", ".po", ".js"} and source.exists():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, tmp_path / name)
    command = [
        sys.executable,
        "-m",
        "django",
        "makemessages",
        "-l",
        "zh_Hant",
        "--no-location",
        "--no-wrap",
        "-i",
        "tests",
    ]
    environment = {key: value for key, value in os.environ.items() if key != "DJANGO_SETTINGS_MODULE"}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)

    made = polib.pofile(str(tmp_path / CATALOGUE.relative_to(ROOT)))

    # allauth and Django bring translations of their own; only ours are in this catalogue.
    assert [message.msgid for message in made.untranslated_entries()] == []
    assert [message.msgid for message in made.fuzzy_entries()] == []
    assert [message.msgid for message in made.obsolete_entries()] == []
    assert len(made) > 100


def test_the_compiled_catalogue_is_the_written_one() -> None:
    written = polib.pofile(str(CATALOGUE))
    compiled = polib.mofile(str(CATALOGUE.with_suffix(".mo")))

    assert {(m.msgctxt, m.msgid, m.msgid_plural): m.msgstr_plural or m.msgstr for m in compiled} == {
        (m.msgctxt, m.msgid, m.msgid_plural): m.msgstr_plural or m.msgstr for m in written.translated_entries()
    }


def test_placeholders_survive_translation() -> None:
    import re

    holder = re.compile(r"%\([a-z_]+\)[sd]|\{[a-z_]+\}")
    for message in polib.pofile(str(CATALOGUE)):
        for text in message.msgstr_plural.values() or [message.msgstr]:
            wanted = set(holder.findall(message.msgid_plural or message.msgid))
            assert set(holder.findall(text)) == wanted, message.msgid
