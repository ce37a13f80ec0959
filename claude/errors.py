"""What can go wrong when the model is asked, each with a code and whether asking again may help.

A message here never carries a word of anyone's text: neither the request's nor the server's, which may quote it.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import anthropic
import httpx2


class ClaudeError(Exception):
    """The model did not answer, or not usefully."""

    code = "failed"
    retryable = False
    says = "The model did not answer."

    def __init__(self, *, request_id: str = "", status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(self.says)
        self.request_id = request_id
        # The HTTP status, where the server answered at all; a refused request costs nothing.
        self.status = status
        # Seconds the server asked to wait.
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (), self.__dict__)


class Overloaded(ClaudeError):
    code = "overloaded"
    retryable = True
    says = "The model's server is overloaded or failing."


class RateLimited(ClaudeError):
    code = "rate_limited"
    retryable = True
    says = "Too many requests in a short time."


class Unreachable(ClaudeError):
    code = "unreachable"
    retryable = True
    says = "The model's server cannot be reached."


class TimedOut(ClaudeError):
    code = "timed_out"
    retryable = True
    says = "The model took too long."


class Interrupted(ClaudeError):
    code = "interrupted"
    retryable = True
    says = "The answer broke off."


class BadKey(ClaudeError):
    code = "bad_key"
    says = "The key for the model's server is wrong or not allowed."


class NoCredit(ClaudeError):
    code = "no_credit"
    says = "The account with the model's server has no credit."


class BadRequest(ClaudeError):
    code = "bad_request"
    says = "The model's server did not accept the request."


class TooLong(ClaudeError):
    code = "too_long"
    says = "The request is too long for the model."


class Refused(ClaudeError):
    code = "refused"
    says = "The model declined to answer."


class Truncated(ClaudeError):
    code = "truncated"
    says = "The answer did not fit in the tokens it was given."


class Malformed(ClaudeError):
    code = "malformed"
    says = "The answer could not be read."


_BY_TYPE: dict[str, type[ClaudeError]] = {
    "authentication_error": BadKey,
    "permission_error": BadKey,
    "billing_error": NoCredit,
    "rate_limit_error": RateLimited,
    "timeout_error": TimedOut,
    "api_error": Overloaded,
    "overloaded_error": Overloaded,
    "conflict_error": Overloaded,
    "request_too_large": TooLong,
    "not_found_error": BadRequest,
}
_BY_STATUS: dict[int, type[ClaudeError]] = {
    401: BadKey,
    402: NoCredit,
    403: BadKey,
    408: TimedOut,
    409: Overloaded,
    413: TooLong,
    429: RateLimited,
    504: TimedOut,
}
# What reading a broken answer raises inside the SDK.
_UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, AssertionError, RuntimeError)


def from_sdk(problem: Exception) -> ClaudeError | None:
    """The named failure behind what the SDK raised; None for what is not the model's or the network's doing."""
    if isinstance(problem, ClaudeError):
        return problem
    if isinstance(problem, anthropic.APIStatusError):
        return _from_status(problem)
    if isinstance(problem, anthropic.APIConnectionError):
        return _from_network(problem.__cause__)
    if isinstance(problem, httpx2.TransportError):
        return _from_network(problem)
    # The answer was no JSON at all: most often cut off, or a proxy's own page.
    if isinstance(problem, (json.JSONDecodeError, UnicodeDecodeError, httpx2.DecodingError)):
        return Interrupted()
    if isinstance(problem, (anthropic.APIResponseValidationError, *_UNREADABLE)):
        return Malformed()
    if isinstance(problem, (anthropic.AnthropicError, httpx2.HTTPError, httpx2.InvalidURL)):
        return Unreachable()
    return None


def for_type(error_type: str | None) -> type[ClaudeError] | None:
    """By the protocol's own word for an error, where one is known."""
    return _BY_TYPE.get(error_type or "")


def named[T](call: Callable[[], T]) -> T | ClaudeError:
    """What the call gives, or the named failure: returned, so that when it is raised no exception of the SDK's, which
    quotes the server, hangs on to it."""
    try:
        return call()
    except Exception as raised:
        problem = from_sdk(raised)
        if problem is None:
            raise
    return problem


def _from_status(problem: anthropic.APIStatusError) -> ClaudeError:
    # An error in mid-stream arrives with status 200: its type says more than the status.
    kind = for_type(problem.type) or _BY_STATUS.get(problem.status_code)
    if kind is None:
        kind = Overloaded if problem.status_code >= 500 or problem.status_code < 400 else BadRequest
    if kind is BadRequest and _is_too_long(problem):
        kind = TooLong
    return kind(
        request_id=problem.request_id or "",
        status=problem.status_code,
        retry_after=_seconds(problem.response.headers.get("retry-after")),
    )


def _is_too_long(problem: anthropic.APIStatusError) -> bool:
    # No code of its own on the wire; worded so by the service and by the other servers that speak its protocol.
    message = (problem.api_message or "").lower()
    return any(sign in message for sign in ("prompt is too long", "context window", "context length", "context size"))


def _from_network(cause: BaseException | None) -> ClaudeError:
    if isinstance(cause, (httpx2.ConnectTimeout, httpx2.ConnectError, httpx2.PoolTimeout)):
        return Unreachable()
    if isinstance(cause, httpx2.TimeoutException):
        return TimedOut()
    if isinstance(cause, (httpx2.ReadError, httpx2.WriteError, httpx2.CloseError, httpx2.RemoteProtocolError)):
        return Interrupted()
    return Unreachable()


def _seconds(header: str | None) -> float | None:
    try:
        return max(0.0, float(header)) if header else None
    except ValueError:
        return None
