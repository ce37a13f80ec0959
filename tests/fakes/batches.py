"""The service with Message Batches, under the real SDK: batches end when they are told to, as they are told to, and are
listed the newest first. What is not a batch is answered at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx2

from tests.fakes import wire
from tests.fakes.wire import Answer, FakeWire, as_scripted

NOT_THERE = {"type": "error", "error": {"type": "not_found_error", "message": "no"}}
COUNTS = ("succeeded", "errored", "canceled", "expired")


@dataclass
class Kept:
    requests: list[dict[str, Any]]
    created_at: datetime


class BatchWire(httpx2.BaseTransport):
    def __init__(self, answer: Callable[[wire.Request], Answer], *, now: datetime) -> None:
        # What direct requests are answered, and those of a batch unless a test says otherwise.
        self.answer, self.now = answer, now
        self.direct = FakeWire(otherwise=answer)
        self.batches: dict[str, Kept] = {}
        self.ended, self.ends_as = False, "succeeded"
        self.without_batches = self.without_list = False
        # What happens when a batch has been taken in, before its id goes out.
        self.on_arrival: Callable[[], httpx2.Response | None] = lambda: None

    @property
    def shapes(self) -> list[str]:
        """What each batch asked for, in order."""
        return [" ".join(sorted({shape(each["params"]) for each in kept.requests})) for kept in self.batches.values()]

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        path = request.url.path
        if "batches" not in path:
            return self.direct.handle_request(request)
        if self.without_batches:
            return httpx2.Response(404, json=NOT_THERE)
        if path.endswith("batches"):
            return self._take_in(request) if request.method == "POST" else self._list()
        name = path.split("/")[4]
        if path.endswith("/results"):
            lines = [{"custom_id": each["custom_id"], "result": self._result(each)} for each in self._of(name)]
            return httpx2.Response(200, content="\n".join(json.dumps(line) for line in lines).encode())
        return httpx2.Response(200, json=self._told(name))

    def _take_in(self, request: httpx2.Request) -> httpx2.Response:
        name = f"msgbatch_{len(self.batches) + 1}"
        self.batches[name] = Kept(json.loads(request.read())["requests"], self.now)
        return self.on_arrival() or httpx2.Response(200, json=self._told(name))

    def _list(self) -> httpx2.Response:
        if self.without_list:
            return httpx2.Response(404, json=NOT_THERE)
        data = [self._told(name) for name in reversed(self.batches)]
        return httpx2.Response(200, json={"data": data, "has_more": False, "first_id": None, "last_id": None})

    def _of(self, name: str) -> list[dict[str, Any]]:
        return self.batches[name].requests

    def _told(self, name: str) -> dict[str, Any]:
        size = len(self._of(name))
        counts = {count: size if self.ended and count == self.ends_as else 0 for count in COUNTS}
        return {
            "id": name,
            "created_at": self.batches[name].created_at.isoformat(),
            "processing_status": "ended" if self.ended else "in_progress",
            "request_counts": {**counts, "processing": 0 if self.ended else size},
            "results_url": f"/v1/messages/batches/{name}/results",
        }

    def _result(self, asked: dict[str, Any]) -> dict[str, Any]:
        if self.ends_as == "errored":
            return {"type": "errored", "error": wire.overloaded().error_body()}
        if self.ends_as != "succeeded":
            return {"type": self.ends_as}
        answer = as_scripted(self.answer, asked["params"])
        return {"type": "succeeded", "message": answer.message(asked["params"])}


def shape(request: wire.Request) -> str:
    """Which of a night's questions a request is."""
    (asked,) = request["output_config"]["format"]["schema"]["properties"]
    return str(asked)
