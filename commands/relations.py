"""`catenane relations`: who does what to whom, and where that is stated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

from commands.console import emit, table
from commands.options import AsJson, Corpus, Cursor, Limit, example
from commands.reading import with_graph

if TYPE_CHECKING:
    from graph.models import Evidence

app = typer.Typer(help="Relations: each one is a piece of evidence, with its sentence.")


@app.command("list", epilog=example("catenane relations list --corpus demo --limit 20"))
def list_(corpus: Corpus = None, limit: Limit = None, cursor: Cursor = None, as_json: AsJson = False) -> None:
    """List relations with the sentence that states each."""
    page = with_graph(lambda graph: graph.relations.list(corpus, limit, cursor), corpus=corpus)
    emit({"items": [relation_row(item) for item in page.items], "next": page.next}, as_json, show_relations)


def relation_row(item: Evidence) -> dict[str, Any]:
    """A relation with its ends and the sentence that states it."""
    from api.facts import RelationOut

    return RelationOut.of(item).model_dump(mode="json")


def show_relations(document: Mapping[str, Any]) -> None:
    """A table of relations."""
    rows = (
        (
            item["id"],
            f"{item['subject']} — {item['predicate']} — {item['object']}",
            item["evidence"]["text"],
            item["evidence"]["title"],
        )
        for item in document["items"]
    )
    table(("id", "relation", "sentence", "document"), rows, empty="There are no such relations.")
