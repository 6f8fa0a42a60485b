"""`catenane paths`: chains of relations, each from another source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from commands.console import counted, emit, note, stdout
from commands.options import AsJson, Corpus, Seed, example
from commands.running import run

app = typer.Typer(help="Paths: chains of relations, each hop from another source.")


@app.callback()
def _paths() -> None:
    """Paths: chains of relations, each hop from another source."""


@app.command(epilog=example("catenane paths sample --hops 2 --count 10 --seed 1"))
def sample(
    hops: Annotated[int, typer.Option("--hops", min=1, max=6, help="Relations on a path.")] = 2,
    count: Annotated[int, typer.Option("--count", min=1, help="How many paths.")] = 10,
    seed: Seed = 1,
    corpus: Corpus = None,
    as_json: AsJson = False,
) -> None:
    """Sample paths with distinct entities, documents and chunk contents."""
    job = run("paths.sample", {"hops": hops, "count": count, "seed": seed, "corpus": corpus})
    assert job.result is not None
    emit(job.result, as_json, _show)


def _show(document: Mapping[str, Any]) -> None:
    for path in document["paths"]:
        first, *_ = path["entities"]
        steps = "".join(f" —{step['predicate']}→ {step['object']}" for step in path["relations"])
        stdout().print(f"{first}{steps}", markup=False)
    if document["shortfall"]:
        missing = document["requested"] - document["returned"]
        note(f"{missing} fewer than asked for: {counted(document['shortfall'])}")
