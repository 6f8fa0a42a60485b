"""The embedded engine's life: started, found again, killed, moved, stopped."""

from __future__ import annotations

import pytest

from graph.store import Graph

pytestmark = pytest.mark.engine


async def test_a_fresh_graph_answers(graph: Graph) -> None:
    assert await graph.read("schema/versions.applied")
