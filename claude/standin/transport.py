"""The offline stand-in as a transport under the real SDK: everything above the socket is what a model would meet."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import httpx2
from django.conf import settings

from claude.standin.batches import BATCHES, Batches
from claude.standin.messages import Reply, respond


class StandIn(httpx2.BaseTransport):
    def __init__(self, *, delay_s: float | None = None) -> None:
        self._delay_s = delay_s
        self._batches = Batches()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        path, body = request.url.path, request.read()
        if path.startswith(BATCHES):
            return as_response(self._batches.respond(request.method, path, body))
        return as_response(respond(request.method, path, body), self._delay())

    def _delay(self) -> float:
        delay: float = settings.STANDIN_DELAY_S if self._delay_s is None else self._delay_s
        return delay


def as_response(reply: Reply, delay_s: float = 0) -> httpx2.Response:
    if reply.body is not None:
        content = json.dumps(reply.body, ensure_ascii=False).encode()
        return httpx2.Response(reply.status, headers={"content-type": "application/json"}, content=content)
    if reply.lines is not None:
        written = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in reply.lines).encode()
        return httpx2.Response(reply.status, headers={"content-type": "application/x-jsonl"}, content=written)
    headers = {"content-type": "text/event-stream; charset=utf-8"}
    return httpx2.Response(reply.status, headers=headers, stream=_Pieces(reply, delay_s))


class _Pieces(httpx2.SyncByteStream):
    def __init__(self, reply: Reply, delay_s: float) -> None:
        self._reply = reply
        self._delay_s = delay_s

    def __iter__(self) -> Iterator[bytes]:
        for event in self._reply.pieces():
            yield from event
            if self._delay_s:
                time.sleep(self._delay_s)
