"""What goes to a model and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypedDict, TypeVar

T = TypeVar("T")

ReplyOutcome = Literal["ok", "refused", "unparsed", "error"]


class Message(TypedDict):
    """One turn of the conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Usage:
    """Tokens as the endpoint counts them; `cached` is part of `tokens_in`, `reasoning` of `tokens_out`."""

    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    tokens_reasoning: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.tokens_in + other.tokens_in,
            self.tokens_cached + other.tokens_cached,
            self.tokens_out + other.tokens_out,
            self.tokens_reasoning + other.tokens_reasoning,
        )


@dataclass(frozen=True)
class Reply(Generic[T]):
    """One reply.

    `value` is there exactly when `outcome` is "ok". `latency_s` is the time the endpoint took,
    `wait_s` the time spent waiting for a slot or backing off. A reply from the cache has `cached`
    set, keeps the usage it was bought with, and costs nothing now.
    """

    value: T | None
    outcome: ReplyOutcome
    text: str
    error: str | None
    usage: Usage
    latency_s: float
    wait_s: float
    cost: float
    cached: bool
    endpoint: str
    model: str
    prompt_sha256: str
