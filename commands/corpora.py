"""`catenane corpora`: named sets of documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from commands.console import emit, table
from commands.options import AsJson, Yes, example
from commands.reading import with_graph

app = typer.Typer(help="Corpora: named sets of documents that are kept apart.")


@app.command("list", epilog=example("catenane corpora list"))
def list_(as_json: AsJson = False) -> None:
    """List the corpora and how many documents are in each."""
    items = with_graph(lambda graph: graph.corpora.list())
    emit({"items": items, "next": None}, as_json, _show)


@app.command(epilog=example("catenane corpora delete mine --yes"))
def delete(
    name: Annotated[str, typer.Argument(help="The corpus.")], yes: Yes = False, as_json: AsJson = False
) -> None:
    """Delete a corpus, with the documents that are in no other, and what only they support."""
    if not yes:
        typer.confirm(f"Delete corpus {name!r} and all that only its documents say?", abort=True, err=True)
    documents = with_graph(lambda graph: graph.corpora.delete(name))
    emit({"items": [{"name": name, "documents": documents}]}, as_json, _show)


def _show(document: Mapping[str, Any]) -> None:
    rows = ((item["name"], item["documents"]) for item in document["items"])
    table(("corpus", "documents"), rows, empty="There is no corpus yet; `catenane ingest PATH` makes one.")
