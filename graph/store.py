"""`Graph`: a connection with one repository for each subject."""

from __future__ import annotations

from types import TracebackType

from neo4j import AsyncDriver

from graph.connection import Connection, EngineInfo, open_driver
from graph.corpora import CorporaRepository
from graph.datasets import DatasetsRepository
from graph.documents import DocumentsRepository
from graph.engine import Lease
from graph.entities import EntitiesRepository
from graph.look import LookRepository
from graph.migrations import migrate
from graph.paths import PathsRepository
from graph.questions import QuestionsRepository
from graph.reasoning import ReasoningRepository
from graph.relations import RelationsRepository
from graph.runs import RunsRepository
from graph.stats import StatsRepository
from settings import Settings


class Graph(Connection):
    """The graph of one home (or of one Neo4j). `async with await Graph.open(settings) as graph: ...`"""

    def __init__(self, driver: AsyncDriver, engine: EngineInfo, lease: Lease | None = None) -> None:
        super().__init__(driver, engine, lease)
        self.relations = RelationsRepository(self)
        self.entities = EntitiesRepository(self, self.relations)
        self.documents = DocumentsRepository(self)
        self.corpora = CorporaRepository(self, self.documents)
        self.look = LookRepository(self, self.entities, self.relations)
        self.stats = StatsRepository(self)
        self.paths = PathsRepository(self)
        self.reasoning = ReasoningRepository(self)
        self.questions = QuestionsRepository(self, self.reasoning)
        self.datasets = DatasetsRepository(self, self.reasoning)
        self.runs = RunsRepository(self)

    @classmethod
    async def open(cls, settings: Settings) -> Graph:
        """Attach to the engine, or start it, and bring the schema up to date.

        Raises EngineError where there is no engine, or the graph is newer than this code.
        """
        driver, engine, lease = await open_driver(settings)
        graph = cls(driver, engine, lease)
        try:
            await migrate(graph)
        except BaseException:
            await graph.close()
            raise
        return graph

    async def empty(self) -> int:
        """Remove all nodes and relationships, keep the schema. Returns how many nodes there were."""
        removed = 0
        while rows := await self.write("schema/versions.empty", limit=10_000):
            if not rows[0]["removed"]:
                break
            removed += rows[0]["removed"]
        return removed

    async def __aenter__(self) -> Graph:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
