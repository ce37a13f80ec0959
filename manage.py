#!/usr/bin/env python
"""Reverie's command line: `manage.py up` runs everything; `manage.py help` lists the rest."""

import os
import sys
from contextlib import AbstractContextManager, nullcontext

# Everything else works on data, so it brings the embedded servers along when nobody runs them yet.
WITHOUT_SERVERS = {
    "up", "help", "version", "check", "makemessages", "compilemessages", "collectstatic",
    "findstatic", "diffsettings", "startapp",
}  # fmt: skip


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    with _servers(sys.argv[1:]):
        execute_from_command_line(sys.argv)


def _servers(arguments: list[str]) -> AbstractContextManager[None]:
    command = arguments[0] if arguments else "help"
    if command in WITHOUT_SERVERS or command.startswith("-") or not {"-h", "--help"}.isdisjoint(arguments):
        return nullcontext()
    from config.environment import read_dotenv
    from config.services import running

    read_dotenv()
    return running()


if __name__ == "__main__":
    main()
