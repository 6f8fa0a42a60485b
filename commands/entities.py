"""`catenane entities`: what the papers are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.console import emit, pairs, stdout, table
from commands.options import AsJson, Corpus, Cursor, Limit, example
from commands.reading import with_graph

if TYPE_CHECKING:
    from graph.models import EntityRecord, Evidence
    from graph.store import Graph

app = typer.Typer(help="Entities: list them, or show one with every fact and where it is stated.")


@app.command("list", epilog=example("catenane entities list --corpus demo --limit 20"))
def list_(corpus: Corpus = None, limit: Limit = None, cursor: Cursor = None, as_json: AsJson = False) -> None:
    """List entities by name."""
    page = with_graph(lambda graph: graph.entities.list(corpus, limit, cursor))
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
    record = await the_entity(graph, text)
    return {
        "entity": record.model_dump(mode="json", exclude={"aliases"}),
        "aliases": list(record.aliases),
        "facts": facts(await graph.entities.evidence(record.id, corpus)),
    }


def facts(evidence: list[Evidence]) -> list[dict[str, Any]]:
    """Evidence grouped by fact (subject, lemma, object); one row of `evidence` a span and extractor."""
    grouped: dict[tuple[str, str, str], dict[str, Any]] = {}
    for item in evidence:
        relation = item.relation
        fact = grouped.setdefault(
            (relation.subject_id, relation.lemma, relation.object_id),
            {
                "subject": item.subject_name,
                "predicate": relation.predicate,
                "object": item.object_name,
                "evidence": [],
            },
        )
        fact["evidence"].append(evidence_row(item))
    return list(grouped.values())


def evidence_row(item: Evidence) -> dict[str, Any]:
    """One piece of evidence: where it stands, its sentence, and what read it."""
    relation = item.relation
    return {
        "relation": relation.id,
        "document": relation.document_id,
        "title": item.document_title,
        "doi": item.document_doi,
        "chunk": relation.chunk_id,
        "page": item.page,
        "start": relation.start,
        "end": relation.end,
        "text": item.sentence,
        "extractor": relation.extractor,
        "model": relation.model,
        "prompt_sha256": relation.prompt_sha256,
        "at": relation.at.isoformat() if relation.at else None,
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
