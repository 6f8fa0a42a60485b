"""The graph: the only room that talks to the graph engine.

`Graph.open(settings)` attaches to the engine (the embedded one, started when nobody has
yet, or the Neo4j that `NEO4J_URI` names), brings the schema up to date and offers one
repository per subject. Statements live in `cypher/` and are called by name. Records are in
`graph.models`; the embedded engine's life is in `graph.engine`.

The names below load on first use: the engine's supervisor imports `graph.engine` and must
not wait for the driver.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.connection import Connection, EngineInfo
    from graph.store import Graph

__all__ = ["Connection", "EngineInfo", "Graph"]

_HOMES = {"Connection": "graph.connection", "EngineInfo": "graph.connection", "Graph": "graph.store"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'graph' has no attribute {name!r}")
