"""What a writer takes and gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from pydantic import BaseModel

from graph.models import Spent
from llm import Endpoint, Message, Reply
from qa.gates import Case, Draft, Finding

T = TypeVar("T", bound=BaseModel)


class Asker(Protocol):
    """What this room needs of `llm.ModelClient`."""

    @property
    def endpoint(self) -> Endpoint: ...

    async def ask(
        self,
        messages: Sequence[Message],
        schema: type[T],
        *,
        name: str = "reply",
        epoch: int = 1,
        parameters: Mapping[str, Any] | None = None,
        tag: str = "",
    ) -> Reply[T]: ...


@dataclass(frozen=True)
class Broken:
    """A reply that gave nothing to go on with. An `error` may be tried again, the others may not."""

    outcome: Literal["refused", "unparsed", "error"]
    detail: str


@dataclass(frozen=True)
class Written:
    """A draft, or why there is none, and what it took (seconds are counted by the caller)."""

    draft: Draft | None
    spent: Spent
    broken: Broken | None = None


class Writer(Protocol):
    """Writes questions; `backend` is "offline" or the name of an endpoint."""

    @property
    def backend(self) -> str: ...

    async def write(self, case: Case) -> Written: ...

    async def rewrite(self, case: Case, draft: Draft, reasons: Sequence[Finding]) -> Written | None:
        """Another draft that answers the reasons, or None where the writer has no other."""
        ...


def charge(spent: Spent, reply: Reply[Any]) -> Spent:
    """What was spent so far and on this reply. A reply from the cache costs nothing and is no call."""
    if reply.cached:
        return spent
    return Spent(
        calls=spent.calls + 1,
        tokens_in=spent.tokens_in + reply.usage.tokens_in,
        tokens_out=spent.tokens_out + reply.usage.tokens_out,
        cost=spent.cost + reply.cost,
        seconds=spent.seconds,
    )


def broken(reply: Reply[Any], what: str) -> Broken:
    """The outcome of a reply without a value."""
    outcome = "error" if reply.outcome == "ok" else reply.outcome
    return Broken(outcome, f"{what}: {reply.error or reply.text or reply.outcome}")
