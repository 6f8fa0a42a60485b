"""Reasoning graphs in the graph, and the contexts of imported questions.

A reasoning graph is a node with its steps; a step belongs to one graph, leads to other steps of
it and states chunks (own questions) or sentences (imported ones). Writing is by stable ids, so
that doing it again changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graph.connection import Call, Connection
from graph.models import ContextSentence, ReasoningGraph, Step

_CAPTION = 40  # characters of a node's short name
_GRAPHS_AT_ONCE = 400


class ReasoningRepository:
    """Reads and writes reasoning graphs, and reads the contexts of questions."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    # ------------------------------------------------------------ writing

    async def store(self, graphs: Sequence[ReasoningGraph]) -> None:
        """Write graphs of questions that are there; a graph that is there already stays as it is."""
        for start in range(0, len(graphs), _GRAPHS_AT_ONCE):
            await self._connection.write_all(self.statements(graphs[start : start + _GRAPHS_AT_ONCE]))

    def statements(self, graphs: Sequence[ReasoningGraph]) -> list[Call]:
        """What `store` would run, for a transaction of the caller's that writes the question as well."""
        steps = [(graph, step) for graph in graphs for step in graph.steps]
        return filled(
            (
                "reasoning/graphs.merge",
                [
                    {"id": graph.id, "question_id": graph.question_id, "properties": _graph_properties(graph)}
                    for graph in graphs
                ],
            ),
            (
                "reasoning/graphs.merge_steps",
                [
                    {"id": step.id, "graph_id": graph.id, "properties": _step_properties(step)}
                    for graph, step in steps
                ],
            ),
            (
                "reasoning/graphs.merge_edges",
                [
                    {"source": graph.steps[source].id, "target": graph.steps[target].id}
                    for graph in graphs
                    for source, target in graph.edges
                ],
            ),
            (
                "reasoning/graphs.state_sentences",
                [
                    {"step": step.id, "sentence": sentence}
                    for _, step in steps
                    for sentence in step.sentence_ids
                ],
            ),
            (
                "reasoning/graphs.state_chunks",
                [{"step": step.id, "chunk": step.chunk_id} for _, step in steps if step.chunk_id],
            ),
        )

    async def replace_negatives(
        self, negatives: Mapping[str, Sequence[ReasoningGraph]], notes: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Give questions these negatives in place of those they have, in one transaction.

        Both are by question id; `notes` are properties for the positive graph: what the negatives
        were built with and what could not be built. A negative that is there already stays.
        """
        wanted = {graph.id for graphs in negatives.values() for graph in graphs}
        rows = await self._connection.read(
            "reasoning/graphs.of_questions", ids=sorted(negatives), polarity=None
        )
        positives = {
            row["graph"]["question_id"]: row["id"] for row in rows if row["graph"]["polarity"] == "positive"
        }
        there = {row["id"] for row in rows}
        stale = sorted(there - wanted - set(positives.values()))
        new = [graph for graphs in negatives.values() for graph in graphs if graph.id not in there]
        batch: list[Call] = [("reasoning/graphs.remove", {"ids": stale})] if stale else []
        noted = [
            {"id": positives[question], "properties": dict(properties)}
            for question, properties in notes.items()
            if question in positives
        ]
        batch += [*self.statements(new), *filled(("reasoning/graphs.note", noted))]
        if batch:
            await self._connection.write_all(batch)

    # ------------------------------------------------------------ reading

    async def get(self, graph_id: str) -> ReasoningGraph | None:
        """One graph with its steps."""
        rows = await self._connection.read("reasoning/graphs.get", ids=[graph_id])
        return next(iter(await self._with_steps(rows)), None)

    async def of_questions(
        self, question_ids: Sequence[str], polarity: str | None = None
    ) -> dict[str, list[ReasoningGraph]]:
        """The graphs of questions by question id, the positive first, then negatives by id."""
        found: dict[str, list[ReasoningGraph]] = {question: [] for question in question_ids}
        rows = await self._connection.read(
            "reasoning/graphs.of_questions", ids=list(found), polarity=polarity
        )
        for graph in await self._with_steps(rows):
            found[graph.question_id].append(graph)
        return found

    async def _with_steps(self, rows: Sequence[Mapping[str, Any]]) -> list[ReasoningGraph]:
        ids = [row["graph"]["id"] for row in rows]
        steps: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for row in await self._connection.read("reasoning/graphs.steps", ids=ids) if ids else []:
            steps[row["graph_id"]].append(row)
        return [_graph(row["graph"], steps[row["graph"]["id"]]) for row in rows]

    async def contexts(self, question_ids: Sequence[str]) -> dict[str, tuple[ContextSentence, ...]]:
        """The sentences that came with each question, in order; empty for own questions."""
        found: dict[str, list[ContextSentence]] = {question: [] for question in question_ids}
        for row in await self._connection.read("reasoning/datasets.contexts", ids=list(found)):
            found[row["question_id"]].append(
                ContextSentence(**{name: row[name] for name in ContextSentence.model_fields})
            )
        return {question: tuple(sentences) for question, sentences in found.items()}

    async def positives(self, dataset: str, after: str = "", limit: int = 200) -> list[dict[str, Any]]:
        """`{question_id, id, negatives_of}` of accepted questions, by question id from `after` on."""
        return await self._connection.read(
            "reasoning/graphs.positives", dataset=dataset, after=after, limit=limit
        )

    async def dataset_steps(self, dataset: str, after: str = "", limit: int = 2000) -> list[Step]:
        """Steps of the positives of a question set or data set, by id from `after` on."""
        rows = await self._connection.read(
            "reasoning/graphs.dataset_steps", dataset=dataset, after=after, limit=limit
        )
        return [_step(row["step"]) for row in rows]

    async def counts(self, dataset: str) -> list[dict[str, Any]]:
        """`{polarity, perturbation, hardness, graph_type, graphs}` of a data set."""
        return await self._connection.read("reasoning/graphs.counts", dataset=dataset)

    async def types(self, graph_ids: Iterable[str]) -> dict[str, str]:
        """The type of each graph, decided by the engine from its stored shape."""
        rows = await self._connection.read("reasoning/classify", ids=list(graph_ids))
        return {row["id"]: row["type"] for row in rows}


# ---------------------------------------------------------------- rows


def filled(*calls: tuple[str, Sequence[Mapping[str, Any]]]) -> list[Call]:
    """The statements that have rows to work on."""
    return [(name, {"rows": list(rows)}) for name, rows in calls if rows]


def _graph_properties(graph: ReasoningGraph) -> dict[str, Any]:
    kept = graph.model_dump(mode="json", exclude={"steps", "edges", "question_id"})
    name = graph.graph_type if graph.polarity == "positive" else f"not {graph.graph_type}"
    return {**kept, "name": name, "nodes": len(graph.steps), "edges": len(graph.edges)}


def _step_properties(step: Step) -> dict[str, Any]:
    kept = step.model_dump(mode="json")
    return {**kept, "name": caption(f"{step.ordinal + 1} {step.title or step.text}")}


def caption(text: str) -> str:
    short = " ".join(text.split())
    return short if len(short) <= _CAPTION else short[: _CAPTION - 1] + "…"


def _step(properties: Mapping[str, Any]) -> Step:
    return Step(**{name: properties[name] for name in Step.model_fields if properties.get(name) is not None})


def _graph(properties: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> ReasoningGraph:
    steps = sorted((_step(row["step"]) for row in rows), key=lambda step: step.ordinal)
    edges = sorted((row["step"]["ordinal"], target) for row in rows for target in row["leads_to"])
    plain = {name: properties.get(name) for name in ReasoningGraph.model_fields}
    plain["rules"] = properties.get("rules") or ()
    return ReasoningGraph(**{**plain, "steps": tuple(steps), "edges": tuple(edges)})
