"""What a stage is given: its settings, the open graph, durable steps, progress."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from domain.progress import Progress
from settings import Settings

if TYPE_CHECKING:
    from graph.store import Graph
    from jobs.durable import Steps

S = TypeVar("S")
T = TypeVar("T")


class Resources:
    """The open graph of one event loop, shared by all stages that run on it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._graph: Graph | None = None
        self._opening = asyncio.Lock()

    async def graph(self) -> Graph:
        """The graph, opened (and its engine started) with the first call."""
        from graph.store import Graph

        async with self._opening:
            if self._graph is None:
                self._graph = await Graph.open(self._settings)
            return self._graph

    async def close(self) -> None:
        """Close the graph; whoever needs it next opens it anew."""
        graph, self._graph = self._graph, None
        if graph is not None:
            await graph.close()


class ProgressOf(Protocol):
    """Makes the progress callback of a stage, by the stage's name."""

    def __call__(self, stage: str) -> Progress: ...


@dataclass(frozen=True)
class StageContext:
    """All that a stage may use of the job that it runs in."""

    job: str
    settings: Settings
    resources: Resources
    steps: Steps
    progress: ProgressOf

    async def graph(self) -> Graph:
        """The open graph."""
        return await self.resources.graph()

    async def step(self, name: str, work: Callable[[], Awaitable[T]]) -> T:
        """Run a piece of work whose result (JSON) survives a crash. It may run twice, never zero times."""
        return await self.steps.reserve(name)(work)

    async def each(
        self, name: str, items: Sequence[S], work: Callable[[S], Awaitable[T]], *, workers: int
    ) -> list[T]:
        """A step for each item, `workers` at a time; results in the order of the items.

        The items must come in the same order each time the job runs. The first error stops the
        rest, so `work` turns what may go wrong with one item into a result.
        """
        results: dict[int, T] = {}
        queue = iter(enumerate(items))

        async def worker() -> None:
            # No await between taking an item and fixing its step: so step k is always item k.
            for index, item in queue:
                run = self.steps.reserve(name)
                results[index] = await run(lambda item=item: work(item))  # type: ignore[misc]

        async with asyncio.TaskGroup() as group:
            for _ in range(min(workers, len(items))):
                group.create_task(worker())
        return [results[index] for index in range(len(items))]
