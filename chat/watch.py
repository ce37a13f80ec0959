"""One thread per process looks after all replies that it is writing: it hears Stop even when no token comes, ends what
takes too long, publishes their parts, and renews the leases. Doing that once for all of them is what makes many at once
cheap."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.conf import settings
from redis import RedisError

from chat import live
from chat.stream import Writer, publish

logger = logging.getLogger(__name__)

# As fast as eyes can follow; with much to do, slower, since the replies' own threads need the time.
TICK_S = 0.06
_LONGEST_TICK_S = 0.5
_REST = 3  # times what a tick took
LEASE_EVERY_S = live.LEASE_S / 4


@dataclass(eq=False)
class Watched:
    """A reply under the watch. `abort` is set while something runs that can be aborted."""

    writer: Writer
    # By the monotonic clock: a server may think, or say nothing of use, without an end.
    ends_at: float
    stopped: threading.Event = field(default_factory=threading.Event)
    overdue: bool = False
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

    def end_if_overdue(self) -> None:
        if not self.stopped.is_set() and time.monotonic() >= self.ends_at:
            self.overdue = True
            self.stop()

    def stop(self) -> None:
        self.stopped.set()
        with self._lock:
            if self._abort:
                self._abort()


_watched: dict[int, Watched] = {}
_lock = threading.Lock()
_thread: threading.Thread | None = None


@contextmanager
def watching(writer: Writer) -> Iterator[Watched]:
    global _thread
    watched = Watched(writer, time.monotonic() + settings.REPLY_MAX_S)
    with _lock:
        _watched[writer.reply_id] = watched
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_run, name="reply-watch", daemon=True)
            _thread.start()
    try:
        yield watched
    finally:
        with _lock:
            _watched.pop(writer.reply_id, None)


def _run() -> None:
    global _thread
    leased_at = time.monotonic()
    took = 0.0
    while True:
        time.sleep(min(max(TICK_S, _REST * took), _LONGEST_TICK_S))
        with _lock:
            replies = list(_watched.values())
            if not replies:
                _thread = None
                return
        began = time.monotonic()
        renew = began - leased_at >= LEASE_EVERY_S
        if renew:
            leased_at = began
        try:
            for watched in replies:
                watched.end_if_overdue()
            _look_after(replies, renew=renew)
        except RedisError as error:
            # The replies go on; their page finds them in the database.
            logger.warning("The watch over %d replies could not reach Valkey: %s", len(replies), type(error).__name__)
        except Exception as error:
            logger.error("The watch over %d replies failed: %s", len(replies), type(error).__name__)
        took = time.monotonic() - began


def _look_after(replies: list[Watched], *, renew: bool) -> None:
    ids = [watched.writer.reply_id for watched in replies]
    to_stop = live.asked_to_stop(ids)
    if renew:
        live.renew_leases(ids)
    for watched in replies:
        if watched.writer.reply_id in to_stop and not watched.stopped.is_set():
            watched.stop()
    publish(watched.writer for watched in replies)
