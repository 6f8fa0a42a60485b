"""The plan of a run: which questions, which contexts, under which id.

A run's id is made from the spec, the answerers' fingerprints and the content of the questions, so
that the same request over the same questions finds the answers that are there, and any change of
prompt, model, parameters or question asks anew.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from domain.ids import stable_id
from errors import InputError
from evaluation.answering import Answerer, BaselineAnswerer, ModelAnswerer
from evaluation.baseline import NAME as BASELINE
from evaluation.conditions import ContextBuilder, check_conditions
from evaluation.items import ItemReader
from evaluation.retrieval import BM25Index, pool
from evaluation.spec import RunSpec
from graph.models import EvaluationItem
from llm import ModelClient


class Brief(NamedTuple):
    """The little that is kept in memory of every question."""

    id: str
    dataset: str
    graph_type: str


@dataclass(frozen=True)
class Plan:
    """A run, ready to be carried out."""

    run_id: str
    spec: RunSpec
    conditions: tuple[str, ...]
    answerers: dict[str, Answerer]
    builder: ContextBuilder
    chosen: tuple[Brief, ...]
    reader: ItemReader

    @property
    def question_ids(self) -> tuple[str, ...]:
        """Ids of the questions, in order."""
        return tuple(brief.id for brief in self.chosen)

    def items(self) -> AsyncIterator[EvaluationItem]:
        """The chosen questions in order, a page in memory at a time."""
        return self.reader.some(self.question_ids)


def make_answerers(spec: RunSpec, clients: Mapping[str, ModelClient]) -> dict[str, Answerer]:
    """An answerer for each endpoint of the spec.

    Raises:
        InputError: an endpoint has no client.
    """
    answerers: dict[str, Answerer] = {}
    for name in dict.fromkeys(spec.endpoints):
        if name == BASELINE:
            answerers[name] = BaselineAnswerer()
        elif name in clients:
            answerers[name] = ModelAnswerer(clients[name], spec.model_parameters)
        else:
            known = ", ".join([BASELINE, *sorted(clients)])
            raise InputError(f"There is no endpoint {name!r}; there are {known}.")
    return answerers


def cap_per_type(briefs: Sequence[Brief], most: int | None, seed: int) -> tuple[Brief, ...]:
    """At most so many questions of a graph type, all where there are fewer, drawn by the seed.

    Each question's place in the draw is a hash of seed and id, so that adding questions moves none
    of the others; the result is in order of id (reasoning-graph paper, section 3).
    """
    by_type: dict[str, list[Brief]] = defaultdict(list)
    for brief in briefs:
        by_type[brief.graph_type].append(brief)
    kept = [
        brief
        for members in by_type.values()
        for brief in sorted(members, key=lambda b: hashlib.sha256(f"{seed}/{b.id}".encode()).digest())[:most]
    ]
    return tuple(sorted(kept, key=lambda brief: brief.id))


async def make_plan(reader: ItemReader, spec: RunSpec, clients: Mapping[str, ModelClient]) -> Plan:
    """Read the questions once, choose, build the indexes, and name the run.

    Raises:
        InputError: an unknown condition or endpoint, or a data set without questions.
    """
    conditions = check_conditions(spec.conditions)
    answerers = make_answerers(spec, clients)
    briefs: list[Brief] = []
    content = hashlib.sha256()
    indexes: dict[str, BM25Index] = {}
    for dataset in dict.fromkeys(spec.datasets):
        sentences: dict[str, None] = {}
        before = len(briefs)
        async for item in reader.all(dataset, spec.corpus):
            briefs.append(Brief(item.question.id, dataset, item.question.graph_type))
            content.update(_content(item))
            if "bm25" in conditions:
                sentences.update(dict.fromkeys(pool([item])))
        if len(briefs) == before:
            where = f" in corpus {spec.corpus!r}" if spec.corpus else ""
            raise InputError(f"There are no accepted questions of {dataset!r}{where}.")
        if "bm25" in conditions:
            indexes[dataset] = BM25Index(tuple(sentences))
    return Plan(
        run_id=_run_id(spec, conditions, answerers, content.hexdigest()),
        spec=spec,
        conditions=conditions,
        answerers=answerers,
        builder=ContextBuilder(spec.seed, indexes, spec.top_k),
        chosen=cap_per_type(briefs, spec.per_type, spec.seed),
        reader=reader,
    )


def _content(item: EvaluationItem) -> bytes:
    """All of an item that a prompt or a score depends on."""
    question = item.question
    parts = [
        [question.id, question.text, question.answer, *question.aliases],
        list(item.gold),
        item.positive.id if item.positive else None,
        [graph.id for graph in item.negatives],
        list(pool([item])),
    ]
    return json.dumps(parts, ensure_ascii=False).encode()


def _run_id(spec: RunSpec, conditions: Sequence[str], answerers: Mapping[str, Answerer], content: str) -> str:
    request = spec.model_dump(
        mode="json", exclude={"name", "budget", "concurrency", "conditions", "endpoints", "parameters"}
    )
    identity = json.dumps(
        [request, list(conditions), {name: a.fingerprint for name, a in answerers.items()}, content],
        sort_keys=True,
    )
    return stable_id("run", identity)
