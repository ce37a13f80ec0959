"""One streaming call: text as it comes, an end from any thread, and a ledger row whatever happens."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import anthropic

from claude.connection import STREAM_TIMEOUT, connection
from claude.errors import ClaudeError, Interrupted, Malformed, from_sdk
from claude.heard import Heard
from claude.ledger import ABORTED, Booking
from claude.response import Response, failure_in, sendable
from claude.retries import pause
from claude.sockets import Abort
from claude.tokens import estimate_tokens
from claude.usage import Usage

# As often as eyes could follow. The first words are read as they come, and so is the end.
READ_EVERY_S = 0.05


class ModelStream:
    """Iterate over it once for the visible text. Afterwards `response` holds the whole of it, or `aborted` is set.

    The request goes out with the first iteration. It is sent again after a failure that may pass, as long as nothing
    of an answer has come; a failure in mid-stream is raised.
    """

    def __init__(self, request: dict[str, Any], booking: Booking) -> None:
        self._request = request
        self._booking = booking
        self._abort = Abort()
        self._iterator = self._attempts()
        self._response: Response | None = None
        self._open = False  # a call is out and not booked yet
        self._heard = Heard()
        self._request_id = ""
        self._written: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return self._iterator

    @property
    def text(self) -> str:
        """What has been written so far, also of an answer that broke off."""
        return "".join(self._written)

    @property
    def aborted(self) -> bool:
        return self._abort.asked

    @property
    def response(self) -> Response:
        if self._response is None:
            raise RuntimeError("There is no whole response: the stream was not read to its end.")
        return self._response

    def close(self) -> None:
        """End the call upstream at once, from this or any other thread; the iteration then just ends."""
        if self._response is None:
            self._abort.ask()

    def leave(self) -> None:
        """The caller is done with it, wherever it stood."""
        if self._open:
            self._abort.ask()
        self._iterator.close()
        self._book_abort()

    def _attempts(self) -> Generator[str]:
        failed = 0
        while not self._abort.asked:
            self._booking = self._booking.again()
            self._open, self._heard, self._request_id = True, Heard(), ""
            problem: ClaudeError | None = None
            try:
                yield from self._read()
                problem = self._finish()
            except Exception as raised:
                problem = from_sdk(raised)
                if problem is None and not self._abort.asked:
                    raise
            finally:
                self._abort.release()
            # Raised from here so that no exception of the SDK's, which quotes the server, hangs on to ours.
            if self._abort.asked and self._response is None:
                self._book_abort()
                return
            if problem is None:
                return
            failed += 1
            self._book_failure(problem)
            wait = pause(problem, failed=failed, retries=connection().retries) if not self._heard.begun else None
            if wait is None:
                raise problem
            self._abort.wait(wait)

    def _read(self) -> Iterator[str]:
        with ExitStack() as stack:
            with self._abort.watching():
                opened = stack.enter_context(self._send())
            self._request_id = opened.response.headers.get("request-id") or ""
            for event in opened:
                if self._abort.asked:
                    return
                if text := self._heard.hear(event):
                    if not self._written:
                        self._abort.read_every(READ_EVERY_S)
                    self._written.append(text)
                    yield text
                elif self._heard.stop_reason:
                    self._abort.read_every(0)

    def _send(self) -> anthropic.Stream[object]:
        return connection().sdk.post(
            "/v1/messages",
            body={**self._request, "stream": True},
            options={"timeout": STREAM_TIMEOUT},
            # The events as they are (claude/heard.py).
            cast_to=object,
            stream=True,
            stream_cls=anthropic.Stream[object],
        )

    def _finish(self) -> ClaudeError | None:
        heard = self._heard
        if not heard.begun:
            return Interrupted()
        if problem := failure_in(heard.stop_reason):
            return problem
        if heard.unreadable and heard.stop_reason != "max_tokens":
            return Malformed()
        self._response = Response(
            blocks=sendable(heard.blocks),
            stop_reason=heard.stop_reason,
            usage=heard.usage,
            cost=self._booking.cost(heard.usage),
            model=self._booking.model,
        )
        self._open = False
        self._booking.book(heard.usage, stop_reason=heard.stop_reason, request_id=self._request_id)
        return None

    def _book_failure(self, problem: ClaudeError) -> None:
        if self._open:
            self._open = False
            problem.request_id = problem.request_id or self._request_id
            self._booking.book_failure(problem, self._usage_so_far(), stop_reason=self._heard.stop_reason)

    def _book_abort(self) -> None:
        if self._open:
            self._open = False
            usage = self._usage_so_far() or Usage()
            self._booking.book(usage, error=ABORTED, request_id=self._request_id)

    def _usage_so_far(self) -> Usage | None:
        """The server counts the tokens it wrote only at the end; until then, what was read gives the least."""
        if not self._heard.begun:
            return None
        usage = self._heard.usage
        return replace(usage, tokens_out=max(usage.tokens_out, estimate_tokens(self.text)))
