"""Evaluation over a real graph: the bundled small data sets, run, broken off, resumed, reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from errors import InputError, JobCancelled
from evaluation import run as run_module
from evaluation.report import write_report
from evaluation.run import execute_run
from evaluation.spec import RunSpec
from graph.store import Graph
from qa.datasets.importer import import_file
from qa.datasets.negatives import build_negatives
from settings import REPOSITORY

pytestmark = pytest.mark.engine

SETS = {
    "hotpotqa": "hotpotqa.json",
    "musique": "musique.jsonl",
    "2wiki": "2wiki.json",
    "chemkg": "chemkg.json",
}


async def load(graph: Graph, *formats: str) -> dict[str, int]:
    """Import bundled data sets under their format's name, with negatives; how many questions each."""
    counts = {}
    for each in formats:
        path = REPOSITORY / "samples" / "datasets" / SETS[each]
        counts[each] = (await import_file(graph, format=each, path=path, name=each)).imported
        await build_negatives(graph, each, seed=1)
    return counts


async def test_a_run_broken_off_goes_on_where_it_was(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = await load(graph, "hotpotqa", "2wiki")
    spec = RunSpec(datasets=("hotpotqa", "2wiki"), seed=3)
    whole = await execute_run(graph, spec)
    asked = whole.asked
    assert whole.questions == sum(counts.values())
    assert asked == whole.questions * 5 - sum(whole.not_applicable.values())
    assert await graph.runs.delete(whole.run_id) == asked

    def cancel(done: int, total: int | None, message: str = "") -> None:
        if done >= 20:
            raise JobCancelled("enough")

    monkeypatch.setattr(run_module, "TELL_S", 0.0)
    with pytest.raises(JobCancelled):
        await execute_run(graph, spec, progress=cancel)
    assert len(await graph.runs.answers(whole.run_id)) == 20
    assert (await graph.runs.get(whole.run_id)).finished is None

    resumed = await execute_run(graph, spec)
    assert (resumed.run_id, resumed.asked, resumed.reused) == (whole.run_id, asked - 20, 20)
    assert (await graph.runs.get(whole.run_id)).finished is not None
    strip = {"latency_s"}
    assert [cell.model_dump(exclude=strip) for cell in resumed.cells] == [
        cell.model_dump(exclude=strip) for cell in whole.cells
    ]
    again = await execute_run(graph, spec)
    assert (again.asked, again.reused) == (0, asked)


async def test_a_report_of_all_four_formats(graph: Graph, tmp_path: Path) -> None:
    counts = await load(graph, *SETS)
    result = await execute_run(graph, RunSpec(datasets=tuple(SETS), seed=1))
    html, numbers, table = await write_report(graph, result.run_id, tmp_path)
    document = json.loads(numbers.read_text(encoding="utf-8"))
    assert {part["dataset"]: part["questions"] for part in document["composition"]} == counts
    assert document["gone"] == 0 and document["answers"] == result.asked
    closed = next(c for c in document["by_condition"] if c["keys"]["condition"] == "closed_book")
    assert closed["outcomes"] == {"refused": sum(counts.values())}
    assert (
        table.read_text(encoding="utf-8").count("extractive baseline, not a language model") >= result.asked
    )
    assert len(html.read_text(encoding="utf-8")) > 50_000


async def test_a_set_without_questions_is_named(graph: Graph) -> None:
    with pytest.raises(InputError, match="nowhere"):
        await execute_run(graph, RunSpec(datasets=("nowhere",)))
    assert (await graph.runs.list()).items == []
