"""`catenane entities`: what the papers are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.console import emit, pairs, stdout, table
from commands.options import AsJson, Corpus, Cursor, Limit, example
from commands.reading import with_graph

if TYPE_CHECKING:
    from graph.models import EntityRecord
    from graph.store import Graph

app = typer.Typer(help="Entities: list them, or show one with every fact and where it is stated.")


@app.command("list", epilog=example("catenane entities list --corpus demo --limit 20"))
def list_(corpus: Corpus = None, limit: Limit = None, cursor: Cursor = None, as_json: AsJson = False) -> None:
    """List entities by name."""
    page = with_graph(lambda graph: graph.entities.list(corpus, limit, cursor), corpus=corpus)
    emit(page.model_dump(mode="json"), as_json, show_entities)


def show_entities(document: Mapping[str, Any]) -> None:
    """A table of entities."""
    rows = (
        (item["id"], item["name"], item["kind"], item["formula"], ", ".join(item["aliases"][:4]))
        for item in document["items"]
    )
    table(("id", "name", "kind", "formula", "also"), rows, empty="There are no such entities.")


@app.command(epilog=example("catenane entities show CO2"))
def show(
    entity: Annotated[str, typer.Argument(help="Its id, its name or another name of it.")],
    corpus: Corpus = None,
    as_json: AsJson = False,
) -> None:
    """Show an entity: its names, and each fact with every sentence that states it."""
    emit(with_graph(lambda graph: _document(graph, entity, corpus)), as_json, _show_one)


async def the_entity(graph: Graph, text: str) -> EntityRecord:
    """The one entity that an id or a name means.

    Raises:
        NotFoundError: nothing is called so.
        ConflictError: several are; the message lists them.
    """
    from errors import ConflictError, NotFoundError

    found = await graph.entities.find(text)
    if not found:
        raise NotFoundError(f"Nothing in the graph is called {text!r}; `catenane graph search` looks wider.")
    if len(found) > 1:
        several = ", ".join(f"{record.name} ({record.kind}, {record.id})" for record in found)
        raise ConflictError(f"{text!r} may be {several}; give the id.")
    return found[0]


async def _document(graph: Graph, text: str, corpus: str | None) -> dict[str, Any]:
    from api.facts import facts

    record = await the_entity(graph, text)
    found = facts(await graph.entities.evidence(record.id, corpus))
    return {
        "entity": record.model_dump(mode="json", exclude={"aliases"}),
        "aliases": list(record.aliases),
        "facts": [fact.model_dump(mode="json") for fact in found],
    }


def _show_one(document: Mapping[str, Any]) -> None:
    about = document["entity"]
    shown = {
        key: about[key] for key in ("id", "name", "kind", "formula", "inchikey", "smiles", "description")
    }
    pairs({key: value for key, value in shown.items() if value} | {"also": ", ".join(document["aliases"])})
    for fact in document["facts"]:
        stdout().print(
            f"\n{fact['subject']} — {fact['predicate']} — {fact['object']}", style="bold", markup=False
        )
        for row in fact["evidence"]:
            stdout().print(f"  “{row['text']}”  {row['title']}, {row['relation']}", markup=False)
