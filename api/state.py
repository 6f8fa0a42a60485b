"""What requests share: the open graph, the job store, the settings; and how a route asks for them."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated

from fastapi import Depends, Request

from errors import CataneneError, EngineError
from graph.store import Graph
from jobs.service import ExecutorKeeper
from jobs.store import JobStore
from settings import Settings

# A request that comes while the engine starts waits this long for it.
PATIENCE_S = 30.0


class ServiceState:
    """The service's own things, from its start to its end."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = JobStore(settings)
        self.keeper = ExecutorKeeper(settings, self.store)
        self._opening: asyncio.Task[Graph] | None = None

    def start(self) -> None:
        """Begin to open the graph and to execute jobs; requests are answered meanwhile."""
        self.keeper.start()
        self._opening = asyncio.create_task(Graph.open(self.settings))
        # Nobody may ever ask for the graph; its error is told to those who do.
        self._opening.add_done_callback(lambda task: task.cancelled() or task.exception())

    async def stop(self) -> None:
        """Stop executing, close the graph."""
        await asyncio.to_thread(self.keeper.stop)
        if self._opening is not None:
            self._opening.cancel()
            with contextlib.suppress(asyncio.CancelledError, CataneneError):
                await (await self._opening).close()
        self.store.close()

    async def graph(self, patience_s: float = PATIENCE_S) -> Graph:
        """The open graph.

        Raises:
            EngineError: it cannot be opened, or not within the time.
        """
        if self._opening is None or (self._opening.done() and self._opening.exception()):
            self._opening = asyncio.create_task(Graph.open(self.settings))
        try:
            return await asyncio.wait_for(asyncio.shield(self._opening), patience_s)
        except TimeoutError:
            raise EngineError("The graph engine is still starting; ask again in a few seconds.") from None


def service_state(request: Request) -> ServiceState:
    """The state of the application that serves this request."""
    state: ServiceState = request.app.state.service
    return state


StateDep = Annotated[ServiceState, Depends(service_state)]


async def _graph(state: StateDep) -> Graph:
    return await state.graph()


def _store(state: StateDep) -> JobStore:
    return state.store


def _settings(state: StateDep) -> Settings:
    return state.settings


GraphDep = Annotated[Graph, Depends(_graph)]
StoreDep = Annotated[JobStore, Depends(_store)]
SettingsDep = Annotated[Settings, Depends(_settings)]
