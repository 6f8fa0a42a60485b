"""`catenane documents`: the papers in the graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.console import emit, pairs, stdout, table
from commands.options import AsJson, Corpus, Cursor, Limit, Yes, example
from commands.reading import with_graph

if TYPE_CHECKING:
    from graph.store import Graph

app = typer.Typer(help="Documents: list them, read what was taken from one, delete one.")

Identifier = Annotated[str, typer.Argument(metavar="DOCUMENT", help="Its id, as `documents list` prints it.")]


@app.command("list", epilog=example("catenane documents list --corpus demo"))
def list_(corpus: Corpus = None, limit: Limit = None, cursor: Cursor = None, as_json: AsJson = False) -> None:
    """List documents by title."""
    page = with_graph(lambda graph: graph.documents.list(corpus, limit, cursor), corpus=corpus)
    emit(page.model_dump(mode="json"), as_json, _show_list)


def _show_list(document: Mapping[str, Any]) -> None:
    rows = ((item["id"], item["title"], item["format"], item["doi"]) for item in document["items"])
    table(("id", "title", "format", "DOI"), rows, empty="There are no documents.")


@app.command(epilog=example("catenane documents show doc_0123456789abcdef01234567"))
def show(identifier: Identifier, as_json: AsJson = False) -> None:
    """Show one document, the corpora it is in, and its chunks."""
    emit(with_graph(lambda graph: _document(graph, identifier)), as_json, _show_one)


async def _document(graph: Graph, identifier: str) -> dict[str, Any]:
    from errors import NotFoundError

    document = await graph.documents.get(identifier)
    if document is None:
        raise NotFoundError(f"There is no document {identifier!r}.")
    return {
        "document": document.model_dump(mode="json"),
        "corpora": await graph.documents.corpora_of(identifier),
        "chunks": [chunk.model_dump(mode="json") for chunk in await graph.documents.chunks(identifier)],
    }


def _show_one(document: Mapping[str, Any]) -> None:
    about = document["document"]
    shown = {key: about[key] for key in ("id", "title", "doi", "version", "license", "source", "format")}
    pairs({key: value for key, value in shown.items() if value} | {"corpora": ", ".join(document["corpora"])})
    for chunk in document["chunks"]:
        page = f", page {chunk['page']}" if chunk["page"] else ""
        stdout().print(f"\n[{chunk['ordinal']}] {chunk['words']} words{page}", style="bold", markup=False)
        stdout().print(chunk["text"], markup=False)


@app.command(epilog=example("catenane documents delete doc_0123456789abcdef01234567 --yes"))
def delete(identifier: Identifier, corpus: Corpus = None, yes: Yes = False, as_json: AsJson = False) -> None:
    """Delete a document and what only it supports; with --corpus, only take it out of that corpus."""
    from errors import NotFoundError

    if not yes:
        typer.confirm(f"Delete {identifier} and what only it says?", abort=True, err=True)
    if not with_graph(lambda graph: graph.documents.delete(identifier, corpus)):
        raise NotFoundError(f"There is no document {identifier!r}" + (f" in {corpus!r}." if corpus else "."))
    emit({"items": [{"id": identifier}]}, as_json, lambda _: print(f"{identifier} is deleted."))
