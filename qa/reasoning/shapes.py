"""The shapes of reasoning graphs and their names.

A shape is a number of nodes and a set of directed edges between them; names of nodes do not
count. Twelve shapes have the names of the reasoning-graph paper (its Table 1), three families
keep their name for any number of nodes, and every other shape gets a name that is the same
wherever it is computed:

- `bridge_N_1`: one chain through all N nodes (`bridge_1_1`: one node);
- `comparison_N_1`: N >= 2 nodes, no edge;
- `bridge_comparison_N_1`: exactly two chains, each of two nodes or more, and nothing else;
- `compositional_3_2` (1→3, 2→3), `compositional_4_2` (1→3, 2→3, 3→4) and
  `compositional_4_3` (1→2→4, 3→4);
- `compositional_N_<code>`: any other tree whose edges all lead to one last node;
- `other_N_<code>`: anything else (a node with two successors, a cycle, more parts).

`<code>` is `shape_code`. The same decision is made in Cypher over stored graphs
(`cypher/reasoning/classify.cypher`); a test holds the two equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

Edge = tuple[int, int]

# Nodes from 0. The order within each entry is the paper's numbering less one.
GRAPH_TYPES: Mapping[str, tuple[int, tuple[Edge, ...]]] = MappingProxyType(
    {
        "comparison_2_1": (2, ()),
        "bridge_2_1": (2, ((0, 1),)),
        "comparison_3_1": (3, ()),
        "bridge_3_1": (3, ((0, 1), (1, 2))),
        "compositional_3_2": (3, ((0, 2), (1, 2))),
        "comparison_4_1": (4, ()),
        "bridge_4_1": (4, ((0, 1), (1, 2), (2, 3))),
        "compositional_4_2": (4, ((0, 2), (1, 2), (2, 3))),
        "compositional_4_3": (4, ((0, 1), (1, 3), (2, 3))),
        "bridge_comparison_4_1": (4, ((0, 2), (1, 3))),
        "comparison_5_1": (5, ()),
        "bridge_comparison_5_1": (5, ((0, 2), (2, 3), (1, 4))),
    }
)

# Constants of `shape_code`; the Cypher statement repeats them.
_PRIME = 999_983
_ROUNDS = 4


def checked_edges(n: int, edges: Iterable[Sequence[int]]) -> tuple[Edge, ...]:
    """The edges as sorted pairs without repetition.

    Raises ValueError where an end is no node of `range(n)` or an edge is a loop.
    """
    if n < 1:
        raise ValueError("a reasoning graph has at least one node")
    pairs = {(int(source), int(target)) for source, target in edges}
    for source, target in pairs:
        if not (0 <= source < n and 0 <= target < n) or source == target:
            raise ValueError(f"({source}, {target}) is no edge between {n} nodes")
    return tuple(sorted(pairs))


def classify(n: int, edges: Iterable[Sequence[int]]) -> str:
    """The name of a shape of `n` nodes (0 to n-1) and directed `edges`; see the module."""
    pairs = checked_edges(n, edges)
    into, out = [0] * n, [0] * n
    for source, target in pairs:
        out[source] += 1
        into[target] += 1
    if not pairs:
        return "bridge_1_1" if n == 1 else f"comparison_{n}_1"
    acyclic = not _in_cycles(n, pairs)
    if acyclic and max(into) == 1 and max(out) == 1:  # chains and single nodes only
        chains = n - len(pairs)
        if chains == 1:
            return f"bridge_{n}_1"
        if chains == 2 and all(into[node] + out[node] for node in range(n)):
            return f"bridge_comparison_{n}_1"
    if acyclic and max(out) == 1 and len(pairs) == n - 1:  # a tree towards its one last node
        return f"compositional_{n}_{_compositional_variant(n, pairs, into, out)}"
    return f"other_{n}_{shape_code(n, pairs)}"


def _compositional_variant(n: int, pairs: Sequence[Edge], into: list[int], out: list[int]) -> str:
    """The second number of a compositional type, or the code of the shape."""
    if n == 3:
        return "2"
    if n == 4 and max(into) == 2:
        return "3" if into[out.index(0)] == 2 else "2"
    return str(shape_code(n, pairs))


def _in_cycles(n: int, pairs: Sequence[Edge]) -> set[int]:
    """The nodes on a cycle or behind one: what is left when nodes without a predecessor are peeled off."""
    left = set(range(n))
    for _ in range(n):
        left = {target for source, target in pairs if source in left and target in left}
    return left


def shape_code(n: int, edges: Iterable[Sequence[int]]) -> int:
    """A number that is the same for every numbering of the nodes of one shape, below 999,983.

    Colour refinement in integers, so that it can be computed in Cypher as well: each node starts
    with 1, and in each of four rounds takes in, apart, the sums of a square of its predecessors' and
    of its successors' numbers, all modulo the prime; the code is the sum of the nodes' squares.
    Unequal codes mean unequal shapes. Equal codes of unequal shapes are possible, as with any
    number of that size; a test over all acyclic shapes up to five nodes and all trees
    towards one node up to eight finds none. (Among shapes with cycles there are some: the
    four-cycle and a pair of two-cycles look alike to every node.)
    """
    pairs = checked_edges(n, edges)
    labels = [1] * n
    for _ in range(_ROUNDS):
        before = [(label + 17) ** 2 % _PRIME for label in labels]
        after = [(label + 91) ** 2 % _PRIME for label in labels]
        labels = [
            (
                labels[node] * 7_919
                + 104_729 * sum(before[source] for source, target in pairs if target == node)
                + 1_299_709 * sum(after[target] for source, target in pairs if source == node)
                + 5
            )
            % _PRIME
            for node in range(n)
        ]
    return sum((label + 3) ** 2 % _PRIME for label in labels) % _PRIME


def topological_order(n: int, edges: Iterable[Sequence[int]]) -> list[int]:
    """The nodes so that every edge leads forward, the lowest number first among the free ones.

    Raises ValueError where there is a cycle.
    """
    pairs = checked_edges(n, edges)
    order: list[int] = []
    waiting = set(range(n))
    while waiting:
        free = [node for node in sorted(waiting) if not any(t == node and s in waiting for s, t in pairs)]
        if not free:
            raise ValueError("the edges form a cycle")
        order.append(free[0])
        waiting.remove(free[0])
    return order
