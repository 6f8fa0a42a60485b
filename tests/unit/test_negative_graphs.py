"""Negative reasoning graphs: never a copy, always what they claim to be."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.models import ReasoningGraph
from qa.reasoning.negative import (
    EDGE_KINDS,
    KINDS,
    NegativeOptions,
    Pool,
    graph_key,
    make_negatives,
    pool_hash,
)
from qa.reasoning.positive import Node, build_positive
from qa.reasoning.shapes import GRAPH_TYPES, classify

EVERY_KIND = NegativeOptions(extra=dict.fromkeys(KINDS, 2))


def positive(n: int, edges: list[tuple[int, int]], question: str = "qst_1") -> ReasoningGraph:
    nodes = [Node(text=f"Fact {number}.", title=f"Title {number}") for number in range(n)]
    return build_positive(question, nodes, edges)


def pool(near: int, far: int | None = None) -> Pool:
    nodes = tuple(Node(text=f"Foreign {number}.", title=f"Other {number % 7}") for number in range(near))
    return Pool(near=nodes, far=nodes if far is None else nodes[:far], sha256=pool_hash(nodes))


def key(graph: ReasoningGraph) -> str:
    return graph_key([(step.title, step.text) for step in graph.steps], graph.edges)


@st.composite
def cases(draw: st.DrawFn) -> tuple[ReasoningGraph, Pool, int]:
    n = draw(st.integers(1, 6))
    pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    near = draw(st.integers(0, 12))
    return positive(n, edges), pool(near, draw(st.integers(0, near))), draw(st.integers(0, 2**31))


@settings(max_examples=60, deadline=None)
@given(cases())
def test_no_negative_equals_the_positive_or_another(case: tuple[ReasoningGraph, Pool, int]) -> None:
    gold, foreign, seed = case
    made = make_negatives(gold, foreign, seed=seed, options=EVERY_KIND)
    keys = [key(gold), *(key(graph) for graph in made.graphs)]
    assert len(set(keys)) == len(keys)
    assert len({graph.id for graph in made.graphs}) == len(made.graphs)


@settings(max_examples=60, deadline=None)
@given(cases())
def test_each_negative_is_of_its_kind(case: tuple[ReasoningGraph, Pool, int]) -> None:
    gold, foreign, seed = case
    old, n = set(gold.edges), len(gold.steps)
    own = [step.text for step in gold.steps]
    for graph in make_negatives(gold, foreign, seed=seed, options=EVERY_KIND).graphs:
        new, texts = set(graph.edges), [step.text for step in graph.steps]
        assert graph.graph_type == classify(len(texts), graph.edges)
        assert [step.ordinal for step in graph.steps] == list(range(len(texts)))
        assert graph.seed == seed
        assert graph.pool_sha256 == foreign.sha256
        assert graph.hardness == ("easy" if graph.perturbation == "distractors" else "hard")
        if graph.perturbation in EDGE_KINDS:
            assert texts == own
        match graph.perturbation:
            case "edge_added":
                assert new > old
            case "edge_removed":
                assert new < old
            case "edge_reversed":
                assert len(new) == len(old)
                assert {frozenset(edge) for edge in new} == {frozenset(edge) for edge in old}
            case "edges_rewired":
                assert len(new) == len(old)
                assert {frozenset(edge) for edge in new} != {frozenset(edge) for edge in old}
            case "node_added":
                assert texts[:n] == own
                assert len(texts) == n + 1
                assert len(new) == len(old) + 1
                assert new > old
            case "node_removed":
                assert len(texts) == n - 1
                assert set(texts) < set(own)
            case "node_swapped":
                assert sum(mine != theirs for mine, theirs in zip(own, texts, strict=True)) == 1
                assert new == old
            case "distractors":
                assert len(texts) == n
                assert set(texts) <= {node.text for node in foreign.far}
                assert len(set(texts)) == n


@settings(max_examples=40, deadline=None)
@given(cases())
def test_what_is_asked_for_is_there_or_counted_as_missing(case: tuple[ReasoningGraph, Pool, int]) -> None:
    gold, foreign, seed = case
    made = make_negatives(gold, foreign, seed=seed)
    assert len(made.graphs) + sum(made.shortfall.values()) == 20
    assert make_negatives(gold, foreign, seed=seed) == made


@pytest.mark.parametrize("name", [name for name, (n, _) in GRAPH_TYPES.items() if n > 2])
def test_twenty_for_every_type_of_more_than_two_nodes(name: str) -> None:
    """Appendix A of the reasoning-graph paper: five hard sets of two and five easy sets of two."""
    n, edges = GRAPH_TYPES[name]
    made = make_negatives(positive(n, list(edges)), pool(30), seed=3)
    assert made.shortfall == {}
    assert Counter(graph.hardness for graph in made.graphs) == {"hard": 10, "easy": 10}
    kinds = Counter(str(graph.perturbation) for graph in made.graphs)
    assert kinds["node_added"] == 5
    assert kinds["distractors"] == 10
    assert sum(kinds[kind] for kind in EDGE_KINDS) == 5


def test_two_nodes_have_only_three_other_sets_of_edges() -> None:
    """Of bridge_2_1 (1→2) these are: none, 2→1, and both."""
    made = make_negatives(positive(2, [(0, 1)]), pool(30), seed=1)
    altered = {graph.perturbation: graph.edges for graph in made.graphs if graph.perturbation in EDGE_KINDS}
    assert altered == {"edge_removed": (), "edge_reversed": ((1, 0),), "edge_added": ((0, 1), (1, 0))}
    assert made.shortfall == {"altered edges: no further set of edges over 2 nodes": 2}
    assert made.impossible == ("edges_rewired: no such graph over 2 nodes",)


def test_a_comparison_has_no_edge_to_take_away() -> None:
    made = make_negatives(positive(2, []), pool(30), seed=1)
    altered = [graph.edges for graph in made.graphs if graph.perturbation in EDGE_KINDS]
    assert sorted(altered) == [((0, 1),), ((0, 1), (1, 0)), ((1, 0),)]
    assert made.impossible == (
        "edge_reversed: the graph has no edge",
        "edge_removed: the graph has no edge",
        "edges_rewired: the graph has no edge",
    )


def test_without_foreign_sentences_only_edges_change() -> None:
    made = make_negatives(positive(3, [(0, 1), (1, 2)]), pool(0), seed=1)
    assert {graph.perturbation for graph in made.graphs} <= set(EDGE_KINDS)
    assert made.shortfall == {
        "node_added: no other sentence in the pool": 5,
        "distractors: fewer distractor sentences than nodes": 10,
    }


def test_each_hard_set_adds_another_sentence_while_there_are_any() -> None:
    made = make_negatives(positive(3, [(0, 1), (1, 2)]), pool(5), seed=1)
    added = {graph.steps[-1].text for graph in made.graphs if graph.perturbation == "node_added"}
    assert len(added) == 5


def test_another_seed_gives_others_and_the_mark_tells_the_set() -> None:
    gold = positive(4, [(0, 2), (1, 2), (2, 3)])
    one, other = (make_negatives(gold, pool(30), seed=seed) for seed in (1, 2))
    assert {key(graph) for graph in one.graphs} != {key(graph) for graph in other.graphs}
    marks = Counter(graph.rules for graph in one.graphs)
    assert marks == {
        (f"{hardness} set {number}",): 2 for hardness in ("hard", "easy") for number in range(1, 6)
    }


def test_the_choice_of_one_question_does_not_depend_on_others() -> None:
    one = make_negatives(positive(3, [(0, 1), (1, 2)], "qst_a"), pool(9), seed=7)
    again = make_negatives(positive(3, [(0, 1), (1, 2)], "qst_a"), pool(9), seed=7)
    other = make_negatives(positive(3, [(0, 1), (1, 2)], "qst_b"), pool(9), seed=7)
    assert one == again
    assert [graph.edges for graph in one.graphs] != [graph.edges for graph in other.graphs]


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match="edge_painted"):
        NegativeOptions(extra={"edge_painted": 1})
    with pytest.raises(ValueError, match="node_added"):
        NegativeOptions(edge_kinds=("node_added",))


def test_equal_graphs_have_equal_keys_however_they_are_numbered() -> None:
    labels = [("a", "x"), ("b", "y"), ("c", "z")]
    assert graph_key(labels, [(0, 1), (1, 2)]) == graph_key(labels[::-1], [(2, 1), (1, 0)])
    assert graph_key(labels, [(0, 1)]) != graph_key(labels, [(1, 0)])
    assert graph_key(labels, []) != graph_key(labels[:2], [])
