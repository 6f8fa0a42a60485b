"""Model calls: ours (schema, retries, limits, cache) against the bare SDK on one scripted server.

The server answers at once, so this is the cost of the client itself; and with a fixed latency, how
close the client comes to latency x calls / concurrency once its slow start is over.
"""

from __future__ import annotations

import asyncio
import time

import httpx2
import openai
from pydantic import BaseModel

from benchmarks.ratio import Ratio
from llm import Endpoint, Message, ModelClient
from tests.support.model_server import completion, scripted_server


class Answer(BaseModel):
    answer: str


CALLS = 400
LATENCY_S = 0.5
SLOTS = 8


def conversation(number: int) -> list[Message]:
    return [{"role": "user", "content": f"question {number}"}]


async def bare(base_url: str) -> float:
    """Calls a second of AsyncOpenAI with the same schema, 8 at once."""
    async with openai.AsyncOpenAI(
        base_url=base_url, api_key="none", max_retries=0, http_client=httpx2.AsyncClient(trust_env=False)
    ) as client:
        gate = asyncio.Semaphore(SLOTS)

        async def one(number: int) -> None:
            async with gate:
                reply = await client.chat.completions.parse(
                    model="m",
                    messages=[{"role": "user", "content": f"question {number}"}],
                    response_format=Answer,
                )
                assert reply.choices[0].message.parsed is not None

        start = time.perf_counter()
        await asyncio.gather(*(one(number) for number in range(CALLS)))
        return CALLS / (time.perf_counter() - start)


async def ours(base_url: str, calls: int, first: int = 0) -> float:
    """Calls a second of ModelClient, 8 at once, after the slow start."""
    endpoint = Endpoint(name="bench", base_url=base_url, model="m", max_concurrency=SLOTS)
    async with ModelClient(endpoint) as client:
        warm = [client.ask(conversation(-1 - number - first), Answer) for number in range(4 * SLOTS)]
        await asyncio.gather(*warm)
        start = time.perf_counter()
        replies = await asyncio.gather(*(client.ask(conversation(number), Answer) for number in range(calls)))
        assert all(reply.outcome == "ok" for reply in replies)
        return calls / (time.perf_counter() - start)


def run() -> list[Ratio]:
    """The two ratios."""
    with scripted_server(completion('{"answer": "CO2"}')) as server:
        asyncio.run(bare(server.base_url))  # imports and connections of both are warm
        peer = asyncio.run(bare(server.base_url))
        mine = asyncio.run(ours(server.base_url, CALLS))
    overhead = Ratio("model calls without latency", mine, peer, "openai's own parse()", "calls/s", 0.9)
    calls = 20 * SLOTS
    with scripted_server(completion('{"answer": "CO2"}', delay_s=LATENCY_S)) as server:
        mine = asyncio.run(ours(server.base_url, calls))
    limit = SLOTS / LATENCY_S
    return [
        overhead,
        Ratio("model calls at 0.5 s latency", mine, limit, "slots / latency", "calls/s", 1 / 1.15),
    ]
