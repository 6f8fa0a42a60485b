"""The statistics of Table 1b against networkx."""

from __future__ import annotations

import math
import random

import networkx as nx
import pytest

from graph.network import describe


@pytest.mark.parametrize(("nodes", "edges", "seed"), [(30, 60, 1), (200, 180, 2), (300, 2000, 3), (50, 0, 4)])
def test_equal_to_networkx_on_random_graphs(nodes: int, edges: int, seed: int) -> None:
    rng = random.Random(seed)
    names = {f"n{i}": f"name {i}" for i in range(nodes)}
    pairs = [(f"n{rng.randrange(nodes)}", f"n{int(nodes * rng.random() ** 3)}") for _ in range(edges)]
    found = describe(names, pairs)

    reference: nx.Graph[str] = nx.Graph()
    reference.add_nodes_from(names)
    reference.add_edges_from((a, b) for a, b in pairs if a != b)
    degrees = dict(reference.degree())
    components = list(nx.connected_components(reference))
    assert found["nodes"] == nodes
    assert found["edges"] == reference.number_of_edges()
    assert found["density"] == pytest.approx(nx.density(reference))
    assert found["degree"] == {
        "min": min(degrees.values()),
        "max": max(degrees.values()),
        "average": pytest.approx(sum(degrees.values()) / nodes),
    }
    assert found["components"] == len(components)
    assert found["largest_component"] == max(map(len, components))
    assert found["average_clustering"] == pytest.approx(nx.average_clustering(reference))
    if edges:
        assert found["assortativity"] == pytest.approx(nx.degree_assortativity_coefficient(reference))
    best = sorted(degrees.values(), reverse=True)[:5]
    assert [each["degree"] for each in found["top"]] == best


def test_a_graph_drawn_by_hand() -> None:
    """A triangle a-b-c with a tail c-d, and e alone: clustering (1 + 1 + 1/3 + 0 + 0) / 5."""
    found = describe(
        dict(zip("abcde", "ABCDE", strict=True)),
        [("a", "b"), ("b", "a"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "d"), ("d", "zz")],
    )
    assert (found["nodes"], found["edges"], found["components"], found["largest_component"]) == (5, 4, 2, 4)
    assert math.isclose(found["density"], 0.4)
    assert math.isclose(found["average_clustering"], (1 + 1 + 1 / 3) / 5)
    assert found["top"][0] == {"id": "c", "name": "C", "degree": 3}


def test_no_graph_at_all() -> None:
    assert describe({}, []) == {
        "nodes": 0,
        "edges": 0,
        "density": 0.0,
        "degree": {"min": 0, "max": 0, "average": 0.0},
        "components": 0,
        "largest_component": 0,
        "average_clustering": 0.0,
        "assortativity": None,
        "top": [],
    }
