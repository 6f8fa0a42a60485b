"""`catenane evaluate`: how well questions are answered, under which conditions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from commands.console import counted, emit, note, stdout, table
from commands.options import AsJson, Corpus, Seed, example, words
from commands.running import run as run_job

app = typer.Typer(help="Evaluate: run models, or the extractive baseline, over questions.")


@app.callback()
def _evaluate() -> None:
    """Evaluate: run models, or the extractive baseline, over questions."""


@app.command(epilog=example("catenane evaluate run --questions demo --conditions gold,bm25"))
def run(
    dataset: Annotated[
        list[str] | None, typer.Option("--dataset", help="Imported data set; may repeat.")
    ] = None,
    questions: Annotated[
        list[str] | None, typer.Option("--questions", help="Question set; may repeat.")
    ] = None,
    conditions: Annotated[
        str, typer.Option("--conditions", help="What the answerer sees.")
    ] = "closed_book,gold,positive_graph,negative_graph,bm25",
    endpoints: Annotated[
        str, typer.Option("--endpoints", help="Who answers; baseline is built in.")
    ] = "baseline",
    corpus: Corpus = None,
    per_type: Annotated[
        int | None, typer.Option("--per-type", min=1, help="Most questions of a graph type.")
    ] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each question is asked.")] = 1,
    scorer: Annotated[str, typer.Option("--scorer", help="auto, hotpot, musique or 2wiki.")] = "auto",
    seed: Seed = 0,
    temperature: Annotated[float | None, typer.Option("--temperature", min=0, help="Of the models.")] = None,
    param: Annotated[
        list[str] | None, typer.Option("--param", metavar="KEY=VALUE", help="Model parameter; may repeat.")
    ] = None,
    budget: Annotated[float | None, typer.Option("--budget", min=0, help="Most it may cost.")] = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="Only say what it would take.")] = False,
    as_json: AsJson = False,
) -> None:
    """Evaluate question sets or data sets. The same request again asks only what is missing."""
    from errors import InputError

    datasets = [*(dataset or []), *(questions or [])]
    if not datasets:
        raise InputError("Say what to evaluate: --questions SET or --dataset NAME.")
    params = {
        "datasets": datasets,
        "corpus": corpus,
        "conditions": words(conditions),
        "endpoints": words(endpoints),
        "seed": seed,
        "per_type": per_type,
        "epochs": epochs,
        "scorer": scorer,
        "temperature": temperature,
        "parameters": _parameters(param or []),
        "budget": budget,
    }
    if estimate:
        emit(_estimate(params), as_json, _show_estimate)
        return
    job = run_job("evaluate", params)
    assert job.result is not None
    emit(job.result, as_json, show_results)


def _parameters(pairs: list[str]) -> dict[str, Any]:
    import json

    from errors import InputError

    found: dict[str, Any] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign or not key:
            raise InputError(f"--param {pair!r}: write KEY=VALUE")
        try:
            found[key] = json.loads(value)
        except ValueError:
            found[key] = value
    return found


def _estimate(params: dict[str, Any]) -> dict[str, Any]:
    from commands.reading import with_graph
    from evaluation.run import estimate
    from jobs.context import Resources
    from jobs.stages import stage_of
    from settings import get_settings

    spec: Any = stage_of("evaluate").validate(params)

    async def look(graph: Any) -> dict[str, Any]:
        resources = Resources(get_settings())
        clients = {name: await resources.client(name) for name in spec.endpoints if name != "baseline"}
        try:
            found = await estimate(graph, spec, clients=clients)
        finally:
            await resources.close()
        return {"run": found.run_id, "estimate": found.model_dump(mode="json", exclude={"run_id"})}

    return with_graph(look)


def _show_estimate(document: Mapping[str, Any]) -> None:
    left = document["estimate"]
    note(
        f"{document['run']}: {left['answers']} answers to come ({left['answered']} are there), "
        f"{left['calls']} model calls, about {left['tokens_in']} tokens in, {left['tokens_out']} out, "
        f"cost {left['cost']:.2f}, {left['seconds']:.0f} s"
    )


def show_results(document: Mapping[str, Any]) -> None:
    """A table of a run's cells."""

    def between(value: float, interval: Any) -> str:
        low, high = interval
        return f"{value:.3f} [{low:.3f}, {high:.3f}]"

    rows = (
        (
            cell["keys"]["endpoint"],
            cell["keys"]["condition"],
            cell["n"],
            between(cell["em"], cell["em_ci"]),
            between(cell["f1"], cell["f1_ci"]),
            counted(cell["outcomes"]),
        )
        for cell in document["results"]
    )
    table(("answerer", "condition", "n", "EM [95 %]", "F1 [95 %]", "outcomes"), rows)
    if any(cell["keys"]["endpoint"] == "baseline" for cell in document["results"]):
        note("baseline is an extractive offline answerer, no language model.")
    for condition, questions in document["not_applicable"].items():
        negatives = condition.startswith("negative_graph")
        hint = "; `catenane graphs negatives NAME` builds them where there are none yet" if negatives else ""
        note(f"{condition} does not apply to {questions} questions, which have nothing to show for it{hint}.")
    note(f"{document['asked']} answers given, {document['reused']} were there. Run {document['run']}")
    stdout().print(f"catenane report {document['run']} --out report", style="dim", markup=False)
