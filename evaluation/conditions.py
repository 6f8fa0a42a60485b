"""Conditions: what the answerer sees besides the question.

`closed_book` nothing; `gold` the supporting text of every hop, order shuffled by the seed;
`positive_graph` and `negative_graph` a reasoning graph in DOT (`negative_graph:KIND` only the
negatives of one kind); `bm25` the 20 best sentences of the pool. Sub-answers are in none of them.
The chemistry paper's two settings are closed_book and gold; the reasoning-graph paper's five
prompt types (its sections 3.2 and 3.3) are all five.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from errors import InputError
from graph.models import EvaluationItem, ReasoningGraph

if TYPE_CHECKING:  # it loads scipy, which nobody who only names a condition needs
    from evaluation.retrieval import BM25Index

TOP_K = 20  # sentences retrieved for a question (reasoning-graph paper, section 3.1)
CONDITIONS = ("closed_book", "gold", "positive_graph", "negative_graph", "bm25")
PERTURBATIONS = (
    "edge_added",
    "edge_removed",
    "edge_reversed",
    "edges_rewired",
    "node_added",
    "node_removed",
    "node_swapped",
    "distractors",
)


@dataclass(frozen=True)
class Context:
    """What one question comes with under one condition.

    `text` stands in the prompt. `passages` (and, for a graph, `edges` between their indices) say
    the same thing unrendered; nothing is in them that `text` does not show.
    """

    kind: Literal["none", "passages", "graph"]
    text: str = ""
    passages: tuple[str, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    graph_id: str | None = None
    perturbation: str | None = None


def check_conditions(names: Sequence[str]) -> tuple[str, ...]:
    """The names, without repeats, in their order.

    Raises:
        InputError: a name is no condition, or there is none.
    """
    if not names:
        raise InputError(f"No condition given; there are {', '.join(CONDITIONS)}.")
    for name in names:
        base, colon, kind = name.partition(":")
        if base not in CONDITIONS or (colon and (base != "negative_graph" or kind not in PERTURBATIONS)):
            raise InputError(
                f"There is no condition {name!r}; there are {', '.join(CONDITIONS)}, and "
                f"negative_graph:KIND with KIND one of {', '.join(PERTURBATIONS)}."
            )
    return tuple(dict.fromkeys(names))


class ContextBuilder:
    """Makes contexts, the same for the same seed.

    Args:
        seed: of the order of gold texts and of the draw of a negative graph.
        indexes: a BM25 index by data set, needed for `bm25` only.
        top_k: sentences that `bm25` shows.
    """

    def __init__(self, seed: int, indexes: Mapping[str, BM25Index], top_k: int = TOP_K) -> None:
        self._seed, self._indexes, self._top_k = seed, indexes, top_k

    def build(self, item: EvaluationItem, condition: str) -> Context | None:
        """The context, or None where the question has none of that kind (no negative, no gold)."""
        base, _, kind = condition.partition(":")
        if base == "closed_book":
            return Context("none")
        if base == "gold":
            return self._gold(item)
        if base == "positive_graph":
            return _graph(item.positive) if item.positive is not None else None
        if base == "negative_graph":
            return self._negative(item, kind)
        return self._retrieved(item)

    def _gold(self, item: EvaluationItem) -> Context | None:
        passages = [text for text in item.gold if text.strip()]
        random.Random(f"{self._seed}/{item.question.id}").shuffle(passages)
        return _passages(passages) if passages else None

    def _negative(self, item: EvaluationItem, kind: str) -> Context | None:
        drawn = [graph for graph in item.negatives if not kind or graph.perturbation == kind]
        if not drawn:
            return None
        drawn.sort(key=lambda graph: graph.id)
        digest = hashlib.sha256(f"{self._seed}/{item.question.id}".encode()).digest()
        return _graph(drawn[int.from_bytes(digest[:8]) % len(drawn)])

    def _retrieved(self, item: EvaluationItem) -> Context | None:
        index = self._indexes[item.question.dataset]
        hits = index.top(item.question.text, self._top_k)
        return _passages([index.sentences[hit.place] for hit in hits]) if hits else None


def _passages(passages: Sequence[str]) -> Context:
    text = "\n\n".join(f"[{number}] {passage}" for number, passage in enumerate(passages, start=1))
    return Context("passages", text, tuple(passages))


def _graph(graph: ReasoningGraph) -> Context:
    from qa.reasoning.dot import to_dot  # noqa: PLC0415 (its package loads more than its name says)

    steps = sorted(graph.steps, key=lambda step: step.ordinal)
    place = {step.ordinal: index for index, step in enumerate(steps)}
    return Context(
        "graph",
        to_dot(graph),
        tuple(step.text for step in steps),
        tuple((place[start], place[end]) for start, end in graph.edges),
        graph.id,
        graph.perturbation,
    )
