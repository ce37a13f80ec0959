"""Playing a file sends no task to the workers, and afterwards tasks are sent again."""

from __future__ import annotations

import pytest

from chat.live import valkey
from config.celery import Queues
from evals.replay import without_worker
from memories.tasks import embed_pending


@pytest.mark.parametrize("sent_before", [True, False])
def test_tasks_go_nowhere_while_a_file_is_played_and_to_the_broker_afterwards(sent_before: bool) -> None:
    if sent_before:
        embed_pending.delay(person_id=1)
    with without_worker():
        embed_pending.delay(person_id=2)
        assert valkey().llen(Queues.EMBEDDINGS) == int(sent_before)
    embed_pending.delay(person_id=3)
    assert valkey().llen(Queues.EMBEDDINGS) == int(sent_before) + 1
