"""Every address of the project, as the URLconf knows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver

# Not ours to test: they bring their own tests and their own checks of who is asking.
FOREIGN = {"admin", "account"}


@dataclass(frozen=True)
class Address:
    name: str
    parameters: frozenset[str]


def addresses() -> Iterator[Address]:
    yield from _walk(get_resolver().url_patterns, "", frozenset())


def _walk(patterns: list[URLPattern | URLResolver], space: str, parameters: frozenset[str]) -> Iterator[Address]:
    for pattern in patterns:
        named = parameters | pattern.pattern.converters.keys()
        if isinstance(pattern, URLResolver):
            if pattern.namespace not in FOREIGN and "allauth" not in str(pattern.urlconf_name):
                yield from _walk(pattern.url_patterns, f"{pattern.namespace}:" if pattern.namespace else space, named)
        elif pattern.name and not pattern.name.startswith("account_"):
            yield Address(f"{space}{pattern.name}", frozenset(named))
