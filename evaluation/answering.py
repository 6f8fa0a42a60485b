"""Answerers: the extractive baseline, and models through the one client.

An answerer turns a question and its context into a `Given`. What went wrong is an outcome of its
own, never a wrong answer; only `ModelError` (the endpoint cannot be used at all) is raised.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from pydantic import BaseModel

from evaluation import baseline, prompts
from evaluation.conditions import Context
from graph.models import EvaluationItem
from llm import Message, ModelClient, Usage
from llm.structured import Unreadable, strip_thinking


@dataclass(frozen=True)
class Given:
    """What an answerer gave for one question. `text` counts only where `outcome` is "ok"."""

    outcome: Literal["ok", "refused", "unparsed", "error"]
    text: str = ""
    raw: str = ""
    error: str | None = None
    latency_s: float = 0.0
    usage: Usage = field(default_factory=Usage)
    cost: float = 0.0
    prompt_sha256: str | None = None


class Answerer(Protocol):
    """Something that answers. `fingerprint` names all that decides its answers."""

    name: str
    model: str
    fingerprint: str
    workers: int

    async def answer(self, item: EvaluationItem, context: Context, epoch: int) -> Given:
        """Answer the item's question with this context and nothing else."""
        ...


class BaselineAnswerer:
    """The extractive baseline. It refuses in closed book: it has nothing to extract from."""

    name = baseline.NAME
    model = baseline.LABEL
    fingerprint = baseline.VERSION
    workers = 1

    async def answer(self, item: EvaluationItem, context: Context, epoch: int) -> Given:
        """A span of the context; the same in every epoch."""
        await asyncio.sleep(0)  # others get their turn: this one never waits
        started = time.perf_counter()
        text = baseline.answer(item.question.text, context)
        latency = time.perf_counter() - started
        if text is None:
            why = "nothing in the context to choose" if context.passages else "no context to extract from"
            return Given("refused", error=f"the extractive baseline refuses: {why}", latency_s=latency)
        return Given("ok", text, text, latency_s=latency)


class ShortAnswer(BaseModel):
    """The reply a model is asked for."""

    answer: str


class ModelAnswerer:
    """A model behind an endpoint, asked with our prompts.

    Args:
        client: of the endpoint; opened and closed by the caller.
        parameters: on top of the endpoint's own, such as the temperature.
    """

    def __init__(self, client: ModelClient, parameters: Mapping[str, Any]) -> None:
        endpoint = client.endpoint
        self._client, self._parameters = client, dict(parameters)
        self.name, self.model = endpoint.name, endpoint.model
        self.workers = endpoint.max_concurrency
        self.fingerprint = json.dumps(
            [
                endpoint.base_url,
                endpoint.model,
                {**endpoint.parameters, **self._parameters},
                prompts.sha256(),
                ShortAnswer.model_json_schema(),
            ],
            sort_keys=True,
        )

    async def answer(self, item: EvaluationItem, context: Context, epoch: int) -> Given:
        """Ask the model once.

        Raises:
            ModelError: the endpoint cannot be used at all.
        """
        reply = await self._client.ask(
            messages(item.question.text, context),
            ShortAnswer,
            name="short_answer",
            epoch=epoch,
            parameters=self._parameters or None,
        )
        given = Given(
            reply.outcome,
            raw=reply.text,
            error=reply.error,
            latency_s=reply.latency_s,
            usage=reply.usage,
            cost=reply.cost,
            prompt_sha256=reply.prompt_sha256,
        )
        if reply.value is None:
            return given
        try:
            text = strip_thinking(reply.value.answer).strip()
        except Unreadable as error:
            return replace(given, outcome="unparsed", error=str(error))
        if not text:
            return replace(given, outcome="refused", error="the model gave an empty answer")
        return replace(given, text=text)


def messages(question: str, context: Context) -> list[Message]:
    """The conversation for one question."""
    template = {"none": "closed_book", "passages": "passages", "graph": "graph"}[context.kind]
    user = prompts.fill(template, {"question": question, "context": context.text})
    return [{"role": "system", "content": prompts.text("system")}, {"role": "user", "content": user}]
