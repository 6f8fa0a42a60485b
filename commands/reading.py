"""Commands that only read the graph: open it, run, close."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from graph.store import Graph

T = TypeVar("T")


def with_graph(work: Callable[[Graph], Awaitable[T]], *, corpus: str | None = None) -> T:
    """Run `work` on the graph of these settings, which starts the engine where it does not run.

    Raises NotFoundError where `corpus` is named and is not there.
    """
    from graph.store import Graph
    from settings import get_settings

    async def run() -> T:
        async with await Graph.open(get_settings()) as graph:
            await graph.corpora.require(corpus)
            return await work(graph)

    return asyncio.run(run())
