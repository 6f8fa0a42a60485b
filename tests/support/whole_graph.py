"""All that a graph holds, to compare one state with another."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from neo4j import Query

from graph.store import Graph

# When a thing was written says nothing about what it is; nor does the order in which a list grew.
TIMES = frozenset({"at", "ats", "created"})


class Whole(NamedTuple):
    """Nodes and relationships with their properties, each as often as it is there."""

    nodes: Counter[str]
    relationships: Counter[str]


async def whole_graph(graph: Graph, *, times: bool = True) -> Whole:
    """Every node by labels and properties, every relationship by type, ends and properties."""
    nodes = await _rows(graph, "MATCH (n) RETURN labels(n) AS labels, properties(n) AS p")
    ends = await _rows(
        graph, "MATCH (a)-[r]->(b) RETURN a.id AS a, type(r) AS type, b.id AS b, properties(r) AS p"
    )
    return Whole(
        Counter(f"{sorted(row['labels'])} {_shown(row['p'], times)}" for row in nodes),
        Counter(f"{row['a']} {row['type']} {row['b']} {_shown(row['p'], times)}" for row in ends),
    )


def differences(one: Whole, other: Whole) -> list[str]:
    """What stands in one of the two only; for the message of a failed test."""
    return [
        f"{sign} {what}"
        for a, b in zip(one, other, strict=True)
        for sign, left in (("-", a - b), ("+", b - a))
        for what in left
    ]


async def _rows(graph: Graph, text: str) -> list[dict[str, Any]]:
    async with graph._driver.session(database=graph.engine.database) as session:
        result = await session.run(Query(text))
        return [dict(record) async for record in result]


def _shown(properties: dict[str, Any], times: bool) -> str:
    kept = {
        key: sorted(value) if isinstance(value, list) and not times else value
        for key, value in properties.items()
        if times or key not in TIMES
    }
    return repr(sorted(kept.items()))
