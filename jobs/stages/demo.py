"""The whole main job on the bundled papers and data sets. A second run finds everything there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from domain.progress import silent
from evaluation.baseline import NAME as BASELINE
from evaluation.conditions import CONDITIONS
from evaluation.spec import RunSpec
from graph.store import Graph
from jobs.context import StageContext
from jobs.stages.datasets import ImportParams, NegativesParams, import_dataset, negatives
from jobs.stages.evaluation import ReportParams, evaluate, report
from jobs.stages.ingest import IngestParams, ingest
from jobs.stages.questions import GenerateParams, generate
from jobs.stages.registry import Params, Stage, register
from settings import REPOSITORY

CORPUS = "demo"
PAPERS = REPOSITORY / "samples" / "papers"
DATASETS = REPOSITORY / "samples" / "datasets"
HOPS = (1, 2, 3, 4)
PATHS = 250  # sampled for each number of hops
QUESTIONS = 25  # asked for, for each number of hops
FORMATS = ("hotpotqa", "musique", "2wiki", "chemkg")


class DemoParams(Params):
    """With which seed, and whether with a model."""

    seed: int = Field(default=1, description="Of sampling, questions, negatives and evaluation.")
    endpoint: str | None = Field(default=None, description="Model endpoint; the offline backends if unset.")


async def demo(context: StageContext, params: DemoParams) -> dict[str, Any]:
    """The document of `demo`, without the address of the service."""
    name = CORPUS if params.endpoint is None else f"{CORPUS}-{params.endpoint}"
    graph = await context.graph()
    ingested = await ingest(
        context, IngestParams(paths=(str(PAPERS),), corpus=CORPUS, endpoint=params.endpoint)
    )
    paths = await _sample(context, graph, params.seed)
    generated = await generate(
        context,
        GenerateParams(
            name=name,
            hops=HOPS,
            count=QUESTIONS,
            seed=params.seed,
            corpus=CORPUS,
            endpoint=params.endpoint,
        ),
    )
    imported = await _import(context)
    sets = [name, *imported]
    built = await _negatives(context, sets, params.seed)
    evaluated = await evaluate(
        context,
        RunSpec(
            name="demo",
            datasets=tuple(sets),
            conditions=CONDITIONS,
            endpoints=(params.endpoint or BASELINE,),
            seed=params.seed,
        ),
    )
    written = await report(context, ReportParams(run=evaluated["run"]))
    audited = await _audit(context, graph, name)
    counts = await graph.stats.counts(CORPUS)
    return {
        "documents": counts.documents,
        "refused": [
            {"source": _short(failure["source"]), "reason": failure["reason"]}
            for failure in ingested["documents"]["failed"]
        ],
        "chunks": counts.chunks,
        "entities": counts.entities,
        "relations": counts.relations,
        "paths": paths,
        "questions": await _questions(graph, name),
        **audited,
        "reasoning_graphs": await _reasoning_graphs(graph, sets),
        "datasets": {
            one: {"imported": document["imported"], "graph_types": document["graph_types"]}
            for one, document in imported.items()
        },
        "evaluation": _conditions(evaluated),
        "backend": params.endpoint or "offline",
        "report": next(file for file in written["files"] if file.endswith(".html")),
        "url": None,
        "run": evaluated["run"],
        "added": {
            "documents": ingested["documents"]["added"] + ingested["documents"]["replaced"],
            "questions": generated["added"],
            "imported": sum(document["added"] for document in imported.values()),
            "negatives": built,
            "answers": evaluated["asked"],
        },
    }


async def _sample(context: StageContext, graph: Graph, seed: int) -> dict[str, int]:
    """How many valid paths there are of each number of hops, up to `PATHS`."""
    from qa.sampling import sample_paths

    progress = context.progress("paths")
    found: dict[str, int] = {}
    for index, hops in enumerate(HOPS):
        progress(index, len(HOPS), f"{hops} hops")

        async def work(hops: int = hops) -> int:
            return (await sample_paths(graph, hops=hops, count=PATHS, seed=seed, corpus=CORPUS)).returned

        found[str(hops)] = await context.step("sample", work)
    progress(len(HOPS), len(HOPS), ", ".join(f"{count} of {hops} hops" for hops, count in found.items()))
    return found


async def _import(context: StageContext) -> dict[str, dict[str, Any]]:
    """The small data sets, by name: the format is how the file's name begins."""
    progress = context.progress("datasets")
    files = sorted(file for file in DATASETS.glob("*.json*") if file.name.startswith(FORMATS))
    documents: dict[str, dict[str, Any]] = {}
    for index, file in enumerate(files):
        progress(index, len(files), file.name)
        format = next(one for one in FORMATS if file.name.startswith(one))
        name = f"samples-{format}"
        params = ImportParams.model_validate({"format": format, "path": str(file), "name": name})
        document = await import_dataset(context, params, silent)
        documents[document["dataset"]] = document
    progress(len(files), len(files), f"{sum(one['imported'] for one in documents.values())} questions")
    return documents


async def _negatives(context: StageContext, sets: list[str], seed: int) -> int:
    """Negatives of all sets; returns how many were built now."""
    progress = context.progress("negatives")
    built = 0
    for index, name in enumerate(sets):
        progress(index, len(sets), name)

        def inner(
            done: int, total: int | None, message: str = "", index: int = index, name: str = name
        ) -> None:
            progress(index, len(sets), f"{name}: {done} of {total} questions")

        document = await negatives(context, NegativesParams(dataset=name, seed=seed), inner)
        built += document["built"]
    progress(len(sets), len(sets), f"{built} built")
    return built


async def _audit(context: StageContext, graph: Graph, name: str) -> dict[str, int]:
    """What a check finds that shares no code with the gates."""
    from qa.audit import audit

    progress = context.progress("audit")
    progress(0, 1)
    found = await audit(graph, name)
    progress(1, 1, f"{found.reused_sources} reused sources, {found.leaks} leaks")
    return {"reused_sources": found.reused_sources, "leaks": found.leaks}


async def _questions(graph: Graph, name: str) -> dict[str, Any]:
    """What is in the question set, and what was rejected for it, over all runs."""
    ledger = await graph.questions.yield_of(name)
    held = next((one for one in await graph.questions.names() if one["name"] == name), None)
    return {
        "accepted": ledger.accepted,
        "rejected": ledger.rejected,
        "by_hops": held["by_hops"] if held else {},
        "by_structure": held["by_structure"] if held else {},
    }


async def _reasoning_graphs(graph: Graph, sets: list[str]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for name in sets:
        for row in await graph.reasoning.counts(name):
            found[row["polarity"]] += row["graphs"]
    return {"positive": found["positive"], "negative": found["negative"]}


def _conditions(evaluated: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """`{condition: {n, em, em_ci, f1, f1_ci}}` of the one answerer."""

    return {
        cell["keys"]["condition"]: {name: cell[name] for name in ("n", "em", "em_ci", "f1", "f1_ci")}
        for cell in evaluated["results"]
    }


def _short(source: str) -> str:
    """A bundled file by its name; anything else as it is."""
    path = Path(source)
    return str(path.relative_to(PAPERS)) if path.is_relative_to(PAPERS) else source


register(Stage("demo", "The whole main job", DemoParams, demo))
