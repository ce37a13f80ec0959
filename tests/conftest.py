"""Real PostgreSQL and Valkey for every test; a real Celery worker, a live server and a browser for those that ask; no
network for any."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from config.services import running
from tests import network

if TYPE_CHECKING:
    from celery.worker import WorkController
    from django.test import Client
    from playwright.sync_api import Browser, Page

    from memories.models import Person

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = "/usr/bin/chromium"
# Nothing here takes long, but a machine may have other work to do.
WAIT_MS = 100_000
_services = ExitStack()


def pytest_configure(config: pytest.Config) -> None:
    network.switch_off()
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    signal.signal(signal.SIGTERM, _end)
    _services.enter_context(running())


def _end(*_: object) -> None:
    """A terminated run stops its servers too; said twice (by the shell and by `uv run`), it is heard once."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    pytest.exit("terminated", 143)


def pytest_unconfigure(config: pytest.Config) -> None:
    _services.close()


@pytest.fixture(autouse=True)
def _empty_valkey() -> None:
    from django.conf import settings
    from redis import Redis

    with Redis.from_url(settings.REDIS_URL) as client:
        client.flushdb()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """A test that waited in vain for a worker says where its tasks were."""
    report = yield
    if report.when == "call" and report.failed:
        report.sections.append(("Valkey", _what_waits_in_valkey()))
    return report


def _what_waits_in_valkey() -> str:
    from django.conf import settings
    from redis import Redis, RedisError

    try:
        with Redis.from_url(settings.REDIS_URL, decode_responses=True) as client:
            database = str(client.connection_pool.connection_kwargs.get("db", 0))
            lines = []
            for key in sorted(client.scan_iter()):
                if client.type(key) == "list":
                    lines.append(f"{key}: {client.llen(key)} wait")
                elif key.split(":")[0] == "unacked":
                    lines.append(f"{key}: {client.hlen(key)} taken and not finished")
            readers = [one for one in client.client_list() if one["db"] == database and one["cmd"] == "brpop"]
            return "\n".join([*lines, f"{len(readers)} connections wait for tasks"])
    except RedisError as error:
        return f"It does not answer: {type(error).__name__}"


@pytest.fixture
def now() -> datetime:
    """A Tuesday evening."""
    return datetime(2026, 3, 17, 20, 0, tzinfo=UTC)


@pytest.fixture
def alice(db: None) -> Person:
    """Whose memory it is."""
    return _person("alice")


@pytest.fixture
def bob(db: None) -> Person:
    """Somebody else with an account."""
    return _person("bob")


@pytest.fixture
def charlie(db: None) -> Person:
    """Staff."""
    return _person("charlie", is_staff=True, is_superuser=True)


@pytest.fixture
def client(alice: Person) -> Client:
    """Alice, signed in."""
    return _signed_in(alice)


@pytest.fixture
def bobs_client(bob: Person) -> Client:
    return _signed_in(bob)


@pytest.fixture
def staff_client(charlie: Person) -> Client:
    return _signed_in(charlie)


@pytest.fixture
def anonymous() -> Client:
    from django.test import Client

    return Client()


@pytest.fixture
def worker(transactional_db: None) -> Iterator[WorkController]:
    """A Celery worker on the real broker, in threads of this process: what a test replaces here, it sees."""
    from celery.contrib.testing.worker import start_worker

    from config.celery import Queues, app

    with start_worker(
        app, pool="threads", concurrency=8, perform_ping_check=False, queues=[queue.value for queue in Queues]
    ) as started:
        yield started


@pytest.fixture
def worker_process(transactional_db: None) -> Iterator[subprocess.Popen[bytes]]:
    """A Celery worker in a process of its own, on the test's database: one that a test may kill."""
    process = start_worker_process()
    yield process
    process.kill()
    process.wait()


def start_worker_process(*queues: str) -> subprocess.Popen[bytes]:
    """Returns when it listens to its queues; what is sent it later, it takes."""
    from config.celery import Queues

    process = subprocess.Popen(
        [
            sys.executable, "-m", "celery", "-A", "config", "worker", "--pool=threads", "--concurrency=8",
            f"--queues={','.join(queues or [queue.value for queue in Queues])}", "--loglevel=warning",
        ],
        cwd=ROOT,
        env=environment_of_test(),
        stderr=subprocess.PIPE,
    )  # fmt: skip
    ready = threading.Event()
    threading.Thread(target=_watch, args=(process, ready), daemon=True).start()
    if not ready.wait(100):
        process.kill()
        pytest.fail("The Celery worker did not start.")
    return process


def _watch(process: subprocess.Popen[bytes], ready: threading.Event) -> None:
    """Reads the log to its end, so that the worker never waits for a full pipe."""
    assert process.stderr is not None
    for line in process.stderr:
        sys.stderr.write(line.decode(errors="replace"))
        if b" ready." in line:
            ready.set()


def environment_of_test() -> dict[str, str]:
    """For a process that shall work on the database of the test that starts it."""
    from django.conf import settings
    from django.db import connection

    at = connection.settings_dict
    url = f"postgresql:///{at['NAME']}?host={at['HOST']}&user={at['USER']}"
    if at["PASSWORD"] or at["PORT"]:
        url += f"&password={at['PASSWORD']}&port={at['PORT']}"
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": url,
        "REDIS_URL": settings.REDIS_URL,
        # A live server of an earlier test has said otherwise, for web processes.
        "MAKES_VECTORS": "1",
    }


class Live:
    """A web server's address."""

    def __init__(self, url: str) -> None:
        self.url = url

    def __str__(self) -> str:
        return self.url


@pytest.fixture
def live(transactional_db: None) -> Iterator[Live]:
    """The ASGI application behind uvicorn on a free port, in a thread of this process."""
    import uvicorn

    from config.asgi import application

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(application, lifespan="off", log_config=None, access_log=False, timeout_graceful_shutdown=2)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    yield Live(f"http://127.0.0.1:{listening.getsockname()[1]}")
    server.should_exit = True
    thread.join()
    listening.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One per module, not for the whole run: while it is open, Playwright's event loop runs in the tests' thread, where
    Django would take every test for asynchronous, and no other loop can run."""
    if not Path(CHROMIUM).exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"There is no Chromium at {CHROMIUM}, and a browser test is never skipped in CI.")
        pytest.skip(f"There is no Chromium at {CHROMIUM}; .ci/run installs it.")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=WAIT_MS)

    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
            ],
        )  # fmt: skip
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, live: Live, alice: Person) -> Iterator[Page]:
    """A browser page with alice signed in. `page.goto("/")` goes to the live server."""
    from django.conf import settings

    session = _signed_in(alice).cookies[settings.SESSION_COOKIE_NAME].value
    context = browser.new_context(base_url=live.url, locale="en-GB")
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live.url}])
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    yield page
    context.close()


def _person(name: str, **more: Any) -> Person:
    from memories.models import Person

    return Person.objects.create_user(name, f"{name}@example.org", f"{name}-password", **more)


def _signed_in(person: Person) -> Client:
    from django.test import Client

    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client
