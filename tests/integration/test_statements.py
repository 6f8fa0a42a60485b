"""The engine compiles every statement that reads or writes data, and the schema moves forward only.

The numbered files in cypher/schema are not explained: the embedded engine executes schema commands
even under EXPLAIN, and every test of this suite runs them for good anyway.
"""

from __future__ import annotations

import pytest

from errors import EngineError
from graph.migrations import migrate
from graph.statements import migrations, statements
from graph.store import Graph
from settings import Settings

pytestmark = pytest.mark.engine


async def test_every_statement_compiles(graph: Graph) -> None:
    broken = {}
    for name, each in statements().items():
        try:
            await graph.explain(name, dict.fromkeys(each.parameters))
        except Exception as error:
            broken[name] = str(error)
    assert broken == {}
    assert list(await graph.stats.labels()) == ["SchemaVersion"]  # nothing was written


async def test_the_schema_is_applied_once_and_recorded(graph: Graph) -> None:
    applied = [row["number"] for row in await graph.read("schema/versions.applied")]
    assert applied == [number for number, _, _ in migrations()]
    assert await migrate(graph) == []


async def test_a_graph_of_newer_code_is_refused(graph: Graph, settings: Settings) -> None:
    await graph.write("schema/versions.record", number=999, name="999_future", at="2030-01-01T00:00:00+00:00")
    try:
        with pytest.raises(EngineError, match="newer version"):
            await Graph.open(settings)
    finally:
        await graph.command("MATCH (v:SchemaVersion {number: 999}) DELETE v")


async def test_parameters_are_checked_before_anything_is_sent(graph: Graph) -> None:
    with pytest.raises(EngineError, match="needs the parameters name"):
        await graph.write("ingest/corpora.ensure")
    with pytest.raises(EngineError, match="takes no parameters extra"):
        await graph.write("ingest/corpora.ensure", name="a", extra=1)


async def test_a_batch_is_all_or_nothing(graph: Graph) -> None:
    with pytest.raises(EngineError):
        await graph.write_all(
            [
                ("ingest/corpora.ensure", {"name": "half"}),
                ("look/look.containing", {"text": "x", "limit": -1}),
            ]
        )
    assert await graph.corpora.list() == []
