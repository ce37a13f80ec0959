"""A server on loopback that speaks the Messages protocol over real sockets: chunked streams that part characters in
the middle, kept-alive connections, and an eye for clients that hang up.

    with MessagesServer() as server:
        settings.ANTHROPIC_BASE_URL, settings.CLAUDE_STANDIN = server.url, False

It answers what is enqueued (see tests/fakes/wire.py), and after that as the stand-in does.
"""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from claude.standin import sse
from claude.standin.messages import respond
from tests.fakes.wire import Answer, Scripted, as_scripted


class MessagesServer:
    def __init__(self, *answers: Answer, pause_s: float = 0) -> None:
        self._answers = list(answers)
        self._lock = threading.Lock()
        # Between two events of a stream, where the script does not say.
        self.pause_s = pause_s
        self.history: list[dict[str, Any]] = []
        self.connections = 0
        # Set when a client went away before its answer was whole.
        self.hung_up = threading.Event()
        # Set when a request has come in.
        self.asked = threading.Event()
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def enqueue(self, *answers: Answer) -> None:
        with self._lock:
            self._answers.extend(answers)

    def take(self, request: dict[str, Any]) -> Scripted | None:
        with self._lock:
            self.history.append(request)
            answer = self._answers.pop(0) if self._answers else None
        self.asked.set()
        return None if answer is None else as_scripted(answer, request)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, owner: MessagesServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is no error here."""


class _HungUp(Exception):
    pass


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.server.owner.connections += 1

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            self._answer(body)
        except (_HungUp, BrokenPipeError, ConnectionResetError):
            self.close_connection = True
            self.server.owner.hung_up.set()

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""

    def _answer(self, body: bytes) -> None:
        request = json.loads(body)
        counting = self.path.endswith("/count_tokens")
        scripted = None if counting else self.server.owner.take(request)
        if scripted is None:
            reply = respond("POST", self.path, body)
            if reply.body is not None:
                self._send_json(reply.status, reply.body)
            else:
                self._send_events((b"".join(event) for event in reply.pieces()), self.server.owner.pause_s)
            return
        self._wait(scripted.thinks_s)
        if scripted.raises is not None:
            self.close_connection = True
        elif scripted.status != 200:
            self._send_json(scripted.status, scripted.error_body(), scripted.headers)
        elif request.get("stream"):
            self._send_events(scripted.events(request), scripted.pause_s or self.server.owner.pause_s)
        else:
            self._send_json(200, scripted.message(request))

    def _send_json(self, status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        content = json.dumps(body, ensure_ascii=False).encode()
        self._send_head(status, {"content-type": "application/json", "content-length": str(len(content))}, headers)
        self.wfile.write(content)

    def _send_events(self, framed: Iterable[bytes], pause_s: float) -> None:
        self._send_head(200, {"content-type": "text/event-stream; charset=utf-8", "transfer-encoding": "chunked"})
        try:
            for event in framed:
                for piece in sse.cut(event):
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                    self.wfile.flush()
                self._wait(pause_s)
        except (BrokenPipeError, ConnectionResetError, _HungUp):
            raise
        except Exception:
            # The script drops the network here: no last chunk, the connection just ends.
            self.close_connection = True
            return
        self.wfile.write(b"0\r\n\r\n")

    def _send_head(self, status: int, headers: dict[str, str], more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"request-id": "req_loopback", **headers, **(more or {})}.items():
            self.send_header(name, value)
        self.end_headers()

    def _wait(self, seconds: float) -> None:
        """Wait, and notice meanwhile when the client goes away."""
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            readable, _, _ = select.select([self.connection], [], [], max(0.0, left))
            if readable and self.connection.recv(1, socket.MSG_PEEK) == b"":
                raise _HungUp
            if readable or left <= 0:
                return
