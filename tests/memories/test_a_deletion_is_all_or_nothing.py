"""Whatever dies in the middle of carrying out, undoing or purging, either all of it happened or nothing did."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import httpx2
import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from memories import forget
from memories.forgetting.tasks import carry_out_left, carry_out_ordered
from memories.models import Deletion, Memory, OrderedDeletion, Page, Person, Via, lock_person
from tests.conftest import ROOT, environment_of_test, start_worker_process
from tests.memories.locks import somebody_waits_for_a_lock, until
from tests.memories.rows import every_row
from tests.memories.telling import converse, learn, passage


class Killed(BaseException):
    """As a killed process: nothing catches it."""


def _life(person: Person, now: datetime) -> Memory:
    at = now - timedelta(days=2)
    chat = converse(person, "I drive a van.", "A van, good.", "I take the train now.", "The train it is.", at=at)
    van = learn(person, "The user drives a van.", (passage(chat, 0), "I drive a van"))
    train = learn(person, "The user takes the train.", (passage(chat, 2), "I take the train now"), replaces=van)
    page = Page.objects.create(person=person, slug="preferences", built_at=at)
    page.lines.create(section="work", position=0, text="Takes the train.").memories.add(train)
    person.time_zone, person.time_zone_memory = "Asia/Tokyo", train
    person.save(update_fields=["time_zone", "time_zone_memory"])
    return train


def _killed_at(step: int, work: Callable[[], Any]) -> bool:
    """Run `work`, dying at its nth statement. False when it ended before that."""
    statements = 0

    def count(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        nonlocal statements
        statements += 1
        if statements == step:
            raise Killed
        return execute(sql, params, many, context)

    try:
        with transaction.atomic(), connection.execute_wrapper(count):
            work()
    except Killed:
        return True
    return False


def _dies_everywhere(work: Callable[[], Any]) -> int:
    """Kill `work` at each of its statements in turn. Returns how many there are."""
    before = every_row()
    step = 1
    while _killed_at(step, work):
        assert every_row() == before, f"half done at statement {step}"
        step += 1
    assert every_row() != before
    return step - 1


def test_carrying_out_undoing_and_purging_die_at_each_statement_without_a_trace(alice: Person, now: datetime) -> None:
    train = _life(alice, now)
    plan = forget.plan(alice, memories=[train], now=now)

    assert _dies_everywhere(lambda: forget.carry_out(plan, now=now, via=Via.LIST, erase_words=True)) > 15
    deletion = Deletion.objects.get()
    assert _dies_everywhere(lambda: forget.undo(deletion, now=now)) > 10

    again = forget.carry_out(forget.plan(alice, memories=[train], now=now), now=now, via=Via.LIST, erase_words=True)
    assert _dies_everywhere(lambda: forget.purge(again.pk, now=again.undo_until)) > 10
    assert forget.verify([again], now=again.undo_until) == []


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.django_db(transaction=True)
def test_a_process_that_is_killed_at_any_statement_leaves_all_or_nothing(alice: Person, now: datetime) -> None:
    """By SIGKILL, on connections of their own: the server finds out by itself that nobody is there any more."""
    train = _life(alice, now)
    ended = subprocess.run(
        [sys.executable, "-m", "tests.memories.killed", str(train.pk)],
        cwd=ROOT,
        env=environment_of_test(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-3_000:]
    steps = dict(line.split() for line in ended.stdout.splitlines())
    assert int(steps["carry_out"]) > 15
    assert int(steps["undo"]) > 10
    assert int(steps["purge"]) > 10
    assert int(steps["everything"]) > 15
    assert int(steps["account"]) > 10
    assert not Person.objects.filter(pk=alice.pk).exists()


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_killed_while_it_deletes_all_leaves_it_to_the_next(alice: Person, now: datetime) -> None:
    _life(alice, now)
    ordered = OrderedDeletion.objects.create(person=alice, via=Via.LIST, ordered_at=now)
    first = start_worker_process("housekeeping")
    try:
        with transaction.atomic():
            lock_person(alice.pk)
            carry_out_ordered.delay(ordered_id=ordered.pk)
            until(somebody_waits_for_a_lock)
            first.kill()
            first.wait()
    finally:
        first.kill()
    assert Memory.objects.of(alice).kept().count() == 2
    assert OrderedDeletion.objects.unfinished().count() == 1

    second = start_worker_process("housekeeping")
    try:
        carry_out_left.delay()
        until(lambda: not OrderedDeletion.objects.unfinished().exists())
    finally:
        second.kill()
        second.wait()
    assert not Memory.objects.of(alice).kept().exists()
    assert Deletion.objects.count() == 1


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.django_db(transaction=True)
def test_a_web_process_that_is_killed_while_it_forgets_has_forgotten_nothing(
    client: Client, alice: Person, now: datetime
) -> None:
    train = _life(alice, now)
    before = every_row()
    listening = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    web = subprocess.Popen(
        [sys.executable, "-m", "config.web", "--fd", str(listening.fileno())],
        cwd=ROOT,
        env=environment_of_test(),
        pass_fds=[listening.fileno()],
    )
    listening.close()
    page = client.get(reverse("memories:forget"), {"m": train.number}).content.decode()
    sent = {"plan": page.split('name="plan" value="', 1)[1].split('"', 1)[0], "words": "erase"}
    cookies = {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}
    try:
        with httpx2.Client(base_url=address, cookies=cookies, timeout=100) as browser:
            token = browser.get(reverse("memories:privacy")).text.split('name="csrfmiddlewaretoken" value="')[1]
            sent["csrfmiddlewaretoken"] = token.split('"')[0]
            with transaction.atomic():
                lock_person(alice.pk)
                with ThreadPoolExecutor(1) as tab:
                    posted = tab.submit(browser.post, reverse("memories:forget"), data=sent)
                    until(somebody_waits_for_a_lock)
                    web.kill()
                    web.wait()
                    with pytest.raises(httpx2.HTTPError):
                        posted.result()
    finally:
        web.kill()
        web.wait()
    assert every_row() == before
