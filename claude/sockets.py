"""Ending a call from another thread. Closing a socket does not wake the thread that waits for its bytes; shutting it
down does, so the socket that a call waits on is known to whoever may have to stop it."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Iterator
from contextvars import ContextVar

import httpcore2
import httpx2


class Abort:
    """A request to end one call, possible before it began, while it waits and while it streams."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        self._lock = threading.Lock()
        self._stream: _Stream | None = None

    @property
    def asked(self) -> bool:
        return self._asked.is_set()

    def ask(self) -> None:
        self._asked.set()
        if (stream := self._let_go()) and (held := stream.socket):
            with contextlib.suppress(OSError):
                # The plain socket's, also under TLS: the reading thread still holds the TLS layer.
                socket.socket.shutdown(held, socket.SHUT_RDWR)

    def wait(self, seconds: float) -> bool:
        return self._asked.wait(seconds)

    def release(self) -> None:
        """The call is over: its socket may serve another one from now on."""
        self._let_go()

    def hold(self, stream: _Stream) -> None:
        with self._lock:
            self._stream = stream
        if self.asked:
            self.ask()
            raise httpcore2.ReadError

    def read_every(self, seconds: float) -> None:
        """Read no more often than this: a read costs the same for one token as for all that have come meanwhile."""
        with self._lock:
            if self._stream is not None:
                self._stream.read_every_s = seconds

    def _let_go(self) -> _Stream | None:
        with self._lock:
            stream, self._stream = self._stream, None
        if stream is not None:
            stream.read_every_s = 0
        return stream

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Sockets used by this thread meanwhile are the call's."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)


_current: ContextVar[Abort | None] = ContextVar("abort", default=None)


def make_abortable(client: httpx2.Client) -> httpx2.Client:
    """Let a client's connections tell the current `Abort` which socket they use; environment proxies included."""
    for transport in (client._transport, *client._mounts.values()):
        pool = getattr(transport, "_pool", None)
        if isinstance(pool, httpcore2.ConnectionPool):
            pool._network_backend = _Backend(pool._network_backend)
    return client


class _Backend(httpcore2.NetworkBackend):
    def __init__(self, inner: httpcore2.NetworkBackend) -> None:
        self._inner = inner

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        return _Stream(self._inner.connect_tcp(host, port, timeout, local_address, socket_options))

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        return _Stream(self._inner.connect_unix_socket(path, timeout, socket_options))

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)


class _Stream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner
        self._read_at = 0.0
        self.read_every_s = 0.0

    @property
    def socket(self) -> socket.socket | None:
        held: socket.socket | None = self._inner.get_extra_info("socket")
        return held

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._tell()
        if self.read_every_s:
            time.sleep(max(0.0, self._read_at + self.read_every_s - time.monotonic()))
        self._read_at = time.monotonic()
        return self._inner.read(max_bytes, timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._tell()
        self._inner.write(buffer, timeout)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)

    def _tell(self) -> None:
        abort = _current.get()
        if abort is not None:
            abort.hold(self)
