"""Negatives for every accepted question of a data set or question set that has a positive graph.

Foreign sentences come from the question's own context (imported sets with distractor paragraphs)
or from the other questions of the set (our own sets and ChemKG, which have no distractors).
Building again with the same seed, options and pool writes nothing; with others it replaces.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from domain.ids import sha256
from domain.progress import Progress, silent
from errors import InputError, NotFoundError
from graph.models import ContextSentence, ReasoningGraph
from qa.datasets.report import NegativesReport
from qa.reasoning.negative import NegativeOptions, Negatives, Pool, make_negatives, pool_hash
from qa.reasoning.positive import Node

if TYPE_CHECKING:
    from graph.store import Graph

_BATCH = 50
_MOST_IN_POOL = 20_000  # sentences of a data set's pool that are kept, by a seeded choice
_PER_QUESTION = 64  # of them offered to one question
_VERSION = 1  # of how negatives are built

# Formats whose records bring distractor paragraphs of their own.
_WITH_DISTRACTORS = ("hotpotqa", "musique", "2wiki")


async def build_negatives(
    graph: Graph,
    dataset: str,
    *,
    seed: int,
    options: NegativeOptions | None = None,
    progress: Progress = silent,
) -> NegativesReport:
    """Build and store the negatives of `dataset`, an imported data set or a question set of our own.

    Args:
        seed: the same seed over the same graphs and pool gives the same negatives.
        options: numbers, kinds and pool; by default those of the paper's appendix A, with the
            question's context as pool where the source has distractors, else the data set.

    Raises NotFoundError where there is no question with a positive graph.
    """
    known = await graph.datasets.get(dataset)
    source_format = known["source_format"] if known else "catenane"
    if options is None:
        options = NegativeOptions(pool="context" if source_format in _WITH_DISTRACTORS else "dataset")
    if options.pool == "context" and source_format not in _WITH_DISTRACTORS:
        raise InputError(f"The questions of {dataset} have no distractor paragraphs; use the pool 'dataset'.")
    builder = _Building(graph, dataset, seed, options)
    await builder.prepare(imported=source_format in _WITH_DISTRACTORS)
    total = sum(
        row["graphs"] for row in await graph.reasoning.counts(dataset) if row["polarity"] == "positive"
    )
    after = ""
    while rows := await graph.reasoning.positives(dataset, after, _BATCH):
        await builder.batch(rows)
        after = rows[-1]["question_id"]
        progress(builder.report.questions, total, f"{builder.report.negatives} negatives")
    if not builder.report.questions:
        raise NotFoundError(
            f"There is no data set or question set {dataset!r} with positive reasoning graphs."
        )
    return builder.report


class _Building:
    """The building of one data set's negatives."""

    def __init__(self, graph: Graph, dataset: str, seed: int, options: NegativeOptions) -> None:
        self.graph, self.dataset, self.seed, self.options = graph, dataset, seed, options
        self.report = NegativesReport(dataset, seed, options.pool)
        self._shared: list[Node] = []

    async def prepare(self, *, imported: bool) -> None:
        """Read the pool of the whole data set, where that is what is asked for."""
        if self.options.pool == "dataset":
            self._shared = await (self._sentences() if imported else self._steps())
            self.report.pool_sha256 = pool_hash(self._shared)

    async def _steps(self) -> list[Node]:
        """What the steps of the set's positives state, each once."""
        chosen = _Choice(self.seed)
        after = ""
        while steps := await self.graph.reasoning.dataset_steps(self.dataset, after):
            for step in steps:
                node = Node(
                    text=step.text,
                    title=step.title,
                    sentence_ordinal=step.sentence_ordinal,
                    chunk_id=step.chunk_id,
                    sentence_ids=step.sentence_ids,
                )
                chosen.offer(node)
            after = steps[-1].id
        return chosen.nodes()

    async def _sentences(self) -> list[Node]:
        """All sentences of an imported data set."""
        chosen = _Choice(self.seed)
        after = ""
        while sentences := await self.graph.datasets.sentences(self.dataset, after):
            for sentence in sentences:
                if sentence.text.strip():
                    chosen.offer(_sentence_node(sentence))
            after = sentences[-1].id
        return chosen.nodes()

    async def batch(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Build for some questions and store what is new."""
        ids = [row["question_id"] for row in rows]
        graphs = await self.graph.reasoning.of_questions(ids, "positive")
        contexts = await self.graph.reasoning.contexts(ids) if self.options.pool == "context" else {}
        built: dict[str, Sequence[ReasoningGraph]] = {}
        notes: dict[str, dict[str, Any]] = {}
        for row in rows:
            question_id = row["question_id"]
            positive = graphs[question_id][0]
            pool = self._pool(positive, contexts.get(question_id, ()))
            made = make_negatives(positive, pool, seed=self.seed, options=self.options)
            self._count(made)
            recipe = self._recipe(positive, pool)
            if row["negatives_of"] != recipe:
                built[question_id] = made.graphs
                notes[question_id] = {
                    "negatives_of": recipe,
                    "negatives_shortfall": [
                        f"{n} x {reason}" for reason, n in sorted(made.shortfall.items())
                    ],
                    "negatives_impossible": list(made.impossible),
                }
        if built:
            await self.graph.reasoning.replace_negatives(built, notes)
            self.report.built += sum(len(graphs_of) for graphs_of in built.values())

    def _count(self, made: Negatives) -> None:
        report = self.report
        report.questions += 1
        report.negatives += len(made.graphs)
        report.by_kind.update(Counter(str(graph.perturbation) for graph in made.graphs))
        report.by_hardness.update(Counter(str(graph.hardness) for graph in made.graphs))
        report.shortfall.update(made.shortfall)
        report.impossible.update(made.impossible)

    def _recipe(self, positive: ReasoningGraph, pool: Pool) -> str:
        """What decides the negatives of a question; equal means that there is nothing to do."""
        options = asdict(self.options)
        shape = [[step.id, step.text] for step in positive.steps], list(positive.edges)
        return sha256(json.dumps([_VERSION, self.seed, options, pool.sha256, shape], sort_keys=True))

    def _pool(self, positive: ReasoningGraph, context: Sequence[ContextSentence]) -> Pool:
        if self.options.pool == "dataset":
            return self._shared_pool(positive)
        own = _Own(positive, context)
        gold = {sentence.paragraph for sentence in context if sentence.supporting}
        free = [sentence for sentence in context if sentence.text.strip() and not own.has(sentence)]
        nodes = {sentence.id: _sentence_node(sentence) for sentence in free}
        far = {sentence.id for sentence in free if sentence.paragraph not in gold}
        return Pool(
            near=tuple(nodes.values()),
            far=tuple(node for identifier, node in nodes.items() if identifier in far),
            sha256=pool_hash(nodes.values()),
        )

    def _shared_pool(self, positive: ReasoningGraph) -> Pool:
        """A seeded few of the data set's sentences, none of them this question's own."""
        own = _Own(positive, ())
        found: dict[tuple[str, str], Node] = {}
        for turn in range(4 * _PER_QUESTION if self._shared else 0):
            place = int(sha256(f"{self.seed}\x1f{positive.question_id}\x1f{turn}")[:15], 16)
            node = self._shared[place % len(self._shared)]
            if not own.has_node(node):
                found.setdefault(node.label, node)
            if len(found) == _PER_QUESTION:
                break
        nodes = tuple(found.values())
        return Pool(near=nodes, far=nodes, sha256=self.report.pool_sha256 or "")


class _Own:
    """What a question's own sentences are, so that none of them is taken for a foreign one."""

    def __init__(self, positive: ReasoningGraph, context: Sequence[ContextSentence]) -> None:
        self._texts = {_folded(step.text) for step in positive.steps}
        self._texts |= {_folded(sentence.text) for sentence in context if sentence.supporting}
        self._sentences = {identifier for step in positive.steps for identifier in step.sentence_ids}
        self._chunks = {step.chunk_id for step in positive.steps if step.chunk_id}

    def has(self, sentence: ContextSentence) -> bool:
        return sentence.id in self._sentences or _folded(sentence.text) in self._texts

    def has_node(self, node: Node) -> bool:
        return (
            node.chunk_id in self._chunks
            or not self._sentences.isdisjoint(node.sentence_ids)
            or _folded(node.text) in self._texts
        )


class _Choice:
    """The first nodes in a seeded order, each label once; keeps at most the pool's size in memory."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._heap: list[tuple[int, tuple[str, str], Node]] = []
        self._labels: set[tuple[str, str]] = set()

    def offer(self, node: Node) -> None:
        if node.label in self._labels:
            return
        weight = -int(sha256(f"{self._seed}\x1f{node.title}\x1f{node.text}")[:15], 16)
        entry = (weight, node.label, node)
        if len(self._heap) < _MOST_IN_POOL:
            heapq.heappush(self._heap, entry)
        elif entry[:2] > self._heap[0][:2]:
            gone = heapq.heapreplace(self._heap, entry)
            self._labels.discard(gone[1])
        else:
            return
        self._labels.add(node.label)

    def nodes(self) -> list[Node]:
        return [entry[2] for entry in sorted(self._heap, key=lambda entry: entry[:2], reverse=True)]


def _sentence_node(sentence: ContextSentence) -> Node:
    return Node(
        text=sentence.text.strip(),
        title=sentence.title,
        sentence_ordinal=sentence.ordinal,
        sentence_ids=(sentence.id,),
    )


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
