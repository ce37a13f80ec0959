from __future__ import annotations

import logging
import re
import sys

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.logs import LineFormatter


def line(message: str, *args: object, name: str = "memories", exc_info: object = None) -> str:
    record = logging.LogRecord(name, logging.ERROR, "x.py", 1, message, args, exc_info)  # type: ignore[arg-type]
    return LineFormatter().format(record)


def test_an_error_is_told_by_type_and_place_and_never_by_its_text() -> None:
    try:
        raise ValueError("I love coriander")
    except ValueError:
        told = line("recall failed", exc_info=sys.exc_info())
    assert "error=ValueError" in told
    assert "tests/config/test_logs.py" in told
    assert "coriander" not in told


@pytest.mark.django_db
def test_no_query_is_written_with_its_values_however_fine_the_level(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with CaptureQueriesContext(connection) as queries, connection.cursor() as cursor:
        cursor.execute("SELECT %s", ["coriander"])
    assert "coriander" in queries[0]["sql"]
    assert "coriander" not in caplog.text


def test_a_record_is_one_line() -> None:
    assert "\n" not in line("first\nsecond %s", "a\nb")


def test_what_a_task_was_given_or_failed_with_is_left_out() -> None:
    context = {"name": "chat.tasks.write_reply", "id": "7", "exc": "ValueError('coriander')", "kwargs": "coriander"}
    told = line("Task %(name)s[%(id)s] raised unexpected: %(exc)s %(kwargs)s", context, name="celery.app.trace")
    assert "chat.tasks.write_reply[7]" in told
    assert "coriander" not in told


def test_an_address_is_told_by_its_pattern_since_it_bears_a_topic(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    for address in ("/memories/pages/quillfeather/", "/quillfeather/", "/memories/pages/%E8%8A%B1/?q=quillfeather"):
        client.get(address)
    Client(enforce_csrf_checks=True).post("/memories/pages/quillfeather/")
    told = [LineFormatter().format(record) for record in caplog.records]
    assert len(told) == 4
    assert any("/memories/pages/<str:slug>/" in line for line in told)
    assert any("no such address" in line for line in told)
    assert not [line for line in told if re.search(r"quillfeather|%E8|u82b1", line)]
