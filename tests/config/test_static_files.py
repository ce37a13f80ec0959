from __future__ import annotations

import re
from pathlib import Path

from django.core.management import call_command
from pytest_django.fixtures import Settings


def test_a_module_imports_another_under_the_name_the_page_loads_it_by(settings: Settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "config.static_files.HashedFiles"}}
    call_command("collectstatic", interactive=False, verbosity=0)

    (stream,) = tmp_path.glob("js/stream.*.js")
    imported = re.findall(r'from "\./(.+?)"', stream.read_text())
    assert len(imported) == 3
    assert all(re.fullmatch(r"\w+\.[0-9a-f]{12}\.js", name) and (tmp_path / "js" / name).exists() for name in imported)
