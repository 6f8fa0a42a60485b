"""Writers of the embedded engine take turns.

Its transactions are optimistic: of two that touch one page (a hub, an index) the later is refused
at commit and must do all its work again, and with two steady writers some never get through. A
turn costs less than one lost transaction. Neo4j lets a writer wait for another, so it needs none.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from filelock import FileLock

# How often a process looks whether another's turn is over.
POLL_S = 0.005


class WriteTurns:
    """One writer at a time on a home: among the tasks of a process, and among processes.

    The lock is the operating system's, so the turn of a killed writer is over at once.
    """

    def __init__(self, file: Path) -> None:
        self._here = asyncio.Lock()
        self._everywhere = FileLock(file, thread_local=False, poll_interval=POLL_S)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for the turn and hold it for the block."""
        async with self._here:
            acquiring = asyncio.create_task(asyncio.to_thread(self._everywhere.acquire))
            try:
                await asyncio.shield(acquiring)
            except asyncio.CancelledError:
                # The thread cannot be called back: wait until it has the lock, and give that up.
                await acquiring
                self._everywhere.release()
                raise
            try:
                yield
            finally:
                self._everywhere.release()
