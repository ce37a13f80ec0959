"""The settings of the tests: servers, databases and keys of their own, so that a run never touches a person's data or a
running `manage.py up`. Every worker of a run, and every run beside it, has its own database and Valkey database."""

from __future__ import annotations

import os
from pathlib import Path

import fasteners

from config.services.paths import ROOT, digest

_RUNS = 8
_WORKERS = 30

for _name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "PRODUCTION", "DEBUG", "SECRET_KEY"):
    os.environ.pop(_name, None)
# A process that a test starts may be told to ask a server of the test's own.
if _service := os.environ.get("REVERIE_TEST_SERVICE"):
    os.environ.update(ANTHROPIC_BASE_URL=_service, ANTHROPIC_API_KEY="none")
os.environ["REVERIE_DOTENV"] = "0"
os.environ["REVERIE_DURABLE"] = "0"
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
if "REVERIE_TEST_RUN" not in os.environ:
    os.environ["REVERIE_VAR"] = str(
        Path("/var/lib/reverie") / f"test-{digest(ROOT)}" if os.geteuid() == 0 else ROOT / "var" / "test"
    )


def _take_run() -> int:
    """The number of this run, told to the processes it starts. The lock goes with the process."""
    if (told := os.environ.get("REVERIE_TEST_RUN")) is not None:
        return int(told)
    folder = Path(os.environ["REVERIE_VAR"])
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(_RUNS):
        lock = fasteners.InterProcessLock(folder / f"run-{number}.lock")
        if lock.acquire(blocking=False):
            globals()["_held"] = lock
            os.environ["REVERIE_TEST_RUN"] = str(number)
            return number
    raise RuntimeError(f"{_RUNS} runs of the tests are going on already.")


_run = _take_run()
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw-1").removeprefix("gw")) + 1
if not os.environ.get("REDIS_URL"):
    from config.services.addresses import valkey_socket

    _redis_url = f"unix://{valkey_socket()}?db={_run * _WORKERS + _worker}"
else:
    _redis_url = os.environ["REDIS_URL"]

from config.services import broker_url  # noqa: E402
from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES  # noqa: E402

# pytest-xdist's own suffix makes it one per worker.
DATABASES["default"]["TEST"] = {"NAME": f"test_reverie_{_run}"}
REDIS_URL = _redis_url
CELERY_BROKER_URL = broker_url(REDIS_URL)
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
MAILERS = {"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}}
# Many tests leave their replies queued; what the limit does is shown where it is set (tests/chat/test_bounds.py).
REPLIES_AT_ONCE = 1_000
