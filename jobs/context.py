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
    from llm import ModelClient

S = TypeVar("S")
T = TypeVar("T")


class Resources:
    """The open graph and the model clients of one event loop, shared by all stages that run on it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._graph: Graph | None = None
        self._clients: dict[str, ModelClient] = {}
        self._opening = asyncio.Lock()

    async def graph(self) -> Graph:
        """The graph, opened (and its engine started) with the first call."""
        from graph.store import Graph

        async with self._opening:
            if self._graph is None:
                self._graph = await Graph.open(self._settings)
            return self._graph

    async def client(self, name: str) -> ModelClient:
        """The client of a named endpoint, with the home's cache of replies.

        Raises:
            InputError: there is no endpoint of that name.
            ModelError: its key is not there.
        """
        from llm import ModelClient, ReplyCache, pick_endpoint

        async with self._opening:
            if name not in self._clients:
                cache = ReplyCache(self._settings.home / "replies.db")
                client = ModelClient(pick_endpoint(self._settings, name), cache=cache)
                self._clients[name] = await client.__aenter__()
            return self._clients[name]

    async def close(self) -> None:
        """Close what is open; whoever needs it next opens it anew."""
        graph, self._graph = self._graph, None
        clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            await client.close()
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

    async def client(self, name: str | None) -> ModelClient | None:
        """The client of an endpoint; None for no name: then the stage uses its offline backend."""
        return None if name is None else await self.resources.client(name)

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
