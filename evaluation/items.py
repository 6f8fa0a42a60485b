"""The questions of a run, read from the graph a page at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from graph.models import EvaluationItem
from graph.store import Graph

PAGE = 200  # questions in memory at a time; one comes with some 20 graphs and 10 paragraphs


class ItemReader:
    """Reads items, and keeps those of small sets, which are needed more than once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._kept: dict[str, EvaluationItem] = {}

    async def all(self, dataset: str, corpus: str | None) -> AsyncIterator[EvaluationItem]:
        """All accepted questions of a set, in order of id."""
        ids = await self._graph.questions.accepted_ids(dataset, corpus)
        for first in range(0, len(ids), PAGE):
            for item in await self.read(ids[first : first + PAGE], keep=len(ids) <= 5 * PAGE):
                yield item

    async def some(self, ids: Sequence[str]) -> AsyncIterator[EvaluationItem]:
        """The items of these ids in their order, a page in memory at a time."""
        for first in range(0, len(ids), PAGE):
            for item in await self.read(ids[first : first + PAGE]):
                yield item

    async def read(self, ids: Sequence[str], *, keep: bool = False) -> list[EvaluationItem]:
        """The items of these ids, in their order; those that are gone are left out."""
        missing = [each for each in ids if each not in self._kept]
        found = (
            {item.question.id: item for item in await self._graph.questions.items(ids=missing)}
            if missing
            else {}
        )
        if keep:
            self._kept.update(found)
        every = {**self._kept, **found}
        return [every[each] for each in ids if each in every]
