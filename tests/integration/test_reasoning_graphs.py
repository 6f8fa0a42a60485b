"""Reasoning graphs and imported data sets in the running engine."""

from __future__ import annotations

import json
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest

from domain.ids import stable_id
from errors import ConflictError, InputError, NotFoundError
from graph.models import QuestionRecord, ReasoningGraph
from graph.questions import question_properties
from graph.store import Graph
from qa.datasets import build_negatives, import_file
from qa.reasoning import NegativeOptions
from qa.reasoning.negative import graph_key
from qa.reasoning.positive import Node, steps_of
from qa.reasoning.shapes import GRAPH_TYPES, classify
from settings import REPOSITORY

pytestmark = pytest.mark.engine

SAMPLES = REPOSITORY / "samples" / "datasets"


def shaped(n: int, edges: tuple[tuple[int, int], ...]) -> ReasoningGraph:
    graph_id = stable_id("rgr", "shape", n, edges)
    return ReasoningGraph(
        id=graph_id,
        question_id="qst_shapes",
        polarity="negative",
        graph_type=classify(n, edges),
        steps=steps_of(graph_id, [Node(text=f"fact {number}") for number in range(n)]),
        edges=edges,
    )


async def question(graph: Graph, identifier: str, dataset: str = "shapes") -> None:
    record = QuestionRecord(
        id=identifier,
        name="q",
        text="Which?",
        answer="it",
        dataset=dataset,
        source_format="catenane",
        hops=1,
        graph_type="bridge_1_1",
    )
    await graph.write(
        "questions/merge", rows=[{"id": record.id, "properties": question_properties(record)}]
    )


async def test_the_engine_decides_every_type_as_python_does(graph: Graph) -> None:
    """All shapes of up to three nodes, cycles included, all acyclic ones of four, the twelve and larger."""
    await question(graph, "qst_shapes")
    shapes = [(n, edges) for n, edges in GRAPH_TYPES.values()]
    for n in (1, 2, 3):
        pairs = list(permutations(range(n), 2))
        shapes += [(n, chosen) for size in range(len(pairs) + 1) for chosen in combinations(pairs, size)]
    forward = list(combinations(range(4), 2))
    shapes += [(4, chosen) for size in range(len(forward) + 1) for chosen in combinations(forward, size)]
    shapes += [
        (6, tuple((i, i + 1) for i in range(5))),
        (6, ((0, 1), (1, 2), (3, 4), (4, 5))),
        (7, tuple((i, 6) for i in range(6))),
        (6, ()),
        (8, tuple((i, (i + 3) % 8) for i in range(8))),
    ]
    graphs = {one.id: one for one in (shaped(n, tuple(sorted(edges))) for n, edges in shapes)}
    await graph.reasoning.store(list(graphs.values()))
    assert await graph.reasoning.types(graphs) == {one.id: one.graph_type for one in graphs.values()}
