"""What each condition shows, and what it never shows."""

from __future__ import annotations

import pytest

from errors import InputError
from evaluation.conditions import CONDITIONS, ContextBuilder, check_conditions
from evaluation.retrieval import BM25Index, pool
from tests.support.evaluating import item, reasoning_graph


def builder(seed: int = 1) -> ContextBuilder:
    items = [item(n) for n in range(30)]
    return ContextBuilder(seed, {"set": BM25Index(pool(items))}, 20)


def test_closed_book_shows_nothing() -> None:
    context = builder().build(item(1), "closed_book")
    assert context is not None and (context.kind, context.text, context.passages) == ("none", "", ())


def test_gold_shows_every_hop_in_an_order_that_the_seed_decides() -> None:
    orders = set()
    for seed in range(20):
        context = builder(seed).build(item(1), "gold")
        assert context is not None and sorted(context.passages) == sorted(item(1).gold)
        assert all(passage in context.text for passage in context.passages)
        orders.add(context.passages)
        assert builder(seed).build(item(1), "gold") == context
    assert len(orders) == 2


def test_graphs_are_shown_as_dot_without_sub_answers() -> None:
    graph = reasoning_graph("q", ["One.", "Two."], [(0, 1)])
    secret = graph.steps[1].model_copy(update={"sub_question": "What?", "sub_answer": "the secret"})
    shown = item(1).model_copy(
        update={"positive": graph.model_copy(update={"steps": (graph.steps[0], secret)})}
    )
    context = builder().build(shown, "positive_graph")
    assert context is not None and context.kind == "graph"
    assert context.text.startswith("digraph") and "->" in context.text
    assert "secret" not in context.text and "What?" not in context.text
    assert context.passages == ("One.", "Two.") and context.edges == ((0, 1),)
    assert (context.graph_id, context.perturbation) == (graph.id, None)


def test_a_negative_is_drawn_by_the_seed() -> None:
    kinds = []
    for number in range(40):
        context = builder().build(item(number), "negative_graph")
        assert context is not None and context == builder().build(item(number), "negative_graph")
        kinds.append(context.perturbation)
    assert set(kinds) == {"edge_reversed", "edge_removed"}
    assert 10 <= kinds.count("edge_removed") <= 30


def test_negatives_of_one_kind() -> None:
    for number in range(10):
        context = builder().build(item(number), "negative_graph:edge_removed")
        assert context is not None and context.perturbation == "edge_removed" and context.edges == ()
    assert builder().build(item(1), "negative_graph:node_added") is None


def test_a_question_without_the_thing_has_no_such_context() -> None:
    bare = item(1, negatives=False).model_copy(update={"positive": None, "gold": ()})
    assert builder().build(bare, "negative_graph") is None
    assert builder().build(bare, "positive_graph") is None
    assert builder().build(bare, "gold") is None
    assert builder().build(bare, "closed_book") is not None


def test_bm25_shows_twenty_sentences_of_the_pool() -> None:
    context = builder().build(item(7), "bm25")
    assert context is not None and len(context.passages) == 20
    assert context.passages[0] == "Mayor 7 Smith governs the town Alton7."
    assert context.text.startswith("[1] Mayor 7 Smith")


def test_names_are_checked() -> None:
    assert check_conditions(["gold", "bm25", "gold"]) == ("gold", "bm25")
    assert check_conditions(CONDITIONS) == CONDITIONS
    assert check_conditions(["negative_graph:node_swapped"])
    for wrong in (["dense"], ["negative_graph:upside_down"], ["gold:edge_added"], []):
        with pytest.raises(InputError):
            check_conditions(wrong)
