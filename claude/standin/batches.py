"""Message Batches as the stand-in keeps them: answered at once, held by one process, gone with it."""

from __future__ import annotations

import json
import threading
from itertools import count
from typing import Any

from claude.standin.messages import Reply, problem, respond

BATCHES = "/v1/messages/batches"
_KEPT = 100
_WHEN = "2000-01-01T00:00:00Z"


class Batches:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._results: dict[str, list[dict[str, Any]]] = {}

    def respond(self, method: str, path: str, body: bytes) -> Reply:
        name, _, verb = path.removeprefix(BATCHES).strip("/").partition("/")
        if method == "POST" and not name:
            return self._create(json.loads(body)["requests"])
        if name not in self._results:
            return problem(404, "not_found_error", "There is no such batch.")
        if verb == "results":
            # As at the service, in no order to rely on.
            return Reply(200, lines=self._results[name][::-1])
        return Reply(200, body=self._described(name))

    def _create(self, requests: list[dict[str, Any]]) -> Reply:
        results = [{"custom_id": each["custom_id"], "result": _result(each["params"])} for each in requests]
        with self._lock:
            name = f"msgbatch_{next(self._numbers):06}"
            self._results[name] = results
            while len(self._results) > _KEPT:
                del self._results[next(iter(self._results))]
        return Reply(200, body=self._described(name))

    def _described(self, name: str) -> dict[str, Any]:
        kinds = [each["result"]["type"] for each in self._results[name]]
        counts = {kind: kinds.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")}
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended",
            "request_counts": {"processing": 0, **counts},
            "created_at": _WHEN,
            "ended_at": _WHEN,
            "expires_at": _WHEN,
            "results_url": f"{BATCHES}/{name}/results",
        }


def _result(params: dict[str, Any]) -> dict[str, Any]:
    reply = respond("POST", "/v1/messages", json.dumps({**params, "stream": False}).encode())
    if reply.status == 200:
        return {"type": "succeeded", "message": reply.body}
    return {"type": "errored", "error": reply.body}
