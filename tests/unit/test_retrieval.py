"""BM25 against the library itself, ties, and retrieval scores worked out by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from evaluation.retrieval import BM25Index, evidence, pool, retrieval_score, tokens
from graph.models import ContextSentence, EvaluationItem, QuestionRecord, ReasoningGraph, Step

QUESTION = QuestionRecord(
    id="q",
    name="q",
    text="?",
    answer="a",
    dataset="d",
    source_format="catenane",
    hops=2,
    graph_type="bridge_2_1",
)


def sentences(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    words = [f"w{i}" for i in range(60)] + ["the", "of"] * 10
    return [" ".join(rng.choices(words, k=rng.randint(1, 30))) for _ in range(count)]


@pytest.mark.parametrize("seed", range(3))
def test_scores_are_the_librarys_own(seed: int) -> None:
    corpus = sentences(200, seed)
    library, ours = BM25Okapi([tokens(text) for text in corpus]), BM25Index(corpus)
    # "the" is in more than half of them, so its idf is the floored one; "zzz" is nowhere.
    for query in ["w1 w2 w2 the", "the the of", "zzz w5", "", *sentences(20, seed + 100)]:
        assert np.abs(ours.scores(query) - library.get_scores(tokens(query))).max() <= 1e-12


def test_the_best_come_first_and_ties_go_by_place() -> None:
    index = BM25Index(["x y", "copper melts", "x y", "iron rusts", "x y", "gold", "tin"])
    assert [hit.place for hit in index.top("x", 2)] == [0, 2]
    assert [hit.place for hit in index.top("x", 4)] == [0, 2, 4, 1]
    assert [hit.place for hit in index.top("rusts", 1)] == [3]


def test_top_agrees_with_a_full_stable_sort() -> None:
    corpus = sentences(300, 7)
    index = BM25Index(corpus)
    for query in sentences(20, 8):
        scores = index.scores(query)
        expected = sorted(range(len(corpus)), key=lambda i: (-scores[i], i))[:20]
        assert [hit.place for hit in index.top(query)] == expected


def test_small_and_empty_pools() -> None:
    assert BM25Index([]).top("anything") == []
    assert BM25Index(["   "]).scores("x").tolist() == [0.0]
    assert [hit.place for hit in BM25Index(["a b", "c d", "e f"]).top("c", 20)] == [1, 0, 2]
    # In half of the sentences: the idf is log(1.5) - log(1.5) = 0, so nothing tells the two apart.
    assert [hit.place for hit in BM25Index(["a b", "c d"]).top("c", 20)] == [0, 1]


def test_a_sentence_found_twice_counts_once() -> None:
    assert retrieval_score(["a", "a", "b"], ["a"]) == pytest.approx((0.5, 1.0, 2 / 3))
    assert retrieval_score(["x"], ["a"]) == (0.0, 0.0, 0.0)
    assert retrieval_score([], []) == (0.0, 0.0, 0.0)


def test_evidence_is_the_supporting_sentences_or_the_stated_ones() -> None:
    context = (
        ContextSentence(id="s1", title="T", ordinal=0, text="right", supporting=True),
        ContextSentence(id="s2", title="T", ordinal=1, text="distractor"),
    )
    graph = ReasoningGraph(
        id="g",
        question_id="q",
        polarity="positive",
        graph_type="bridge_2_1",
        steps=(Step(id="1", ordinal=0, text="one"), Step(id="2", ordinal=1, text="two")),
        edges=((0, 1),),
    )
    imported = EvaluationItem(question=QUESTION, positive=graph, context=context)
    own = EvaluationItem(question=QUESTION, positive=graph, gold=("long chunk",))
    bare = EvaluationItem(question=QUESTION, positive=None, gold=("long chunk",))
    assert evidence(imported) == ("right",)
    assert evidence(own) == ("one", "two")
    assert evidence(bare) == ("long chunk",)
    assert pool([own, imported, own]) == ("one", "two", "right")
