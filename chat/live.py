"""Which replies are being written at this moment, and which of them were asked to stop: short-lived keys in Valkey."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import cast

from django.conf import settings
from redis import Redis, RedisError

# A worker that lets this pass without a sign of life has died with its reply.
LEASE_S = 12


@cache
def valkey() -> Redis:
    return Redis.from_url(settings.REDIS_URL)


def lease_key(reply_id: int) -> str:
    return f"reply:{reply_id}:lease"


def stop_key(reply_id: int) -> str:
    return f"reply:{reply_id}:stop"


def take_lease(reply_id: int) -> None:
    valkey().set(lease_key(reply_id), 1, ex=LEASE_S)


def renew_leases(reply_ids: list[int]) -> None:
    with valkey().pipeline(transaction=False) as pipe:
        for reply_id in reply_ids:
            pipe.set(lease_key(reply_id), 1, ex=LEASE_S)
        pipe.execute()


def give_up_lease(reply_id: int) -> None:
    # Where Valkey is away, it runs out by itself.
    with suppress(RedisError):
        valkey().delete(lease_key(reply_id), stop_key(reply_id))


def has_lease(reply_id: int) -> bool:
    return bool(valkey().exists(lease_key(reply_id)))


def ask_to_stop(reply_id: int) -> None:
    valkey().set(stop_key(reply_id), 1, ex=settings.REPLY_STREAM_EXPIRES_S)


def asked_to_stop(reply_ids: list[int]) -> set[int]:
    answers = cast("list[bytes | None]", valkey().mget([stop_key(reply_id) for reply_id in reply_ids]))
    return {reply_id for reply_id, answer in zip(reply_ids, answers, strict=True) if answer is not None}
