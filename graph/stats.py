"""Counts, and the graph statistics of the chemistry paper's Table 1b."""

from __future__ import annotations

from typing import Any

from graph.connection import Connection
from graph.models import Counts
from graph.network import describe

_COUNTS = (
    "stats/counts.documents",
    "stats/counts.mentions",
    "stats/counts.relations",
    "stats/counts.paths",
    "stats/counts.questions",
    "stats/counts.reasoning_graphs",
)


class StatsRepository:
    """Counts what is there."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def counts(self, corpus: str | None = None) -> Counts:
        """How much there is, in one corpus or in all. Not a snapshot while others write."""
        found: dict[str, int] = {}
        for statement in _COUNTS:
            rows = await self._connection.read(statement, corpus=corpus)
            found.update({key: value or 0 for key, value in rows[0].items()} if rows else {})
        return Counts.model_validate(found)

    async def labels(self) -> dict[str, int]:
        """How many nodes there are of each label."""
        return {row["label"]: row["nodes"] for row in await self._connection.read("stats/counts.labels")}

    async def graph_statistics(self, corpus: str | None = None) -> dict[str, Any]:
        """Table 1b: entities are nodes; two are joined where at least one relation holds between them.

        Keys: `graph.network.describe`'s, with `facts` (distinct subject, lemma, object) and
        `evidence` (relations) beside them. Memory: about 200 bytes a node and edge.
        """
        nodes = await self._connection.read("stats/counts.nodes", corpus=corpus)
        edges = await self._connection.read("stats/counts.edges", corpus=corpus)
        counts = await self.counts(corpus)
        described = describe(
            {row["id"]: row["name"] for row in nodes}, [(row["subject"], row["object"]) for row in edges]
        )
        return {**described, "facts": counts.facts, "evidence": counts.relations}
