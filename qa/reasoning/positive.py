"""Positive reasoning graphs: the stated facts of a question and how they lead to its answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from domain.ids import stable_id
from graph.models import ReasoningGraph, Step
from qa.reasoning.shapes import Edge, checked_edges, classify, topological_order


@dataclass(frozen=True, slots=True)
class Node:
    """What a step states and where it stands, before it has a place in a graph."""

    text: str
    title: str = ""
    sentence_ordinal: int | None = None
    sub_question: str | None = None
    sub_answer: str | None = None
    relation_id: str | None = None
    chunk_id: str | None = None
    sentence_ids: tuple[str, ...] = ()

    @classmethod
    def of(cls, step: Step) -> Node:
        """The node that a stored step was made of."""
        return cls(**{name: getattr(step, name) for name in cls.__slots__})

    @property
    def label(self) -> tuple[str, str]:
        """What tells two nodes apart where graphs are compared: title and text."""
        return self.title, self.text


def positive_id(question_id: str) -> str:
    """The id of the positive graph of a question; a question has exactly one."""
    return stable_id("rgr", question_id, "positive")


def steps_of(graph_id: str, nodes: Sequence[Node]) -> tuple[Step, ...]:
    """The nodes as steps of one graph, numbered from 0 in the order given."""
    return tuple(
        Step(
            id=stable_id("stp", graph_id, ordinal),
            ordinal=ordinal,
            **{name: getattr(node, name) for name in Node.__slots__},
        )
        for ordinal, node in enumerate(nodes)
    )


def build_positive(
    question_id: str, nodes: Sequence[Node], edges: Iterable[Sequence[int]], *, rules: Sequence[str] = ()
) -> ReasoningGraph:
    """The positive graph over `nodes`, renumbered so that every edge leads forward.

    Args:
        question_id: the question it belongs to.
        nodes: at least one, in the order in which ties are kept.
        edges: pairs of indices into `nodes`, from a fact to the fact that needs it.
        rules: which rules fired while nodes and edges were chosen; kept on the graph.

    Raises ValueError where the edges form a cycle or name no node.
    """
    pairs = checked_edges(len(nodes), edges)
    order = topological_order(len(nodes), pairs)
    place = {node: ordinal for ordinal, node in enumerate(order)}
    renumbered: tuple[Edge, ...] = tuple(sorted((place[source], place[target]) for source, target in pairs))
    graph_id = positive_id(question_id)
    return ReasoningGraph(
        id=graph_id,
        question_id=question_id,
        polarity="positive",
        graph_type=classify(len(nodes), renumbered),
        steps=steps_of(graph_id, [nodes[index] for index in order]),
        edges=renumbered,
        rules=tuple(rules),
    )
