"""How fast a reply begins, and what many at once take: real processes, real sockets, a model that answers at once."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import ssl
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2

from claude.standin import sse

WORDS = "A sentence of **some** words, 也有中文, to be rendered. "
# Of Valkey's sixteen databases the one that nothing else here uses.
VALKEY_DATABASE = 15
# One for all who ask, and without the world's certificates: to read those for each of fifty takes a second of the cores
# that are measured, and nothing here speaks TLS.
_NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass(frozen=True)
class Heard:
    """One reply as its page heard it."""

    reply_id: int
    first_s: float
    parts: int
    shown: str
    row: str


class Model(ThreadingHTTPServer):
    """Speaks the Messages protocol: `paragraphs` paragraphs, with a pause between two events."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self) -> None:
        self.paragraphs, self.pause_s = 1, 0.0
        super().__init__(("127.0.0.1", 0), _Answer)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Model

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        words = "\n\n".join([WORDS * 2] * self.server.paragraphs)
        message = {
            "id": "msg_1", "type": "message", "role": "assistant", "model": asked["model"],
            "content": [{"type": "text", "text": words}], "stop_reason": "end_turn", "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }  # fmt: skip
        streamed = bool(asked.get("stream"))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if streamed else "application/json")
        if not streamed:
            body = json.dumps(message).encode()
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for name, data in sse.events(message):
            framed = sse.frame(name, data)
            self.wfile.write(f"{len(framed):x}\r\n".encode() + framed + b"\r\n")
            self.wfile.flush()
            time.sleep(self.server.pause_s)
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def processes(model: Model, redis_url: str) -> Iterator[tuple[str, dict[str, int]]]:
    """The web and a worker of replies beside whatever else runs here. Yields the address and the process numbers."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=256)
    environment = os.environ | {
        "REDIS_URL": redis_url,
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "none",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONWARNINGS": "ignore",
        "LOG_LEVEL": "WARNING",
    }
    worker = [
        sys.executable, "-m", "celery", "-A", "config", "--quiet", "worker", "--queues=replies", "--pool=threads",
        "--concurrency=64", "--hostname=bench@%h", "--without-gossip", "--without-mingle", "--loglevel=warning",
    ]  # fmt: skip
    started = {
        "web": subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "config.web", "--fd", str(listening.fileno())],
            env=environment | {"DATABASE_POOL": "24"},
            pass_fds=(listening.fileno(),),
            stderr=subprocess.DEVNULL,
        ),
        "worker": subprocess.Popen(  # noqa: S603
            worker, env=environment | {"DATABASE_POOL": "68"}, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        ),
    }
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", {name: one.pid for name, one in started.items()}
    finally:
        for one in started.values():
            one.terminate()
        for one in started.values():
            try:
                one.wait(10)
            except subprocess.TimeoutExpired:
                one.kill()
        listening.close()


async def ask(url: str, session: str, cookie_name: str, words: str) -> Heard:
    """Post a new conversation as the page does, and follow its reply to the end."""
    token = "b" * 32
    cookies = {cookie_name: session, "csrftoken": token}
    headers = {"X-CSRFToken": token, "Referer": url}
    async with httpx2.AsyncClient(
        base_url=url, cookies=cookies, timeout=60, trust_env=False, verify=_NO_CERTIFICATES
    ) as browser:
        began = time.perf_counter()
        sent = await browser.post("/chats/send/", data={"text": words, "key": os.urandom(8).hex()}, headers=headers)
        found = re.search(r"#message-(\d+)$", sent.headers.get("location", ""))
        if found is None:
            raise RuntimeError(f"The message was not taken: {sent.status_code}.")
        return await _follow(browser, int(found[1]), began)


async def _follow(browser: httpx2.AsyncClient, reply_id: int, began: float) -> Heard:
    first, parts, name = 0.0, 0, ""
    blocks: list[str] = []
    async with browser.stream("GET", f"/replies/{reply_id}/stream/") as response:
        async for line in response.aiter_lines():
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                data = json.loads(line[6:])
                first = first or time.perf_counter() - began
                if name == "end":
                    return Heard(reply_id, first, parts, "".join(blocks), data["html"])
                parts += 1
                opening = '<div class="block">'
                blocks = [*blocks[: data["kept"]], *[opening + block for block in data["html"].split(opening)[1:]]]
    raise RuntimeError(f"Reply {reply_id} never ended.")


async def ask_all(url: str, sessions: list[str], cookie_name: str) -> list[Heard]:
    return await asyncio.gather(*(ask(url, session, cookie_name, "Hello there") for session in sessions))


def percentiles(values: list[float]) -> tuple[float, float]:
    """p50 and p95, in milliseconds."""
    ordered = sorted(values)
    return statistics.median(ordered) * 1000, ordered[max(0, -(-len(ordered) * 95 // 100) - 1)] * 1000


def memory_mb(pid: int) -> float:
    """What is resident, shared pages counted in part."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return float("nan")
    return int(re.search(r"^Pss:\s+(\d+)", rollup, re.MULTILINE)[1]) / 1024  # type: ignore[index]


def cpu_s(pid: int) -> float:
    """What a process has computed so far. On a machine with other work to do this says more than time does."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
