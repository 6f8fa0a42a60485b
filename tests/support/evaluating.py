"""Questions made by hand, and stand-ins for the graph and a model, for tests of the evaluation."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

from errors import NotFoundError
from evaluation.answering import ShortAnswer
from graph.models import (
    AnswerRecord,
    ContextSentence,
    EvaluationItem,
    QuestionRecord,
    ReasoningGraph,
    RunRecord,
    Step,
)
from graph.runs import AnswerKey
from graph.store import Graph
from llm import Endpoint, Message, ModelClient, Prices, Reply, ReplyOutcome, Usage


def reasoning_graph(
    question_id: str, texts: Sequence[str], edges: Sequence[tuple[int, int]], perturbation: str | None = None
) -> ReasoningGraph:
    """A graph whose steps state the texts."""
    identifier = f"{question_id}-{perturbation or 'positive'}-{len(edges)}"
    return ReasoningGraph(
        id=identifier,
        question_id=question_id,
        polarity="negative" if perturbation else "positive",
        perturbation=perturbation,
        graph_type=f"bridge_{len(texts)}_1",
        steps=tuple(Step(id=f"{identifier}/{n}", ordinal=n, text=text) for n, text in enumerate(texts)),
        edges=tuple(edges),
    )


def item(
    number: int,
    *,
    dataset: str = "set",
    source_format: str = "hotpotqa",
    graph_type: str = "bridge_2_1",
    cluster: str | None = None,
    negatives: bool = True,
) -> EvaluationItem:
    """A two-hop question about two made-up towns; its answer is river `R<number>`."""
    identifier = f"{dataset}-{number:04d}"
    texts = (
        f"Mayor {number} Smith governs the town Alton{number}.",
        f"R{number} flows through Alton{number}.",
    )
    return EvaluationItem(
        question=QuestionRecord(
            id=identifier,
            name=identifier,
            text=f"Which river flows through the town that mayor {number} Smith governs?",
            answer=f"R{number}",
            dataset=dataset,
            source_format=source_format,
            hops=2,
            graph_type=graph_type,
        ),
        positive=reasoning_graph(identifier, texts, [(0, 1)]),
        negatives=(
            (
                reasoning_graph(identifier, texts, [(1, 0)], "edge_reversed"),
                reasoning_graph(identifier, texts, [], "edge_removed"),
            )
            if negatives
            else ()
        ),
        gold=texts,
        context=tuple(
            ContextSentence(id=f"{identifier}/s{n}", title=f"T{n}", ordinal=0, text=text, supporting=True)
            for n, text in enumerate(texts)
        ),
        cluster=cluster,
    )


class MemoryRuns:
    """What `RunsRepository` does, in memory."""

    def __init__(self) -> None:
        self.runs: dict[str, RunRecord] = {}
        self.stored: dict[str, AnswerRecord] = {}
        self.batches: list[int] = []

    async def create(self, run: RunRecord) -> bool:
        return self.runs.setdefault(run.id, run) is run

    async def get(self, run_id: str) -> RunRecord:
        if run_id not in self.runs:
            raise NotFoundError(run_id)
        return self.runs[run_id]

    async def finish(self, run_id: str, at: Any) -> None:
        self.runs[run_id] = self.runs[run_id].model_copy(update={"finished": at})

    async def save_answers(self, run_id: str, answers: Sequence[AnswerRecord]) -> None:
        self.batches.append(len(answers))
        self.stored.update({answer.id: answer for answer in answers})

    async def answered(self, run_id: str) -> set[AnswerKey]:
        return {
            AnswerKey(a.question_id, a.condition, a.endpoint, a.epoch)
            for a in await self.answers(run_id)
            if a.status != "error"
        }

    async def answers(self, run_id: str) -> list[AnswerRecord]:
        return sorted((a for a in self.stored.values() if a.run_id == run_id), key=lambda a: a.id)

    async def spent(self, run_id: str) -> tuple[int, float]:
        answers = await self.answers(run_id)
        return len(answers), sum(answer.cost for answer in answers)


class MemoryQuestions:
    """The two calls of the questions repository that an evaluation makes."""

    def __init__(self, items: Sequence[EvaluationItem]) -> None:
        self.held = {each.question.id: each for each in items}
        self.most_read = 0

    async def accepted_ids(self, dataset: str, corpus: str | None = None) -> list[str]:
        return sorted(i for i, each in self.held.items() if each.question.dataset == dataset)

    async def items(self, *, ids: Sequence[str]) -> list[EvaluationItem]:
        self.most_read = max(self.most_read, len(ids))
        return [self.held[each] for each in ids if each in self.held]


class NoRelations:
    """A graph without evidence."""

    async def by_ids(self, ids: Sequence[str]) -> dict[str, Any]:
        return {}


def memory_graph(items: Sequence[EvaluationItem]) -> Graph:
    """A graph that holds these questions, in memory."""
    parts = {"questions": MemoryQuestions(items), "runs": MemoryRuns(), "relations": NoRelations()}
    return cast(Graph, SimpleNamespace(**parts))


Script = Callable[[str, int], tuple[ReplyOutcome, str]]


class ScriptedModel:
    """A `ModelClient` that answers by a function of the prompt and of how many came before."""

    def __init__(
        self, script: Script, *, name: str = "scripted", cost: float = 0.0, workers: int = 4
    ) -> None:
        self.endpoint = Endpoint(
            name=name,
            base_url="http://127.0.0.1:1/v1",
            model=f"{name}-1",
            prices=Prices(input=1.0, output=2.0),
            max_concurrency=workers,
        )
        self._script, self._cost = script, cost
        self.prompts: list[list[Message]] = []
        self.parameters: list[Mapping[str, Any] | None] = []

    async def ask(
        self,
        messages: Sequence[Message],
        schema: type[ShortAnswer],
        *,
        name: str = "reply",
        epoch: int = 1,
        parameters: Mapping[str, Any] | None = None,
    ) -> Reply[ShortAnswer]:
        self.prompts.append(list(messages))
        self.parameters.append(parameters)
        outcome, text = self._script(messages[-1]["content"], len(self.prompts))
        return Reply(
            value=schema(answer=text) if outcome == "ok" else None,
            outcome=outcome,
            text=text,
            error=None if outcome == "ok" else outcome,
            usage=Usage(100, 0, 10, 0),
            latency_s=0.5,
            wait_s=0.0,
            cost=self._cost,
            cached=False,
            endpoint=self.endpoint.name,
            model=self.endpoint.model,
            prompt_sha256=hashlib.sha256(messages[-1]["content"].encode()).hexdigest(),
        )

    @property
    def client(self) -> ModelClient:
        """Itself, as what the code expects."""
        return cast(ModelClient, self)
