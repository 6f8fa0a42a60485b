"""Cells and comparisons worked out by hand from a few answers."""

from __future__ import annotations

import pytest

from evaluation.statistics import wilson
from evaluation.summary import against_positive, cells, comparisons
from graph.models import AnswerRecord


def answer(question: int, condition: str = "gold", **fields: object) -> AnswerRecord:
    status = fields.pop("status", "correct")
    right = float(status == "correct")
    return AnswerRecord.model_validate(
        {
            "id": f"{question}/{condition}/{fields.get('endpoint', 'baseline')}/{fields.get('epoch', 1)}",
            "run_id": "run",
            "question_id": f"q{question:03d}",
            "condition": condition,
            "endpoint": "baseline",
            "model": "m",
            "text": "t",
            "status": status,
            "em": right,
            "f1": right,
            "dataset": "set",
            "hops": question % 2 + 1,
            "graph_type": "bridge_2_1",
            **fields,
        }
    )


def test_refused_and_unparsed_count_errors_do_not() -> None:
    statuses = ["correct"] * 4 + ["wrong"] * 2 + ["refused"] * 3 + ["unparsed"] + ["error"] * 5
    (cell,) = cells([answer(n, status=s) for n, s in enumerate(statuses)], ("condition",), seed=1)
    assert cell.n == 10 and not cell.small
    assert cell.outcomes == {"correct": 4, "error": 5, "refused": 3, "unparsed": 1, "wrong": 2}
    assert cell.correct == cell.em == pytest.approx(0.4)
    assert cell.em_ci == wilson(4, 10)  # no clusters


def test_epochs_are_averaged_within_a_question_first() -> None:
    # Question 0: right once of two; 1: right in its only answer; 2: an error and a wrong one.
    given = [
        answer(0, epoch=1),
        answer(0, epoch=2, status="wrong"),
        answer(1),
        answer(2, epoch=1, status="error"),
        answer(2, epoch=2, status="wrong"),
    ]
    (cell,) = cells(given, ("condition",), seed=1)
    assert cell.n == 3 and cell.em == pytest.approx((0.5 + 1 + 0) / 3)
    assert cell.small


def test_clusters_are_counted_and_used() -> None:
    given = [answer(n, cluster=f"doc{n // 4}", status="correct" if n < 12 else "wrong") for n in range(24)]
    (cell,) = cells(given, ("condition",), seed=1)
    assert (cell.n, cell.clusters, cell.em_ci.method) == (24, 6, "cluster bootstrap")
    mixed = [answer(0, cluster="doc"), answer(1, cluster="doc"), answer(2), answer(3, status="wrong")]
    (cell,) = cells(mixed, ("condition",), seed=1)
    assert cell.clusters == 3  # a question without a cluster is one of its own


def test_the_chemical_share_is_over_chemistry_only() -> None:
    given = [
        answer(0, chemical_match=True),
        answer(1, chemical_match=False, status="refused"),
        answer(2, chemical_match=None),
    ]
    (cell,) = cells(given, ("condition",), seed=1)
    assert cell.chemical == 0.5
    (cell,) = cells([answer(2)], ("condition",), seed=1)
    assert cell.chemical is None


def test_cells_come_in_order_of_what_is_shown_and_of_hops() -> None:
    given = [
        answer(n, condition)
        for condition in (
            "negative_graph",
            "gold",
            "closed_book",
            "negative_graph:edge_added",
            "bm25",
            "positive_graph",
        )
        for n in range(2)
    ]
    order = [cell.keys["condition"] for cell in cells(given, ("condition",), seed=1)]
    assert order == [
        "closed_book",
        "bm25",
        "gold",
        "positive_graph",
        "negative_graph",
        "negative_graph:edge_added",
    ]
    ten = [answer(0, hops=hops) for hops in (10, 9, 1)]
    assert [cell.keys["hops"] for cell in cells(ten, ("hops",), seed=1)] == ["1", "9", "10"]


def test_costs_and_tokens() -> None:
    given = [
        answer(0, tokens_in=100, tokens_out=10, cost=0.5, latency_s=1.0),
        answer(1, tokens_in=300, tokens_out=30, cost=0.25, latency_s=3.0),
        answer(2, status="error", cost=0.125, latency_s=90.0),
    ]
    (cell,) = cells(given, ("condition",), seed=1)
    assert (cell.tokens_in, cell.tokens_out, cell.latency_s, cell.cost) == (200.0, 20.0, 2.0, 0.875)


def test_conditions_are_compared_on_shared_questions() -> None:
    gold = [answer(n, "gold") for n in range(12)]
    closed = [answer(n, "closed_book", status="wrong") for n in range(2, 12)]
    closed.append(answer(12, "closed_book"))
    closed.append(answer(0, "closed_book", status="error"))
    (pair,) = comparisons([*gold, *closed], seed=1)
    assert (pair.kind, pair.within, pair.first, pair.second) == (
        "conditions",
        "baseline",
        "gold",
        "closed_book",
    )
    assert (pair.n, pair.correct.first_only, pair.correct.second_only) == (10, 10, 0)
    assert pair.correct.difference == 1.0 and pair.correct.p == pytest.approx(2 / 2**10)
    assert pair.correct_p_holm == pair.correct.p


def test_each_kind_of_negative_is_compared_on_its_own_questions() -> None:
    positive = [answer(n, "positive_graph") for n in range(10)]
    kinds = ["edge_added"] * 4 + ["node_added"] * 2 + ["distractors"] * 4
    negative = [
        answer(n, "negative_graph", perturbation=kind, status="wrong" if kind != "edge_added" else "correct")
        for n, kind in enumerate(kinds)
    ]
    found = {c.second: c for c in against_positive([*positive, *negative], seed=1)}
    assert {kind: (c.n, c.f1.difference) for kind, c in found.items()} == {
        "distractors": (4, 1.0),
        "edge_added": (4, 0.0),
        "node_added": (2, 1.0),
        "hard": (6, pytest.approx(1 / 3)),
    }
    assert found["distractors"].correct.p == pytest.approx(2 / 2**4)
    assert found["distractors"].correct_p_holm == pytest.approx(4 * 2 / 2**4)
    assert against_positive(positive, seed=1) == []


def test_endpoints_are_compared_within_a_condition_and_holm_covers_all() -> None:
    given = [
        answer(n, condition, endpoint=endpoint, status="correct" if n < limit else "wrong")
        for condition, endpoint, limit in (
            ("gold", "a", 8),
            ("gold", "b", 4),
            ("bm25", "a", 4),
            ("bm25", "b", 0),
        )
        for n in range(12)
    ]
    found = comparisons(given, seed=1)
    assert {(c.kind, c.within) for c in found} == {
        ("conditions", "a"),
        ("conditions", "b"),
        ("endpoints", "gold"),
        ("endpoints", "bm25"),
    }
    # Each differs on four questions, all one way: p = 2 / 2**4; Holm multiplies the smallest by 4.
    assert all(c.correct.p == pytest.approx(0.125) for c in found)
    assert all(c.correct_p_holm == pytest.approx(0.5) for c in found)
