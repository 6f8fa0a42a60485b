"""How many calls go to one endpoint at once.

Slow start: the limit begins at 4 and doubles once per round of successes while all slots are in
use; the first throttling (429) halves it and ends the slow start, after which it grows by one per
round. A limit that is not used does not grow: it would say nothing about what the endpoint bears.
Limits belong to an address and key, not to a model: two models behind one key share them.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from types import TracebackType
from typing import NamedTuple
from weakref import WeakKeyDictionary

START = 4


class LimiterState(NamedTuple):
    """For status lines: `paused_until` is a `time.time()`, None when it is not waiting."""

    limit: int
    in_use: int
    waiting: int
    paused_until: float | None
    reason: str


class Limiter:
    """An adaptive semaphore; belongs to the event loop it was made on."""

    def __init__(self, most: int, *, per_minute: float | None = None) -> None:
        self.most = most
        self.limit = min(START, most)
        self._spacing = 60.0 / per_minute if per_minute else 0.0
        self._next_start = 0.0
        self._in_use = 0
        self._waiters: deque[asyncio.Future[None]] = deque()
        self._slow_start = True
        self._round = 0
        self._cut_at = float("-inf")
        self._paused_until = 0.0
        self._reason = ""

    def state(self) -> LimiterState:
        now = time.monotonic()
        paused = time.time() + self._paused_until - now if self._paused_until > now else None
        return LimiterState(
            self.limit, self._in_use, len(self._waiters), paused, self._reason if paused else ""
        )

    async def __aenter__(self) -> Limiter:
        while self._in_use >= self.limit:
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            try:
                await waiter
            except asyncio.CancelledError:
                # The place may have been given to us in the same tick: pass it on.
                if waiter.done() and not waiter.cancelled():
                    self._wake()
                elif waiter in self._waiters:
                    self._waiters.remove(waiter)
                raise
        self._in_use += 1
        try:
            await self._wait_for_start()
        except BaseException:
            self._release()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._release()

    async def _wait_for_start(self) -> None:
        while True:
            now = time.monotonic()
            start = max(self._paused_until, self._next_start)
            if start <= now:
                break
            await asyncio.sleep(start - now)
        if self._spacing:
            self._next_start = max(now, self._next_start) + self._spacing

    def succeeded(self) -> None:
        """A call went well: grow, if all slots were in use or others waited for one."""
        if self._in_use < self.limit and not self._waiters:
            return
        self._round += 1
        if self._round >= self.limit:
            self._round = 0
            grown = self.limit * 2 if self._slow_start else self.limit + 1
            self.limit = min(self.most, grown)
            self._wake()

    def throttled(self, after_s: float | None, reason: str) -> None:
        """The endpoint said "too many": halve (once a second at most), and pause for Retry-After."""
        now = time.monotonic()
        if now - self._cut_at > 1.0:
            self.limit = max(1, self.limit // 2)
            self._cut_at = now
        self._slow_start = False
        self._round = 0
        if after_s:
            self._paused_until = max(self._paused_until, now + after_s)
            self._reason = reason

    def _release(self) -> None:
        self._in_use -= 1
        self._wake()

    def _wake(self) -> None:
        free = self.limit - self._in_use
        while free > 0 and self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                free -= 1


_shared: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, str], Limiter]] = WeakKeyDictionary()


def shared_limiter(base_url: str, api_key: str, most: int, per_minute: float | None) -> Limiter:
    """The limiter of that address and key on the running loop; the strictest settings hold."""
    limiters = _shared.setdefault(asyncio.get_running_loop(), {})
    limiter = limiters.get((base_url, api_key))
    if limiter is None:
        limiter = limiters[(base_url, api_key)] = Limiter(most, per_minute=per_minute)
    elif most < limiter.most:
        limiter.most = most
        limiter.limit = min(limiter.limit, most)
    return limiter
