"""The one client of the SDK: made on first use, shared by every thread of a process, its connections reused."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache

import anthropic
import httpx2
from django.conf import settings

from claude.sockets import make_abortable
from claude.standin.transport import StandIn

# Between two pieces of a stream the server sends pings; a whole answer may take its time.
STREAM_TIMEOUT = httpx2.Timeout(connect=5, read=300, write=30, pool=10)
ANSWER_TIMEOUT = httpx2.Timeout(connect=5, read=600, write=60, pool=10)
_LIMITS = httpx2.Limits(max_connections=1000, max_keepalive_connections=100, keepalive_expiry=60)

# At DEBUG these write whole requests, with what people said, to the log.
for _name in ("anthropic", "httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)


@dataclass(frozen=True)
class Connection:
    sdk: anthropic.Anthropic
    standin: bool
    retries: int


_chosen: ContextVar[Connection | None] = ContextVar("connection", default=None)


def connection() -> Connection:
    """The connection of this context: the one chosen with `using`, else the one of the settings."""
    return _chosen.get() or _from_settings(
        settings.ANTHROPIC_API_KEY,
        settings.ANTHROPIC_BASE_URL,
        settings.CLAUDE_STANDIN,
        settings.CLAUDE_RETRIES,
        os.getpid(),  # a forked child must not share its parent's sockets
    )


def is_standin() -> bool:
    """Whether the offline stand-in answers instead of a model."""
    return connection().standin


@contextmanager
def using(transport: httpx2.BaseTransport, *, retries: int = 0) -> Iterator[None]:
    """Answer from this transport, in this context: for tests and for replaying."""
    client = httpx2.Client(transport=transport, timeout=ANSWER_TIMEOUT)
    token = _chosen.set(Connection(_sdk("offline", "", client), isinstance(transport, StandIn), retries))
    try:
        yield
    finally:
        _chosen.reset(token)


@contextmanager
def wrapping(wrap: Callable[[httpx2.BaseTransport], httpx2.BaseTransport]) -> Iterator[None]:
    """Put a transport around the one of this context, whichever it is: for replaying."""
    inside = connection()
    client = httpx2.Client(transport=wrap(inside.sdk._client._transport), timeout=ANSWER_TIMEOUT)
    token = _chosen.set(replace(inside, sdk=inside.sdk.with_options(http_client=client)))
    try:
        yield
    finally:
        _chosen.reset(token)


@lru_cache(maxsize=4)
def _from_settings(api_key: str, base_url: str, standin: bool, retries: int, pid: int) -> Connection:
    if standin:
        client = httpx2.Client(transport=StandIn(), timeout=ANSWER_TIMEOUT)
        return Connection(_sdk("stand-in", "", client), standin=True, retries=0)
    client = make_abortable(anthropic.DefaultHttpxClient(timeout=ANSWER_TIMEOUT, limits=_LIMITS))
    # A local server asks for no key, but the SDK would go and look for one.
    return Connection(_sdk(api_key or "none", base_url, client), standin=False, retries=retries)


def _sdk(api_key: str, base_url: str, client: httpx2.Client) -> anthropic.Anthropic:
    # Retrying is ours (claude/retries.py): each attempt is booked, can be aborted, and never waits for an hour.
    return anthropic.Anthropic(
        api_key=api_key,
        base_url=base_url or "https://api.anthropic.com",
        max_retries=0,
        http_client=client,
        open_telemetry=False,
    )
