"""The client against a scripted server over real HTTP: every fault that servers show."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic import BaseModel

from errors import ModelError
from llm import Endpoint, Message, ModelClient, Prices, Reply, ReplyCache
from llm.endpoints import StructuredMode
from tests.support.model_server import Scripted, Turn, completion, failure, raw, scripted_server


class Answer(BaseModel):
    answer: str


GOOD = completion('{"answer": "CO2"}')
QUESTION: list[Message] = [
    {"role": "system", "content": "Answer."},
    {"role": "user", "content": "What is it?"},
]


def endpoint(server: Scripted, *, structured: StructuredMode = "auto", attempts: int = 3) -> Endpoint:
    return Endpoint(
        name="scripted",
        base_url=server.base_url,
        model="m",
        structured=structured,
        max_attempts=attempts,
        timeout_s=1.0,
        prices=Prices(input=1.0, cached=0.5, output=4.0),
    )


async def ask_once(
    turns: Sequence[Turn] | Turn, *, structured: StructuredMode = "auto", attempts: int = 3
) -> tuple[Reply[Answer], Scripted]:
    with scripted_server(turns) as server:
        async with ModelClient(endpoint(server, structured=structured, attempts=attempts)) as client:
            return await client.ask(QUESTION, Answer), server


async def test_a_good_reply_has_value_usage_and_cost() -> None:
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "total_tokens": 1100,
        "prompt_tokens_details": {"cached_tokens": 400},
        "completion_tokens_details": {"reasoning_tokens": 60},
    }
    reply, server = await ask_once(completion('{"answer": "CO2"}', usage=usage))
    assert reply.value == Answer(answer="CO2")
    assert (reply.usage.tokens_in, reply.usage.tokens_cached) == (1000, 400)
    assert (reply.usage.tokens_out, reply.usage.tokens_reasoning) == (100, 60)
    # 600 fresh at 1.0, 400 cached at 0.5, 100 out at 4.0, all per million tokens
    assert reply.cost == pytest.approx(0.0012)
    asked = server.requests[0]
    assert asked["response_format"]["json_schema"]["strict"] is True
    assert asked["response_format"]["json_schema"]["schema"]["additionalProperties"] is False


async def test_429_waits_for_retry_after_then_goes_on() -> None:
    reply, server = await ask_once([failure(429, headers={"retry-after": "1"}), GOOD])
    assert reply.outcome == "ok"
    assert server.times[1] - server.times[0] >= 1.0
    assert reply.wait_s >= 1.0
    assert reply.latency_s < 1.0


@pytest.mark.parametrize(
    "fault",
    [
        failure(500),
        failure(503),
        raw("<html>busy</html>", content_type="text/html"),
        raw("{not json"),
        raw("{}"),
        raw('{"error": {"message": "overloaded"}}'),
        completion('{"answer": "late"}', delay_s=1.5),
    ],
    ids=["500", "503", "html", "broken json", "empty object", "error with 200", "time-out"],
)
async def test_a_passing_fault_is_tried_again(fault: Turn) -> None:
    reply, server = await ask_once([fault, GOOD])
    assert reply.value == Answer(answer="CO2")
    assert len(server.requests) == 2


async def test_a_lasting_fault_is_an_error_not_a_wrong_answer() -> None:
    reply, server = await ask_once(failure(500, message="boom"))
    assert (reply.outcome, reply.value) == ("error", None)
    assert "3 attempts" in str(reply.error)
    assert "boom" in str(reply.error)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "turn",
    [failure(401), failure(403), failure(404), failure(429, code="insufficient_quota")],
    ids=["401", "403", "404", "quota"],
)
async def test_what_no_retry_can_mend_stops_the_job_at_once(turn: Turn) -> None:
    with scripted_server(turn) as server:
        async with ModelClient(endpoint(server)) as client:
            with pytest.raises(ModelError, match="endpoint scripted"):
                await client.ask(QUESTION, Answer)
    assert len(server.requests) == 1


async def test_a_refusal_is_its_own_outcome() -> None:
    reply, server = await ask_once(completion(None, refusal="I must not."))
    assert (reply.outcome, reply.text) == ("refused", "I must not.")
    assert len(server.requests) == 1


async def test_a_reply_off_the_schema_gets_one_repair_round() -> None:
    reply, server = await ask_once([completion("It is carbon dioxide."), GOOD])
    assert reply.value == Answer(answer="CO2")
    repair = server.requests[1]["messages"]
    assert [turn["role"] for turn in repair] == ["system", "user", "assistant", "user"]
    assert "no JSON object" in repair[-1]["content"]
    assert reply.usage.tokens_in == 20  # both rounds are paid


async def test_after_the_repair_round_it_is_unparsed() -> None:
    reply, server = await ask_once(completion("It is carbon dioxide."))
    assert (reply.outcome, reply.value) == ("unparsed", None)
    assert len(server.requests) == 2


async def test_a_reply_cut_at_the_token_limit_is_not_asked_again() -> None:
    reply, server = await ask_once(completion('{"answer": "CO', finish="length"))
    assert reply.outcome == "unparsed"
    assert "token limit" in str(reply.error)
    assert len(server.requests) == 1


async def test_structure_steps_down_where_the_endpoint_refuses_it() -> None:
    def pick(request: object) -> str:
        form = dict(request).get("response_format", {}).get("type", "text")  # type: ignore[call-overload]
        return str(form)

    def turn(request):  # type: ignore[no-untyped-def]
        if pick(request) != "text":
            return failure(400, message=f"response_format {pick(request)} is not supported")(request)
        return GOOD(request)

    reply, server = await ask_once(turn)
    assert reply.value == Answer(answer="CO2")
    assert [pick(request) for request in server.requests] == ["json_schema", "json_object", "text"]
    assert "JSON schema" in server.requests[-1]["messages"][-1]["content"]


async def test_another_bad_request_is_an_error_at_once() -> None:
    reply, server = await ask_once(failure(400, message="context length exceeded"))
    assert reply.outcome == "error"
    assert "context length" in str(reply.error)
    assert len(server.requests) == 1


async def test_only_validated_replies_are_cached_and_a_tag_forgets_them(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies.db")
    bad = completion("no")
    with scripted_server([bad, bad, GOOD]) as server:
        async with ModelClient(endpoint(server), cache=cache) as client:
            first = await client.ask(QUESTION, Answer, tag="doc_1")
            second = await client.ask(QUESTION, Answer, tag="doc_1")
            third = await client.ask(QUESTION, Answer, tag="doc_1")
            other = await client.ask(QUESTION, Answer, epoch=2)
        assert [first.outcome, second.outcome] == ["unparsed", "ok"]
        assert third.cached
        assert third.value == second.value
        assert third.cost == 0.0
        assert not other.cached
        assert len(server.requests) == 4
        assert cache.purge("doc_1") == 1
        async with ModelClient(endpoint(server), cache=cache) as client:
            assert not (await client.ask(QUESTION, Answer, tag="doc_1")).cached
    cache.close()


async def test_the_cache_survives_the_process_and_tells_parameters_apart(tmp_path: Path) -> None:
    with scripted_server(GOOD) as server:
        for expected in (1, 1):
            cache = ReplyCache(tmp_path / "replies.db")
            async with ModelClient(endpoint(server), cache=cache) as client:
                await client.ask(QUESTION, Answer, parameters={"temperature": 0.2})
            cache.close()
            assert len(server.requests) == expected
        cache = ReplyCache(tmp_path / "replies.db")
        async with ModelClient(endpoint(server), cache=cache) as client:
            await client.ask(QUESTION, Answer, parameters={"temperature": 0.7})
        cache.close()
        assert len(server.requests) == 2


async def test_concurrency_starts_low_and_grows_to_the_limit() -> None:
    slow = completion('{"answer": "CO2"}', delay_s=0.02)
    with scripted_server(slow) as server:
        async with ModelClient(endpoint(server).model_copy(update={"max_concurrency": 16})) as client:
            asks = [client.ask([{"role": "user", "content": str(i)}], Answer) for i in range(120)]
            replies = await asyncio.gather(*asks)
    assert all(reply.outcome == "ok" for reply in replies)
    assert 8 < server.most_at_once <= 16


async def test_cancelling_gives_the_slot_back() -> None:
    with scripted_server([completion('{"answer": "CO2"}', delay_s=0.8), GOOD]) as server:
        async with ModelClient(endpoint(server).model_copy(update={"max_concurrency": 1})) as client:
            task = asyncio.create_task(client.ask(QUESTION, Answer))
            await asyncio.sleep(0.2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            begun = time.monotonic()
            reply = await client.ask(QUESTION, Answer)
            assert reply.outcome == "ok"
            assert time.monotonic() - begun < 0.5
            state = client.state()
            assert state is not None
            assert state.in_use == 0
