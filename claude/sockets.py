"""Ending a call from another thread. Closing a socket does not wake the thread that waits for its bytes; shutting it
down does, so the socket that a call waits on is known to whoever may have to stop it."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterable, Iterator
from contextvars import ContextVar

import httpcore2
import httpx2


class Abort:
    """A request to end one call, possible before it began, while it waits and while it streams."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None

    @property
    def asked(self) -> bool:
        return self._asked.is_set()

    def ask(self) -> None:
        self._asked.set()
        with self._lock:
            held, self._socket = self._socket, None
        if held is not None:
            with contextlib.suppress(OSError):
                # The plain socket's, also under TLS: the reading thread still holds the TLS layer.
                socket.socket.shutdown(held, socket.SHUT_RDWR)

    def wait(self, seconds: float) -> bool:
        return self._asked.wait(seconds)

    def release(self) -> None:
        """The call is over: its socket may serve another one from now on."""
        with self._lock:
            self._socket = None

    def hold(self, held: socket.socket | None) -> None:
        with self._lock:
            self._socket = held
        if self.asked:
            self.ask()
            raise httpcore2.ReadError

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

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._tell()
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
            abort.hold(self._inner.get_extra_info("socket"))
