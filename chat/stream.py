"""The numbered parts of a reply in a Valkey stream: written by the worker, followed by any number of pages."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from django.utils import translation
from redis import RedisError, ResponseError
from redis.asyncio import Redis as AsyncRedis

from chat.live import valkey
from chat.markdown import Citable, Growing
from config.services import is_ours

logger = logging.getLogger(__name__)

# How long the parts of a finished reply stay for those who are still reading.
KEPT_AFTER_S = 60
HEARTBEAT_S = 5.0
# No parts outlive this, whatever became of their worker.
LONGEST_KEPT = timedelta(seconds=settings.REPLY_STREAM_EXPIRES_S)
_END = b"end"


@dataclass(frozen=True)
class Part:
    """`html` takes the place of everything after the first `kept` blocks."""

    number: int
    kept: int
    html: str


def stream_key(reply_id: int) -> str:
    return f"reply:{reply_id}"


class Writer:
    """Collects a reply's text. Its first words are published at once; what follows waits for the watch, which publishes
    the parts of all replies together."""

    def __init__(self, reply_id: int, citable: Citable) -> None:
        self.reply_id = reply_id
        self.language = settings.LANGUAGE_CODE
        self._citable = citable
        self._growing = Growing(citable)
        self._text = ""
        self._number = 0
        self._rendered = 0
        self._next_at = 0.0
        self._lock = threading.Lock()

    @property
    def text(self) -> str:
        return self._text

    def add(self, text: str) -> None:
        self._text += text
        if self._number == 0:
            publish([self])

    def due(self) -> Part | None:
        """What is new, rendered as the next part; nothing while the last one is only just out."""
        with self._lock:
            text = self._text
            began = time.monotonic()
            if len(text) == self._rendered or began < self._next_at:
                return None
            with translation.override(self.language):
                kept, html = self._growing.update(text)
            if not (self._number or html):
                return None
            self._number += 1
            self._rendered = len(text)
            # A long block costs more to render: leave time for the others.
            ended = time.monotonic()
            self._next_at = ended + min(1.0, 4 * (ended - began))
            return Part(self._number, kept, html)

    def start_over(self) -> None:
        """A part was lost: the next one carries everything."""
        with self._lock:
            self._growing = Growing(self._citable)
            self._rendered = 0


def publish(writers: Iterable[Writer]) -> None:
    """Send what is new of these replies, all at one stroke."""
    parts = [(writer, part) for writer in writers if (part := _due(writer))]
    if not parts:
        return
    try:
        with valkey().pipeline(transaction=False) as pipe:
            for writer, part in parts:
                key = stream_key(writer.reply_id)
                pipe.xadd(key, {"kept": part.kept, "html": part.html}, id=f"{part.number}-0")
                pipe.expire(key, settings.REPLY_STREAM_EXPIRES_S)
            pipe.execute()
    except RedisError as error:
        logger.warning("Parts of %d replies are lost: %s", len(parts), type(error).__name__)
        for writer, _part in parts:
            writer.start_over()


def _due(writer: Writer) -> Part | None:
    try:
        return writer.due()
    except Exception as error:
        # The others go on; the row at the end will show what this one has.
        logger.error("A part of reply %d could not be made: %s", writer.reply_id, type(error).__name__)
        return None


def start(reply_id: int) -> None:
    """Forget what an earlier worker may have left."""
    valkey().delete(stream_key(reply_id))


def end(reply_id: int) -> None:
    """Tell all readers that the reply stands in the database, after it was committed."""
    try:
        with valkey().pipeline(transaction=False) as pipe:
            pipe.xadd(stream_key(reply_id), {_END: 1})
            pipe.expire(stream_key(reply_id), KEPT_AFTER_S)
            pipe.execute()
    except RedisError as error:
        logger.warning("The end of reply %d is lost: %s", reply_id, type(error).__name__)


def drop(reply_ids: list[int]) -> None:
    """Throw the parts away: something in them was forgotten."""
    if reply_ids:
        valkey().delete(*[stream_key(reply_id) for reply_id in reply_ids])


def write_file_anew() -> None:
    """The embedded Valkey's file keeps the words of parts that are gone until it is written anew. Somebody else's
    server is theirs to tidy."""
    if is_ours(settings.REDIS_URL):
        # One that is being written already began after the parts were dropped.
        with suppress(ResponseError):
            valkey().bgrewriteaof()


def has_parts(reply_id: int) -> bool:
    """Whether words of the reply are still there: more than the mark of its end."""
    entries: Any = valkey().xrange(stream_key(reply_id), count=1)
    return any(_END not in fields for _id, fields in entries)


async def follow(reply_id: int) -> AsyncIterator[Part | None]:
    """What there is so far as one part, then each new part; None when nothing came for a while. Returns at the end."""
    client, key, last = _client(), stream_key(reply_id), b"0"
    blocks: list[Part] = []
    entries: Any = await client.xrange(key)
    for entry_id, fields in entries:
        if _END in fields:
            return
        last = entry_id
        blocks.append(_part(entry_id, fields))
    if blocks:
        yield _fold(blocks)
    while True:
        answer: Any = await client.xread({key: last}, count=100, block=int(HEARTBEAT_S * 1000))
        if not answer:
            yield None
            continue
        for entry_id, fields in answer[0][1]:
            if _END in fields:
                return
            last = entry_id
            yield _part(entry_id, fields)


def _part(entry_id: bytes, fields: dict[bytes, bytes]) -> Part:
    return Part(int(entry_id.split(b"-")[0]), int(fields[b"kept"]), fields[b"html"].decode())


def _fold(parts: list[Part]) -> Part:
    """All parts as one that replaces everything: each part's blocks up to where the next one takes over."""
    html: list[str] = []
    for part in parts:
        html = [*html[: part.kept], *_split(part.html)]
    return Part(parts[-1].number, 0, "".join(html))


def _split(html: str) -> list[str]:
    opening = '<div class="block">'
    return [opening + block for block in html.split(opening)[1:]]


_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncRedis] = WeakKeyDictionary()


def _client() -> AsyncRedis:
    """One client per event loop: its connections belong to the loop that opened them."""
    loop = asyncio.get_running_loop()
    if loop not in _clients:
        # A read that waits for the next part is no fault of the socket: its own limit lies well beyond the heartbeat.
        _clients[loop] = AsyncRedis.from_url(settings.REDIS_URL, max_connections=10_000, socket_timeout=3 * HEARTBEAT_S)
    return _clients[loop]
