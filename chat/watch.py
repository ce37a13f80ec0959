"""One thread per process looks after all replies that it is writing: it hears Stop even when no token comes, sends what
was held back, and renews the leases."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from redis import RedisError

from chat import live

logger = logging.getLogger(__name__)

TICK_S = 0.1
LEASE_EVERY_S = live.LEASE_S / 4


@dataclass(eq=False)
class Watched:
    """A reply under the watch. `abort` is set while something runs that can be aborted."""

    reply_id: int
    on_tick: Callable[[], None]
    stopped: threading.Event = field(default_factory=threading.Event)
    _abort: Callable[[], None] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def aborting(self, abort: Callable[[], None]) -> Iterator[None]:
        """Call `abort` at once when the reply is asked to stop inside the block."""
        with self._lock:
            self._abort = abort
        if self.stopped.is_set():
            abort()
        try:
            yield
        finally:
            with self._lock:
                self._abort = None

    def stop(self) -> None:
        self.stopped.set()
        with self._lock:
            if self._abort:
                self._abort()


_watched: dict[int, Watched] = {}
_lock = threading.Lock()
_thread: threading.Thread | None = None


@contextmanager
def watching(reply_id: int, on_tick: Callable[[], None]) -> Iterator[Watched]:
    global _thread
    watched = Watched(reply_id, on_tick)
    with _lock:
        _watched[reply_id] = watched
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_run, name="reply-watch", daemon=True)
            _thread.start()
    try:
        yield watched
    finally:
        with _lock:
            _watched.pop(reply_id, None)


def _run() -> None:
    global _thread
    leased_at = time.monotonic()
    while True:
        time.sleep(TICK_S)
        with _lock:
            replies = list(_watched.values())
            if not replies:
                _thread = None
                return
        renew = time.monotonic() - leased_at >= LEASE_EVERY_S
        if renew:
            leased_at = time.monotonic()
        try:
            _look_after(replies, renew=renew)
        except RedisError as error:
            # The replies go on; their page finds them in the database.
            logger.warning("The watch over %d replies could not reach Valkey: %s", len(replies), type(error).__name__)


def _look_after(replies: list[Watched], *, renew: bool) -> None:
    ids = [watched.reply_id for watched in replies]
    to_stop = live.asked_to_stop(ids)
    if renew:
        live.renew_leases(ids)
    for watched in replies:
        try:
            if watched.reply_id in to_stop and not watched.stopped.is_set():
                watched.stop()
            watched.on_tick()
        except RedisError:
            raise
        except Exception as error:
            logger.error("The watch over reply %d failed: %s", watched.reply_id, type(error).__name__)
