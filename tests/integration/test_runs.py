"""Runs and answers in the graph: written twice, read back as they were, paged, deleted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from errors import InputError, NotFoundError
from graph.models import AnswerRecord, RunRecord
from graph.runs import AnswerKey, RunsRepository
from graph.store import Graph

pytestmark = pytest.mark.engine


def run(number: int = 1) -> RunRecord:
    return RunRecord(
        id=f"run_{number}",
        name=f"demo {number}",
        created=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=number),
        datasets=("demo", 'a "quoted" set'),
        conditions=("gold", "closed_book"),
        endpoints=("baseline",),
        seed=3,
        per_type=100,
        settings={"scorer": "auto", "note": "CO₂ \\ 'x' {y}"},
        question_ids=("q1", "q2"),
    )


def answer(question: str, condition: str = "gold", **fields: object) -> AnswerRecord:
    return AnswerRecord.model_validate(
        {
            "id": f"ans_{question}_{condition}",
            "run_id": "run_1",
            "question_id": question,
            "condition": condition,
            "endpoint": "baseline",
            "model": "extractive-1",
            "text": "CO₂\n`x`",
            "status": "correct",
            "em": 1.0,
            "f1": 1.0,
            "chemical_match": True,
            **fields,
        }
    )


async def test_a_run_is_made_once_and_read_back(graph: Graph) -> None:
    runs = RunsRepository(graph)
    assert await runs.create(run()) is True
    assert await runs.create(run().model_copy(update={"name": "other"})) is False
    assert await runs.get("run_1") == run()
    done = datetime(2026, 2, 1, tzinfo=UTC)
    await runs.finish("run_1", done)
    assert (await runs.get("run_1")).finished == done
    await runs.finish("run_1", None)
    assert (await runs.get("run_1")).finished is None


async def test_what_is_not_there(graph: Graph) -> None:
    runs = RunsRepository(graph)
    with pytest.raises(NotFoundError):
        await runs.get("run_9")
    with pytest.raises(NotFoundError):
        await runs.finish("run_9", None)
    with pytest.raises(NotFoundError):
        await runs.save_answers("run_9", [answer("q1")])
    assert await runs.answers("run_9") == []
    assert await runs.spent("run_9") == (0, 0.0)
    with pytest.raises(InputError):
        await runs.list(cursor="%%%")


async def test_answers_replace_their_former_selves(graph: Graph) -> None:
    runs = RunsRepository(graph)
    await runs.create(run())
    failed = answer("q1", status="error", error="500", cost=0.25)
    refused = answer("q2", "closed_book", status="refused", chemical_match=None, text="", cost=0.5)
    await runs.save_answers("run_1", [failed, refused])
    assert await runs.answered("run_1") == {AnswerKey("q2", "closed_book", "baseline", 1)}
    assert await runs.spent("run_1") == (2, 0.75)
    await runs.save_answers("run_1", [answer("q1", graph_id="g", perturbation="edge_added")])
    stored = {each.question_id: each for each in await runs.answers("run_1")}
    assert stored == {"q1": answer("q1", graph_id="g", perturbation="edge_added"), "q2": refused}
    assert await runs.answers("run_1", "q2") == [refused]
    assert len(await runs.answered("run_1")) == 2


async def test_an_answer_is_tied_to_its_question(graph: Graph) -> None:
    runs = RunsRepository(graph)
    await runs.create(run())
    await graph.write("questions/merge", rows=[{"id": "q1", "properties": {"name": "q1"}}])
    await runs.save_answers("run_1", [answer("q1"), answer("q2")])
    await runs.save_answers("run_1", [answer("q1")])
    rows = await graph.write("runs/answers.save", run_id="run_1", rows=[])
    assert rows == []
    saved = await graph.write(
        "runs/answers.save",
        run_id="run_1",
        rows=[
            {"id": each.id, "question_id": each.question_id, "properties": each.model_dump()}
            for each in (answer("q1"), answer("q2"))
        ],
    )
    assert {row["id"]: row["linked"] for row in saved} == {"ans_q1_gold": True, "ans_q2_gold": False}


async def test_pages_of_runs_and_answers(graph: Graph) -> None:
    runs = RunsRepository(graph)
    for number in range(1, 6):
        await runs.create(run(number))
    first = await runs.list(limit=2)
    second = await runs.list(limit=2, cursor=first.next)
    last = await runs.list(limit=2, cursor=second.next)
    assert [each.id for page in (first, second, last) for each in page.items] == [
        f"run_{number}" for number in (5, 4, 3, 2, 1)
    ]
    assert last.next is None
    assert len((await runs.list()).items) == 5

    await runs.save_answers(
        "run_1", [answer(f"q{n}", status="wrong" if n % 2 else "correct") for n in range(7)]
    )
    page = await runs.answer_page("run_1", limit=5)
    rest = await runs.answer_page("run_1", limit=5, cursor=page.next)
    assert len(page.items) == 5 and len(rest.items) == 2 and rest.next is None
    wrong = await runs.answer_page("run_1", status="wrong")
    assert {each.question_id for each in wrong.items} == {"q1", "q3", "q5"}


async def test_deleting_a_run_leaves_the_others(graph: Graph) -> None:
    runs = RunsRepository(graph)
    for number in (1, 2):
        await runs.create(run(number))
    await runs.save_answers("run_1", [answer("q1"), answer("q2")])
    kept = answer("q1", id="other", run_id="run_2")
    await runs.save_answers("run_2", [kept])
    assert await runs.delete("run_1") == 2
    assert [each.id for each in (await runs.list()).items] == ["run_2"]
    assert await runs.answers("run_2") == [kept]
    assert await runs.delete("run_1") == 0
