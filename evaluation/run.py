"""Carrying out a run: ask only what is missing, keep what was answered, stop cleanly.

Every stored answer is a checkpoint, unique by (run, question, condition, endpoint, epoch). A run
that was cancelled, ran out of budget or was killed goes on when the same spec is given again.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel

from domain.progress import Progress, silent
from evaluation import baseline, prompts
from evaluation.answering import Answerer, messages
from evaluation.items import ItemReader
from evaluation.plan import Plan, make_plan
from evaluation.scoring import Task, score
from evaluation.spec import Estimate, RunSpec
from evaluation.summary import Cell, cells
from graph.models import AnswerRecord, RunRecord
from graph.runs import AnswerKey
from graph.store import Graph
from llm import ModelClient

BATCH = 100  # answers written together...
FLUSH_S = 1.0  # ...or whatever there is after this long
TELL_S = 0.2  # progress is told this often
GRACE_S = 10.0  # how long calls under way may finish once a run has to stop
_GUESS = {"tokens": 30, "thinking": 1000, "seconds": 2.0}  # of a reply, where nothing is known


class RunResult(BaseModel):
    """What a run has come to.

    `asked` counts answers given now, `reused` those stored before. `not_applicable` are, by
    condition, questions that have no such context. `cells` are by endpoint and condition.
    """

    run_id: str
    name: str
    questions: int
    asked: int
    reused: int
    errors: int
    not_applicable: dict[str, int]
    stopped: Literal["budget"] | None
    cost: float
    cells: list[Cell]

    def summary(self, endpoint: str | None = None) -> dict[str, dict[str, Any]]:
        """`{condition: {n, em, em_ci, f1, f1_ci}}` of one endpoint, by default the first."""
        names = [cell.keys["endpoint"] for cell in self.cells]
        wanted = endpoint or (names[0] if names else "")
        return {
            cell.keys["condition"]: {
                "n": cell.n,
                "em": cell.em,
                "em_ci": [cell.em_ci.low, cell.em_ci.high],
                "f1": cell.f1,
                "f1_ci": [cell.f1_ci.low, cell.f1_ci.high],
            }
            for cell in self.cells
            if cell.keys["endpoint"] == wanted
        }


class _Tasks:
    """What is still to be asked of one endpoint, made while it is asked for."""

    def __init__(self, plan: Plan, endpoint: str, answered: set[AnswerKey]) -> None:
        self._plan, self._endpoint, self._answered = plan, endpoint, answered
        self.not_applicable: Counter[str] = Counter()

    async def remaining(self) -> AsyncGenerator[Task, None]:
        async for item in self._plan.items():
            for condition in self._plan.conditions:
                keys = [
                    AnswerKey(item.question.id, condition, self._endpoint, epoch)
                    for epoch in range(1, self._plan.spec.epochs + 1)
                ]
                missing = [key for key in keys if key not in self._answered]
                # The context is built also where nothing is missing: it says what is not applicable.
                context = self._plan.builder.build(item, condition)
                if context is None:
                    self.not_applicable[condition] += 1
                    continue
                for key in missing:
                    yield Task(key, item, context)


class _Store:
    """Takes answers, writes them in batches, keeps count, and says when to stop."""

    def __init__(self, graph: Graph, plan: Plan, progress: Progress, *, stored: int, cost: float) -> None:
        self._graph, self._plan, self._progress = graph, plan, progress
        self._total = len(plan.chosen) * len(plan.conditions) * plan.spec.epochs * len(plan.answerers)
        self._waiting: list[AnswerRecord] = []
        self._lock = asyncio.Lock()
        self._flushed = self._told = time.monotonic()
        self.asked, self._done, self.cost = 0, stored, cost
        self.failure: BaseException | None = None
        self.over_budget = self._exceeds()

    @property
    def stopping(self) -> bool:
        """Whether no further question should be asked."""
        return self.failure is not None or self.over_budget

    def _exceeds(self) -> bool:
        budget = self._plan.spec.budget
        return budget is not None and self.cost > 0 and self.cost >= budget

    async def add(self, answer: AnswerRecord) -> None:
        self._waiting.append(answer)
        self.asked += 1
        self._done += 1
        self.cost += answer.cost
        self.over_budget = self.over_budget or self._exceeds()
        now = time.monotonic()
        if len(self._waiting) >= BATCH or now - self._flushed >= FLUSH_S:
            await self.flush()
        if now - self._told >= TELL_S:
            self._told = now
            self.tell()

    def tell(self) -> None:
        self._progress(min(self._done, self._total), self._total, "answers")

    def complete(self) -> None:
        """All that can be answered is; questions without a context are passed over."""
        self._progress(self._total, self._total, "answers")

    async def flush(self) -> None:
        async with self._lock:
            batch = list(self._waiting)
            self._flushed = time.monotonic()
            if batch:
                await self._graph.runs.save_answers(self._plan.run_id, batch)
                del self._waiting[: len(batch)]  # only now: what was not written is tried again


async def _pump(
    tasks: AsyncGenerator[Task, None], answerer: Answerer, workers: int, plan: Plan, store: _Store
) -> None:
    """A few workers that pull from one iterator: memory does not grow with the questions."""
    pulling = asyncio.Lock()

    async def work() -> None:
        while not store.stopping:
            async with pulling:
                task = await anext(tasks, None)
            if task is None:
                return
            given = await answerer.answer(task.item, task.context, task.key.epoch)
            record = score(plan.run_id, task, answerer, given, plan.spec.scorer)
            await store.add(record)

    async def watched() -> None:
        try:
            await work()
        except Exception as error:  # the first failure stops the run; see execute_run
            store.failure = store.failure or error

    running = [asyncio.create_task(watched()) for _ in range(workers)]
    try:
        pending = set(running)
        while pending and not store.stopping:
            _, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        if pending:
            _, pending = await asyncio.wait(pending, timeout=GRACE_S)
    finally:
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await tasks.aclose()


async def execute_run(
    graph: Graph,
    spec: RunSpec,
    *,
    clients: Mapping[str, ModelClient] | None = None,
    progress: Progress = silent,
) -> RunResult:
    """Carry out a run, or go on with it; the same spec over the same questions asks nothing twice.

    Args:
        graph: where the questions are and the answers go.
        spec: what to do.
        clients: by endpoint name; the baseline needs none.
        progress: called with answers given, of all; `JobCancelled` from it stops the run, and what
            was answered is kept.

    Raises:
        InputError: an unknown condition, endpoint or data set.
        ModelError: an endpoint cannot be used at all; what was answered before is kept.
    """
    plan = await make_plan(ItemReader(graph), spec, clients or {})
    await graph.runs.create(_record(plan))
    answered = await graph.runs.answered(plan.run_id)
    _, cost = await graph.runs.spent(plan.run_id)
    tasks = {name: _Tasks(plan, name, answered) for name in plan.answerers}
    store = _Store(graph, plan, progress, stored=len(answered), cost=cost)
    store.tell()
    try:
        await asyncio.gather(
            *(
                _pump(tasks[name].remaining(), answerer, _workers(answerer, spec), plan, store)
                for name, answerer in plan.answerers.items()
            )
        )
    finally:
        await store.flush()
    if store.failure is not None:
        raise store.failure
    answers = await graph.runs.answers(plan.run_id)
    errors = sum(answer.status == "error" for answer in answers)
    if not store.over_budget:
        store.complete()
        if store.asked or (await graph.runs.get(plan.run_id)).finished is None:
            await graph.runs.finish(plan.run_id, None if errors else datetime.now(UTC))
    return RunResult(
        run_id=plan.run_id,
        name=_name(spec),
        questions=len(plan.chosen),
        asked=store.asked,
        reused=len(answered),
        errors=errors,
        not_applicable=dict(next(iter(tasks.values())).not_applicable),
        stopped="budget" if store.over_budget else None,
        cost=store.cost,
        cells=cells(answers, ("endpoint", "condition"), seed=spec.seed),
    )


def _workers(answerer: Answerer, spec: RunSpec) -> int:
    return min(answerer.workers, spec.concurrency or answerer.workers)


def _name(spec: RunSpec) -> str:
    return spec.name or f"{', '.join(spec.datasets)} by {', '.join(spec.endpoints)}"


def _record(plan: Plan) -> RunRecord:
    spec = plan.spec
    settings = {
        "scorer": spec.scorer,
        "epochs": str(spec.epochs),
        "top_k": str(spec.top_k),
        "prompts_sha256": prompts.sha256(),
        "baseline": f"{baseline.VERSION}: {baseline.LABEL}",
        **({"corpus": spec.corpus} if spec.corpus else {}),
        **{f"parameter {key}": str(value) for key, value in spec.model_parameters.items()},
        **{f"model {name}": answerer.model for name, answerer in plan.answerers.items()},
    }
    return RunRecord(
        id=plan.run_id,
        name=_name(spec),
        created=datetime.now(UTC),
        datasets=tuple(dict.fromkeys(spec.datasets)),
        conditions=plan.conditions,
        endpoints=tuple(plan.answerers),
        seed=spec.seed,
        per_type=spec.per_type,
        settings=settings,
        question_ids=plan.question_ids,
    )


async def estimate(
    graph: Graph, spec: RunSpec, *, clients: Mapping[str, ModelClient] | None = None
) -> Estimate:
    """What is left to do for a spec, without asking anything.

    Prompt tokens are a quarter of the prompt's characters; a reply is taken as 30 tokens, 1,000
    more where the endpoint thinks, and 2 seconds, with as many calls at once as allowed.

    Raises:
        InputError: as `execute_run`.
    """
    clients = clients or {}
    plan = await make_plan(ItemReader(graph), spec, clients)
    answered = await graph.runs.answered(plan.run_id)
    by_endpoint: dict[str, dict[str, float]] = {}
    not_applicable: dict[str, int] = {}
    for name, answerer in plan.answerers.items():
        tasks = _Tasks(plan, name, answered)
        calls, characters = 0, 0
        async for task in tasks.remaining():
            calls += 1
            if name in clients:
                prompt = messages(task.item.question.text, task.context)
                characters += sum(len(message["content"]) for message in prompt)
        not_applicable = dict(tasks.not_applicable)
        by_endpoint[name] = {"answers": calls, "tokens_in": characters // 4}
        if name in clients:
            endpoint = clients[name].endpoint
            out = calls * (_GUESS["tokens"] + _GUESS["thinking"] * endpoint.reasoning)
            price_in, price_out = endpoint.prices.input, endpoint.prices.output
            by_endpoint[name] |= {
                "tokens_out": out,
                "cost": (characters / 4 * price_in + out * price_out) / 1e6,
                "seconds": calls * _GUESS["seconds"] / _workers(answerer, spec),
            }

    def total(what: str) -> float:
        return sum(values.get(what, 0) for values in by_endpoint.values())

    return Estimate(
        run_id=plan.run_id,
        questions=len(plan.chosen),
        calls=int(sum(values["answers"] for name, values in by_endpoint.items() if name in clients)),
        answers=int(total("answers")),
        answered=len(answered),
        not_applicable=not_applicable,
        tokens_in=int(total("tokens_in")),
        tokens_out=int(total("tokens_out")),
        cost=total("cost"),
        seconds=max((values.get("seconds", 0.0) for values in by_endpoint.values()), default=0.0),
        by_endpoint=by_endpoint,
    )
