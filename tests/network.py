"""No test reaches another machine: only sockets of this one, by address, can be connected."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any


class NetworkIsOff(OSError):
    pass


def switch_off() -> None:
    for name in ("connect", "connect_ex"):
        setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))
    real_getaddrinfo = socket.getaddrinfo

    def getaddrinfo(host: Any, *rest: Any, **more: Any) -> Any:
        _refuse_unless_here(host)
        return real_getaddrinfo(host, *rest, **more)

    socket.getaddrinfo = getaddrinfo


def _guarded(real: Any) -> Any:
    def connect(self: socket.socket, address: Any) -> Any:
        if self.family in {socket.AF_INET, socket.AF_INET6}:
            _refuse_unless_here(address[0])
        return real(self, address)

    return connect


def _refuse_unless_here(host: Any) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if name in {None, "", "localhost"}:
        return
    try:
        here = ipaddress.ip_address(name).is_loopback or ipaddress.ip_address(name).is_unspecified
    except ValueError:
        here = False
    if not here:
        raise NetworkIsOff(f"A test wanted to reach {name!r}; the network is off in tests.")
