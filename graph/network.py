"""The network statistics of Table 1b (chemistry paper), of a simple undirected graph.

Definitions are the usual ones (those of networkx): density 2m / n(n-1); average clustering over
all nodes, 0 for a node of degree below 2; assortativity is the Pearson correlation of the degrees
at the two ends of an edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np


def describe(names: Mapping[str, str], pairs: Iterable[tuple[str, str]], top: int = 5) -> dict[str, Any]:
    """Statistics of the graph with these nodes and edges.

    Args:
        names: caption by node id; nodes that only `pairs` names are left out with their edges.
        pairs: edges in any direction; doubled ones count once, loops not at all.

    Returns:
        nodes, edges, density, degree {min, max, average}, components, largest_component, average_clustering,
        assortativity (None where all degrees are equal or there is no edge), top [{id, name, degree}]:
        highest degree first, ties by name and id.
    """
    neighbours: dict[str, set[str]] = {node: set() for node in names}
    for a, b in pairs:
        if a != b and a in neighbours and b in neighbours:
            neighbours[a].add(b)
            neighbours[b].add(a)
    degrees = {node: len(found) for node, found in neighbours.items()}
    n, m = len(names), sum(degrees.values()) // 2
    sizes = _component_sizes(neighbours)
    best = sorted(names, key=lambda node: (-degrees[node], names[node], node))[:top]
    return {
        "nodes": n,
        "edges": m,
        "density": 2 * m / (n * (n - 1)) if n > 1 else 0.0,
        "degree": {
            "min": min(degrees.values(), default=0),
            "max": max(degrees.values(), default=0),
            "average": 2 * m / n if n else 0.0,
        },
        "components": len(sizes),
        "largest_component": max(sizes, default=0),
        "average_clustering": _average_clustering(neighbours),
        "assortativity": _assortativity(neighbours, degrees),
        "top": [{"id": node, "name": names[node], "degree": degrees[node]} for node in best],
    }


def _component_sizes(neighbours: Mapping[str, set[str]]) -> list[int]:
    seen: set[str] = set()
    sizes = []
    for start in neighbours:
        if start in seen:
            continue
        seen.add(start)
        waiting, size = [start], 0
        while waiting:
            node = waiting.pop()
            size += 1
            fresh = neighbours[node] - seen
            seen |= fresh
            waiting.extend(fresh)
        sizes.append(size)
    return sizes


def _average_clustering(neighbours: Mapping[str, set[str]]) -> float:
    """Each triangle is found once, from its edge between the two ends of smaller degree."""
    triangles = dict.fromkeys(neighbours, 0)
    rank = {node: (len(found), node) for node, found in neighbours.items()}
    after = {
        node: {other for other in found if rank[other] > rank[node]} for node, found in neighbours.items()
    }
    for node, others in after.items():
        for other in others:
            for third in others & after[other]:
                for corner in (node, other, third):
                    triangles[corner] += 1
    total = sum(
        2 * triangles[node] / (len(found) * (len(found) - 1))
        for node, found in neighbours.items()
        if len(found) > 1
    )
    return total / len(neighbours) if neighbours else 0.0


def _assortativity(neighbours: Mapping[str, set[str]], degrees: Mapping[str, int]) -> float | None:
    ends = np.array(
        [(degrees[a], degrees[b]) for a, found in neighbours.items() for b in found], dtype=np.float64
    )
    if not len(ends) or ends.std(axis=0).min() == 0:
        return None
    return float(np.corrcoef(ends[:, 0], ends[:, 1])[0, 1])
