"""Names of the shapes of reasoning graphs (reasoning-graph paper, Table 1)."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, permutations
from typing import cast

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa.reasoning.shapes import GRAPH_TYPES, classify, shape_code, topological_order


def test_the_twelve_types_of_the_paper_in_every_numbering() -> None:
    assert len(GRAPH_TYPES) == 12
    for name, (n, edges) in GRAPH_TYPES.items():
        for order in permutations(range(n)):
            assert classify(n, [(order[source], order[target]) for source, target in edges]) == name


@pytest.mark.parametrize(
    ("n", "edges", "name"),
    [
        (1, [], "bridge_1_1"),
        (6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)], "bridge_6_1"),
        (7, [], "comparison_7_1"),
        (6, [(0, 1), (2, 3), (3, 4), (4, 5)], "bridge_comparison_6_1"),
        (6, [(0, 1), (1, 2), (3, 4), (4, 5)], "bridge_comparison_6_1"),
        (5, [(1, 0), (2, 1), (4, 3)], "bridge_comparison_5_1"),
        (2, [(0, 1), (0, 1)], "bridge_2_1"),  # a repeated edge is one edge
    ],
)
def test_families_keep_their_name_for_any_number(n: int, edges: list[tuple[int, int]], name: str) -> None:
    assert classify(n, edges) == name


@pytest.mark.parametrize(
    ("n", "edges", "family"),
    [
        (4, [(0, 3), (1, 3), (2, 3)], "compositional_4_"),  # three facts lead to one
        (5, [(0, 2), (1, 2), (2, 3), (3, 4)], "compositional_5_"),
        (3, [(0, 1), (0, 2)], "other_3_"),  # a fork is no tree towards the answer
        (3, [(0, 1), (1, 2), (2, 0)], "other_3_"),  # a cycle
        (2, [(0, 1), (1, 0)], "other_2_"),
        (3, [(0, 1)], "other_3_"),  # a bridge and a fact alone
        (3, [(0, 1), (1, 0)], "other_3_"),  # a cycle beside a fact: as many edges as a bridge has
        (6, [(0, 1), (2, 3), (4, 5)], "other_6_"),  # three bridges
        (3, [(0, 1), (1, 2), (0, 2)], "other_3_"),  # a shortcut
        (5, [(0, 1), (2, 3), (3, 4), (4, 2)], "other_5_"),  # a bridge beside a cycle
    ],
)
def test_other_shapes_get_a_code(n: int, edges: list[tuple[int, int]], family: str) -> None:
    name = classify(n, edges)
    assert name.startswith(family)
    assert name.removeprefix(family) == str(shape_code(n, edges))


def test_codes_once_given_never_change() -> None:
    """Worked out by hand from the definition for the fork of three nodes, after one round and on.

    Labels start at 1. The prime is 999983. In round 1 the root (two successors, each (1+91)^2 = 8464):
    7919 + 1299709 * 16928 + 5; a leaf (one predecessor, (1+17)^2 = 324): 7919 + 104729 * 324 + 5.
    """
    prime = 999_983
    root = (7_919 + 1_299_709 * (2 * 8_464) + 5) % prime
    leaf = (7_919 + 104_729 * 324 + 5) % prime
    for _ in range(3):
        root, leaf = (
            (root * 7_919 + 1_299_709 * 2 * ((leaf + 91) ** 2 % prime) + 5) % prime,
            (leaf * 7_919 + 104_729 * ((root + 17) ** 2 % prime) + 5) % prime,
        )
    code = ((root + 3) ** 2 % prime + 2 * ((leaf + 3) ** 2 % prime)) % prime
    assert classify(3, [(0, 1), (0, 2)]) == f"other_3_{code}"


def _distinct(graphs: list[tuple[int, list[tuple[int, int]]]]) -> tuple[int, int]:
    """How many codes, and how many shapes as networkx tells them apart."""
    shapes: dict[tuple[int, int], list[nx.DiGraph[int]]] = defaultdict(list)
    for n, edges in graphs:
        made: nx.DiGraph[int] = nx.DiGraph()
        made.add_nodes_from(range(n))
        made.add_edges_from(edges)
        same = shapes[n, shape_code(n, edges)]
        if not any(nx.is_isomorphic(made, other) for other in same):
            same.append(made)
    return len(shapes), sum(map(len, shapes.values()))


def test_codes_tell_all_acyclic_shapes_up_to_five_nodes_apart() -> None:
    graphs = []
    for n in (1, 2, 3, 4, 5):
        pairs = list(combinations(range(n), 2))
        graphs += [
            (n, list(chosen)) for size in range(len(pairs) + 1) for chosen in combinations(pairs, size)
        ]
    # 1, 2, 6, 31 and 302 acyclic digraphs of 1 to 5 unlabelled nodes (OEIS A003087).
    assert _distinct(graphs) == (342, 342)


def test_codes_tell_all_trees_towards_one_node_up_to_eight_nodes_apart() -> None:
    graphs = []
    for n in range(2, 9):
        for found in nx.nonisomorphic_trees(n):
            tree = cast("nx.Graph[int]", found)
            for root in range(n):
                outward = nx.bfs_tree(tree, root).edges
                graphs.append((n, [(int(target), int(source)) for source, target in outward]))
    # 1, 2, 4, 9, 20, 48 and 115 rooted trees of 2 to 8 nodes (OEIS A000081).
    assert _distinct(graphs) == (199, 199)


@given(
    st.integers(1, 7).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(
                st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda e: e[0] != e[1]),
                max_size=12,
            ),
            st.permutations(range(n)),
        )
    )
)
def test_the_name_does_not_depend_on_numbering(shape: tuple[int, list[tuple[int, int]], list[int]]) -> None:
    n, edges, order = shape
    assert classify(n, edges) == classify(n, [(order[source], order[target]) for source, target in edges])


@pytest.mark.parametrize(("n", "edges"), [(0, []), (2, [(0, 2)]), (2, [(1, 1)]), (2, [(-1, 0)])])
def test_impossible_edges_are_refused(n: int, edges: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="node"):
        classify(n, edges)


def test_topological_order_keeps_the_given_order_where_it_can() -> None:
    assert topological_order(4, [(3, 0)]) == [1, 2, 3, 0]
    assert topological_order(3, []) == [0, 1, 2]
    with pytest.raises(ValueError, match="cycle"):
        topological_order(2, [(0, 1), (1, 0)])
