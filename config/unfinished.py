"""Tasks that a killed worker had taken and not finished. The broker gives them to another worker only after
`visibility_timeout`; where a worker is the only one of its name, as under `manage.py up`, they go back at once."""

from __future__ import annotations

import os
from typing import Any

VISIBILITY_TIMEOUT_S = 900


def transport_options(worker: str | None = None) -> dict[str, Any]:
    """What a named worker has taken is kept under its name."""
    worker = worker or os.environ.get("REVERIE_WORKER")
    options: dict[str, Any] = {"visibility_timeout": VISIBILITY_TIMEOUT_S}
    if worker:
        for key in ("unacked", "unacked_index", "unacked_mutex"):
            options[f"{key}_key"] = f"{key}:{worker}"
    return options


def give_back(worker: str) -> None:
    """Put back on their queues what this worker, which does not run now, had taken."""
    from config.celery import app

    # A broker that is away is told of at once: whoever asks has other things to look after meanwhile.
    options = {**transport_options(worker), "visibility_timeout": 0, "max_retries": 0}
    with app.connection_for_write(transport_options=options) as connection:
        channel: Any = connection.default_channel
        with channel.conn_or_acquire() as client:
            # Held by whoever was killed.
            client.delete(options["unacked_mutex_key"])
        channel.qos.restore_visible(num=10_000)
