"""`catenane ingest`: papers in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from commands.console import counted, emit, leave_refused, note, pairs, table
from commands.options import AsJson, EndpointName, example
from commands.running import run
from commands.spool import readable

EPILOG = example("catenane ingest papers/ --corpus mine")


def ingest(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Files or folders; - is standard input.")
    ],
    corpus: Annotated[str, typer.Option("--corpus", help="Corpus they go into.")] = "default",
    recogniser: Annotated[
        str | None, typer.Option("--recogniser", help="union, dictionary, formula or transformers:MODEL.")
    ] = None,
    endpoint: EndpointName = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read and extract only; starts no engine.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Read papers (PDF, JATS XML, HTML, Markdown, text, JSONL) into the graph, with provenance."""
    params = {
        "paths": [str(readable(path)) for path in paths],
        "corpus": corpus,
        "recogniser": recogniser,
        "endpoint": endpoint,
    }
    if dry_run:
        document = _dry_run(params)
        refused = len(document["documents"]["failed"])
    else:
        job = run("ingest", params)
        assert job.result is not None
        document, refused = job.result, job.refused
    emit(document, as_json, show)
    leave_refused(refused)


def _dry_run(params: Mapping[str, Any]) -> dict[str, Any]:
    import asyncio
    from pathlib import Path

    from ingest.pipeline import IngestOptions, ingest_paths
    from jobs.context import Resources
    from settings import get_settings

    settings = get_settings()

    async def look() -> dict[str, Any]:
        resources = Resources(settings)
        try:
            client = await resources.client(params["endpoint"]) if params["endpoint"] else None
            options = IngestOptions.make(settings, recogniser=params["recogniser"], client=client)
            paths = [Path(path) for path in params["paths"]]
            report = await ingest_paths(
                None, paths, corpus=params["corpus"], options=options, settings=settings
            )
        finally:
            await resources.close()
        return {"corpus": params["corpus"], **report.to_json(), "warnings": []}

    return asyncio.run(look())


def show(document: Mapping[str, Any]) -> None:
    """What an ingest came to."""
    documents = document["documents"]
    told = ", ".join(
        f"{documents[status]} {status}"
        for status in ("added", "replaced", "attached", "unchanged")
        if documents[status]
    )
    counts = {key: document[key] for key in ("chunks", "mentions", "entities", "relations")}
    pairs({"documents": told or "none", **counts, "not taken": counted(document["rejected"])})
    if documents["failed"]:
        note(f"\n{len(documents['failed'])} could not be used:")
        table(
            ("source", "stage", "reason"),
            ((f["source"], f["stage"], f["reason"]) for f in documents["failed"]),
        )
