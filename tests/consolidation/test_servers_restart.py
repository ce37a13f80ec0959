"""PostgreSQL and Valkey, really stopped and started in the middle of a night."""

from __future__ import annotations

import json

import pytest

from tests.config.machine import Machine


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_night_during_which_the_servers_restart_at_each_step_ends_as_one_that_was_not_disturbed() -> None:
    machine = Machine()
    try:
        process = machine.start("-m", "tests.consolidation.restarting")
        output, _ = process.communicate(timeout=380)
    finally:
        machine.clear()
    assert process.returncode == 0, output[-3000:]
    told = json.loads(output.strip().splitlines()[-1])
    assert told["left"] == []
    assert told["turns"] >= 3
    assert told["disturbed"] == told["undisturbed"]
    assert told["disturbed"]["states"] == ["done", "done"]
    assert told["disturbed"]["unread"] == 0
    assert told["disturbed"]["memories"]
