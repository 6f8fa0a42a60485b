"""`catenane graph`: look around."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.console import emit
from commands.entities import show_entities, the_entity
from commands.options import AsJson, Corpus, example
from commands.reading import with_graph
from commands.relations import relation_row, show_relations

if TYPE_CHECKING:
    from graph.store import Graph

app = typer.Typer(help="Look around in the graph.")

Most = Annotated[int, typer.Option("--limit", min=1, help="Most results.")]


@app.command(epilog=example('catenane graph search "acetic acid"'))
def search(
    text: Annotated[str, typer.Argument(help="A name, or a part of one.")],
    limit: Most = 20,
    as_json: AsJson = False,
) -> None:
    """Find entities by name: those called so first, then those whose name contains the text."""
    found = with_graph(lambda graph: graph.look.search(text, limit))
    emit({"items": [record.model_dump(mode="json") for record in found]}, as_json, show_entities)


@app.command(epilog=example("catenane graph neighbours CO2"))
def neighbours(
    entity: Annotated[str, typer.Argument(help="Id or name.")],
    corpus: Corpus = None,
    limit: Most = 100,
    as_json: AsJson = False,
) -> None:
    """Show an entity's relations and their other ends."""

    async def look(graph: Graph) -> dict[str, Any]:
        centre = await the_entity(graph, entity)
        around = await graph.look.neighbours(centre.id, corpus, limit)
        return {
            "nodes": [record.model_dump(mode="json") for record in around.nodes],
            "relationships": [relation_row(item) for item in around.relationships],
        }

    emit(with_graph(look), as_json, _show_neighbours)


def _show_neighbours(document: Mapping[str, Any]) -> None:
    show_relations({"items": document["relationships"]})


@app.command(epilog=example("catenane graph between CO2 methanol"))
def between(
    first: Annotated[str, typer.Argument(help="Id or name of one entity.")],
    second: Annotated[str, typer.Argument(help="Id or name of the other.")],
    corpus: Corpus = None,
    as_json: AsJson = False,
) -> None:
    """Show the relations between two entities, in either direction."""

    async def look(graph: Graph) -> list[dict[str, Any]]:
        ends = [(await the_entity(graph, text)).id for text in (first, second)]
        found = await graph.relations.between(ends, corpus)
        evidence = await graph.relations.by_ids([relation.id for relation in found])
        return [relation_row(evidence[relation.id]) for relation in found]

    emit({"items": with_graph(look)}, as_json, show_relations)


@app.command(epilog=example("catenane graph evidence rel_0123456789abcdef01234567"))
def evidence(
    relation: Annotated[str, typer.Argument(help="Id of a relation.")], as_json: AsJson = False
) -> None:
    """Show every place that states a relation."""
    found = with_graph(lambda graph: graph.look.evidence(relation))
    emit({"items": [relation_row(item) for item in found]}, as_json, show_relations)
