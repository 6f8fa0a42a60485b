"""Runs over a graph in memory: resumed, cancelled, over budget, failed, bounded."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from errors import InputError, JobCancelled, ModelError
from evaluation import run as run_module
from evaluation.plan import Brief, cap_per_type
from evaluation.run import estimate, execute_run
from evaluation.spec import RunSpec
from llm import ReplyOutcome
from tests.support.evaluating import MemoryRuns, ScriptedModel, item, memory_graph

SPEC = RunSpec(datasets=("set",), seed=5)


def right(prompt: str, n: int) -> tuple[ReplyOutcome, str]:
    number = prompt.rsplit("that mayor ", 1)[1].split(maxsplit=1)[0]
    return "ok", f"R{number}"


def runs_of(graph: Any) -> MemoryRuns:
    runs = graph.runs
    assert isinstance(runs, MemoryRuns)
    return runs


async def test_every_question_under_every_condition() -> None:
    graph = memory_graph([item(n) for n in range(30)])
    result = await execute_run(graph, SPEC)
    assert (result.questions, result.asked, result.reused, result.errors) == (30, 150, 0, 0)
    by_condition = {cell.keys["condition"]: cell for cell in result.cells}
    assert by_condition["closed_book"].outcomes == {"refused": 30}
    assert (by_condition["closed_book"].n, by_condition["closed_book"].em) == (30, 0.0)
    # The sentence that nothing follows names the river right beside the words asked for.
    assert by_condition["positive_graph"].em == 1.0
    assert set(result.summary()) == set(SPEC.conditions)
    assert result.summary()["gold"]["n"] == 30 and len(result.summary()["gold"]["em_ci"]) == 2
    assert (await runs_of(graph).get(result.run_id)).finished is not None


async def test_the_same_spec_again_asks_nothing() -> None:
    graph = memory_graph([item(n) for n in range(8)])
    model = ScriptedModel(right)
    spec = SPEC.model_copy(update={"endpoints": ("scripted", "baseline"), "epochs": 2})
    first = await execute_run(graph, spec, clients={"scripted": model.client})
    assert first.asked == 8 * 5 * 2 * 2 and len(model.prompts) == 80
    again = await execute_run(
        graph, spec.model_copy(update={"name": "other", "budget": 9.0}), clients={"scripted": model.client}
    )
    assert (again.run_id, again.asked, again.reused) == (first.run_id, 0, 160)
    assert len(model.prompts) == 80
    assert again.cells == first.cells


async def test_another_request_is_another_run() -> None:
    items = [item(n) for n in range(4)]
    ids = {(await execute_run(memory_graph(items), SPEC)).run_id for _ in range(2)}
    assert len(ids) == 1
    for change in ({"seed": 6}, {"conditions": ("gold",)}, {"epochs": 2}, {"per_type": 2}, {"top_k": 3}):
        ids.add((await execute_run(memory_graph(items), SPEC.model_copy(update=change))).run_id)
    changed = items[0].question.model_copy(update={"text": "Which river?"})
    ids.add(
        (
            await execute_run(
                memory_graph([items[0].model_copy(update={"question": changed}), *items[1:]]), SPEC
            )
        ).run_id
    )
    assert len(ids) == 7


async def test_cancelled_in_the_middle_then_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    items = [item(n) for n in range(40)]
    whole = await execute_run(memory_graph(items), SPEC)
    graph = memory_graph(items)

    def cancel(done: int, total: int | None, message: str = "") -> None:
        if done >= 60:
            raise JobCancelled("enough")

    monkeypatch.setattr(run_module, "TELL_S", 0.0)
    with pytest.raises(JobCancelled):
        await execute_run(graph, SPEC, progress=cancel)
    kept = len(runs_of(graph).stored)
    assert kept == 60
    resumed = await execute_run(graph, SPEC)
    assert (resumed.asked, resumed.reused) == (200 - kept, kept)
    assert resumed.run_id == whole.run_id
    strip = {"latency_s"}
    assert [c.model_dump(exclude=strip) for c in resumed.cells] == [
        c.model_dump(exclude=strip) for c in whole.cells
    ]


async def test_errors_are_outside_n_and_asked_again() -> None:
    graph = memory_graph([item(n) for n in range(10)])
    spec = SPEC.model_copy(update={"endpoints": ("scripted",), "conditions": ("gold",)})
    failing = ScriptedModel(lambda p, n: ("error", "") if n <= 4 else right(p, n))
    first = await execute_run(graph, spec, clients={"scripted": failing.client})
    assert (first.errors, first.cells[0].n, first.cells[0].em) == (4, 6, 1.0)
    assert first.cells[0].outcomes == {"correct": 6, "error": 4}
    assert (await runs_of(graph).get(first.run_id)).finished is None
    second = await execute_run(graph, spec, clients={"scripted": ScriptedModel(right).client})
    assert (second.run_id, second.asked, second.errors, second.cells[0].n) == (first.run_id, 4, 0, 10)


async def test_an_unusable_endpoint_fails_the_run_and_keeps_what_is_there() -> None:
    graph = memory_graph([item(n) for n in range(20)])

    def quota(prompt: str, n: int) -> tuple[ReplyOutcome, str]:
        if n > 7:
            raise ModelError("endpoint scripted: quota exhausted")
        return right(prompt, n)

    spec = SPEC.model_copy(update={"endpoints": ("scripted",), "conditions": ("gold",)})
    with pytest.raises(ModelError, match="quota"):
        await execute_run(graph, spec, clients={"scripted": ScriptedModel(quota).client})
    assert len(runs_of(graph).stored) == 7


async def test_a_budget_stops_it_cleanly() -> None:
    graph = memory_graph([item(n) for n in range(50)])
    model = ScriptedModel(right, cost=0.1, workers=1)
    spec = SPEC.model_copy(update={"endpoints": ("scripted",), "conditions": ("gold",), "budget": 1.0})
    stopped = await execute_run(graph, spec, clients={"scripted": model.client})
    assert stopped.stopped == "budget" and stopped.asked in (10, 11)
    assert (await runs_of(graph).get(stopped.run_id)).finished is None
    none = await execute_run(graph, spec, clients={"scripted": model.client})
    assert (none.asked, none.stopped) == (0, "budget")
    more = await execute_run(
        graph, spec.model_copy(update={"budget": 100.0}), clients={"scripted": model.client}
    )
    assert more.stopped is None and more.asked + stopped.asked == 50


async def test_questions_are_read_in_pages_and_asked_a_few_at_a_time() -> None:
    graph = memory_graph([item(n) for n in range(1500)])
    under_way, most = 0, 0

    class Counting(ScriptedModel):
        async def ask(self, *args: Any, **kwargs: Any) -> Any:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0)
            reply = await super().ask(*args, **kwargs)
            under_way -= 1
            return reply

    spec = SPEC.model_copy(update={"endpoints": ("scripted",), "conditions": ("gold",), "concurrency": 3})
    result = await execute_run(graph, spec, clients={"scripted": Counting(right).client})
    assert result.asked == 1500 and most == 3
    questions: Any = graph.questions
    assert questions.most_read == 200
    assert max(runs_of(graph).batches) <= run_module.BATCH + 3


async def test_what_a_question_has_not_is_counted_and_left_out() -> None:
    graph = memory_graph([item(n, negatives=n >= 3) for n in range(10)])
    result = await execute_run(graph, SPEC)
    assert result.not_applicable == {"negative_graph": 3}
    assert {c.keys["condition"]: c.n for c in result.cells}["negative_graph"] == 7


async def test_requests_that_cannot_be_met() -> None:
    graph = memory_graph([item(1)])
    for change in ({"datasets": ("nothing",)}, {"endpoints": ("nobody",)}, {"conditions": ("magic",)}):
        with pytest.raises(InputError):
            await execute_run(graph, SPEC.model_copy(update=change))


async def test_an_estimate_asks_nothing() -> None:
    graph = memory_graph([item(n) for n in range(10)])
    model = ScriptedModel(right)
    spec = SPEC.model_copy(update={"endpoints": ("baseline", "scripted")})
    guess = await estimate(graph, spec, clients={"scripted": model.client})
    assert (guess.questions, guess.calls, guess.answers, guess.answered) == (10, 50, 100, 0)
    assert guess.tokens_out == 50 * 30 and guess.tokens_in > 50 * 40
    # Prices of the scripted model: 1 a million tokens in, 2 out.
    assert guess.cost == pytest.approx((guess.tokens_in + 2 * guess.tokens_out) / 1e6, rel=0.01)
    assert not model.prompts and not runs_of(graph).stored
    result = await execute_run(graph, spec, clients={"scripted": model.client})
    assert result.run_id == guess.run_id
    assert (await estimate(graph, spec, clients={"scripted": model.client})).calls == 0


def test_the_cap_is_per_type_and_moves_nobody() -> None:
    briefs = [Brief(f"q{n:03d}", "set", "bridge_2_1" if n % 3 else "comparison_2_1") for n in range(90)]
    kept = cap_per_type(briefs, 20, 1)
    assert sum(b.graph_type == "bridge_2_1" for b in kept) == 20
    assert sum(b.graph_type == "comparison_2_1" for b in kept) == 20
    assert kept == cap_per_type(list(reversed(briefs)), 20, 1)
    assert kept != cap_per_type(briefs, 20, 2)
    assert cap_per_type(briefs, None, 1) == tuple(briefs) and cap_per_type(briefs, 1000, 1) == tuple(briefs)
    larger = cap_per_type([*briefs, Brief("new", "set", "bridge_2_1")], 20, 1)
    assert len(set(kept) - set(larger)) <= 1
