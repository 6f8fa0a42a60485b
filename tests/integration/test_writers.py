"""Eight writers that share a hub end with exact counts."""

from __future__ import annotations

import asyncio

import pytest

from graph.models import Counts
from graph.store import Graph
from tests.integration.bundles import bundle, entity_id

pytestmark = pytest.mark.engine

WRITERS, PAPERS = 8, 3


async def test_eight_writers_share_a_hub(graph: Graph) -> None:
    """Each of 24 papers has one chunk: "water dissolves X<n>. water wets quartz." """

    async def writer(number: int) -> None:
        for paper in range(PAPERS):
            mine = f"X{number}-{paper}"
            await graph.documents.store(
                bundle(f"W{number}-{paper}", [[("water", "dissolves", mine), ("water", "wets", "quartz")]])
            )

    await asyncio.gather(*(writer(number) for number in range(WRITERS)))
    papers = WRITERS * PAPERS
    assert await graph.stats.counts() == Counts(
        documents=papers,
        chunks=papers,
        mentions=4 * papers,
        entities=papers + 2,
        relations=2 * papers,
        facts=papers + 1,
    )
    assert (await graph.relations.spread([entity_id("water")]))[entity_id("water")] == (papers, 2)
    assert await graph.stats.labels() == {
        "Alias": papers + 2,
        "Chunk": papers,
        "Corpus": 1,
        "Document": papers,
        "Entity": papers + 2,
        "SchemaVersion": 1,
    }


async def test_writers_and_deleters_of_shared_entities(graph: Graph) -> None:
    """Deleting the only support of an entity while others bring new support loses none of theirs."""
    old = [bundle(f"O{i}", [[("water", "dissolves", f"X{i}")]]) for i in range(WRITERS)]
    new = [bundle(f"N{i}", [[("water", "wets", f"X{i}")]]) for i in range(WRITERS)]
    for paper in old:
        await graph.documents.store(paper)
    await asyncio.gather(
        *(graph.documents.delete(paper.document.id) for paper in old),
        *(graph.documents.store(paper) for paper in new),
    )
    assert await graph.stats.counts() == Counts(
        documents=WRITERS,
        chunks=WRITERS,
        mentions=2 * WRITERS,
        entities=WRITERS + 1,
        relations=WRITERS,
        facts=WRITERS,
    )
    assert (await graph.stats.labels())["Alias"] == WRITERS + 1
