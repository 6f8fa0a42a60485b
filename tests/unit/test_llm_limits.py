"""Slow start, cuts, pauses and back-off."""

from __future__ import annotations

import asyncio
import random
import time

import pytest

from llm.limiter import START, Limiter, shared_limiter
from llm.retry import CAP_S, backoff_s, retry_after


async def fill(limiter: Limiter, calls: int) -> int:
    """Run `calls` successful calls as fast as the limiter lets them; the most at once."""
    at_once = most = 0

    async def one() -> None:
        nonlocal at_once, most
        async with limiter:
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0.001)
            limiter.succeeded()
            at_once -= 1

    await asyncio.gather(*(one() for _ in range(calls)))
    return most


async def test_the_limit_doubles_while_it_is_full_and_stops_at_the_most() -> None:
    limiter = Limiter(32)
    assert limiter.limit == START
    most = await fill(limiter, 400)
    assert limiter.limit == 32
    assert most == 32


async def test_a_limit_that_is_not_used_does_not_grow() -> None:
    limiter = Limiter(32)
    for _ in range(100):
        await fill(limiter, 1)
    assert limiter.limit == START


async def test_throttling_halves_once_a_second_and_ends_the_slow_start() -> None:
    limiter = Limiter(64)
    limiter.limit = 16
    limiter.throttled(None, "429")
    limiter.throttled(None, "429")  # the same burst: not cut twice
    assert limiter.limit == 8
    await fill(limiter, 20)
    assert 8 < limiter.limit <= 11  # one more a round, not doubled


async def test_retry_after_pauses_everybody_and_says_so() -> None:
    limiter = Limiter(4)
    limiter.throttled(0.2, "HTTP 429: slow down")
    state = limiter.state()
    assert state.reason == "HTTP 429: slow down"
    assert state.paused_until is not None
    assert 0 < state.paused_until - time.time() <= 0.2
    begun = time.monotonic()
    async with limiter:
        assert time.monotonic() - begun >= 0.19


async def test_requests_per_minute_space_the_starts() -> None:
    limiter = Limiter(8, per_minute=600)  # one each tenth of a second
    begun = time.monotonic()
    await fill(limiter, 4)
    assert time.monotonic() - begun >= 0.3


async def test_a_cancelled_waiter_loses_no_slot() -> None:
    limiter = Limiter(1)
    async with limiter:
        waiting = [asyncio.create_task(limiter.__aenter__()) for _ in range(3)]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    assert limiter.state().in_use == 0
    async with asyncio.timeout(1), limiter:
        assert limiter.state().in_use == 1


async def test_two_models_behind_one_key_share_their_limit() -> None:
    one = shared_limiter("http://a/v1", "key", 8, None)
    assert shared_limiter("http://a/v1", "key", 4, None) is one
    assert one.most == 4
    assert shared_limiter("http://a/v1", "other", 8, None) is not one


@pytest.mark.parametrize(
    ("header", "seconds"),
    [(None, None), ("7", 7.0), ("0.5", 0.5), ("-1", 0.0), ("soon", None)],
)
def test_retry_after_in_seconds(header: str | None, seconds: float | None) -> None:
    assert retry_after(header) == seconds


def test_retry_after_as_a_date() -> None:
    # 1 January 2026, 00:00:10 GMT is 1767225610 seconds after the epoch.
    assert retry_after("Thu, 01 Jan 2026 00:00:10 GMT", now=1767225600.0) == 10.0


def test_back_off_grows_is_jittered_and_capped() -> None:
    rng = random.Random(1)
    late = [backoff_s(20, None, rng) for _ in range(200)]
    assert max(late) <= CAP_S
    assert max(late) - min(late) > CAP_S / 2
    assert max(backoff_s(1, None, rng) for _ in range(200)) <= 0.5
    assert min(backoff_s(1, 3.0, rng) for _ in range(200)) >= 3.0
