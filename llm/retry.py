"""When a call is tried again, and after how long.

One layer only: the SDK's own retries are off. A failure is one of three things:
`Fatal` (the job must stop: wrong key, no such model, quota spent), `Again` (worth another try) or
`Final` (this call cannot work: recorded as an error, the job goes on).
"""

from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import openai

BASE_S = 0.5
CAP_S = 60.0
QUOTA_CODES = {"insufficient_quota", "billing_hard_limit_reached", "quota_exceeded"}


@dataclass(frozen=True)
class Fatal:
    """The endpoint cannot be used at all."""

    reason: str


@dataclass(frozen=True)
class Again:
    """Try again, not before `after_s` (what the server asked for, None where it did not)."""

    reason: str
    after_s: float | None = None
    throttled: bool = False  # a 429, or a 503 with Retry-After: fewer calls at once


@dataclass(frozen=True)
class Final:
    """This call cannot work; `structure` says that the endpoint refused the response format."""

    reason: str
    structure: bool = False


Verdict = Fatal | Again | Final


class EmptyReply(Exception):
    """A 200 without a completion in it: `choices` missing, or a body that is no completion."""


def judge(error: Exception) -> Verdict:
    """What to do about an error of one call. Errors are those observed of openai 3 (LIBRARIES)."""
    if isinstance(error, openai.APITimeoutError):
        return Again("timed out")
    if isinstance(error, openai.APIConnectionError):
        return Again(f"connection failed: {error.__cause__ or error}")
    if isinstance(error, openai.APIStatusError):
        return _judge_status(error)
    if isinstance(error, EmptyReply | json.JSONDecodeError):
        return Again(f"the endpoint answered 200 without a completion: {error}")
    if isinstance(error, openai.APIError):
        return Again(f"error inside the reply: {error.message}")
    return Final(f"{type(error).__name__}: {error}")


def _judge_status(error: openai.APIStatusError) -> Verdict:
    status = error.status_code
    code = str(error.code or "")
    reason = f"HTTP {status}: {_message(error)}"
    if status in (401, 403, 404):
        return Fatal(reason)
    if status == 429 and (code in QUOTA_CODES or error.type in QUOTA_CODES):
        return Fatal(f"quota exhausted: {reason}")
    if status == 429 or status >= 500 or status in (408, 409, 425):
        after = retry_after(error.response.headers.get("retry-after"))
        return Again(reason, after, throttled=status == 429 or (status == 503 and after is not None))
    text = _message(error).lower()
    return Final(reason, structure="response_format" in text or "json_schema" in text or "schema" in text)


def _message(error: openai.APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict) and isinstance(body.get("message"), str):
        return str(body["message"])
    return error.message


def retry_after(header: str | None, now: float | None = None) -> float | None:
    """Seconds of a Retry-After header: a number, or an HTTP date (RFC 9110, 10.2.3)."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(header)
    except (ValueError, TypeError):
        return None
    return max(0.0, date.timestamp() - (time.time() if now is None else now))


def backoff_s(attempt: int, after_s: float | None, rng: random.Random | None = None) -> float:
    """Seconds to wait before attempt `attempt` + 1 (from 1): full jitter, never before Retry-After."""
    ceiling = min(CAP_S, BASE_S * 2 ** (attempt - 1))
    jitter = (rng or random).uniform(0.0, ceiling)
    return jitter if after_s is None else after_s + jitter * 0.25
