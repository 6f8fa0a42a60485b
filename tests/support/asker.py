"""A stand-in for `llm.ModelClient` that answers from a script, without any server."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

from llm import Endpoint, Message, Reply, Usage

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Ask:
    """One request as it came: the form's name, the instructions, the payload and the later messages."""

    name: str
    instructions: str
    payload: dict[str, Any]
    later: tuple[str, ...]
    tag: str


@dataclass
class ScriptedAsker:
    """Answers each request with what `script` says: a dict that must fit the form, or an outcome's name.

    Every reply costs one unit of money, ten tokens in and five out, so that sums can be checked.
    """

    script: Callable[[Ask], Mapping[str, Any] | str]
    name: str = "scripted"
    asked: list[Ask] = field(default_factory=list)

    @property
    def endpoint(self) -> Endpoint:
        return Endpoint(name=self.name, base_url="http://127.0.0.1:1/v1", model="none")

    async def ask(
        self,
        messages: Sequence[Message],
        schema: type[T],
        *,
        name: str = "reply",
        epoch: int = 1,
        parameters: Mapping[str, Any] | None = None,
        tag: str = "",
    ) -> Reply[T]:
        ask = Ask(
            name=name,
            instructions=messages[0]["content"],
            payload=json.loads(messages[1]["content"]),
            later=tuple(message["content"] for message in messages[2:]),
            tag=tag,
        )
        self.asked.append(ask)
        said = self.script(ask)
        if isinstance(said, str):
            return _reply(None, said, f"scripted {said}", self.name)
        try:
            return _reply(schema.model_validate(said), "ok", None, self.name)
        except ValueError as error:  # what the real client calls a reply that does not fit
            return _reply(None, "unparsed", str(error), self.name)


def _reply(value: T | None, outcome: Any, error: str | None, name: str) -> Reply[T]:
    return Reply(
        value=value,
        outcome=outcome,
        text=value.model_dump_json() if value else "",
        error=error,
        usage=Usage(tokens_in=10, tokens_out=5),
        latency_s=0.1,
        wait_s=0.0,
        cost=1.0,
        cached=False,
        endpoint=name,
        model="none",
        prompt_sha256="0" * 64,
    )
