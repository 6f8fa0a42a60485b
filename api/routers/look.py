"""/v1/graph: look around"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from api.facts import RelationOut
from api.lists import CorpusQuery
from api.problems import responses
from api.state import GraphDep
from graph.models import EntityRecord, Page

router = APIRouter(prefix="/v1/graph", tags=["graph"])

Most = Annotated[int, Query(ge=1, le=1000, description="Most results.")]


class Neighbourhood(BaseModel):
    """Entities, and the relations between them."""

    nodes: list[EntityRecord]
    relationships: list[RelationOut]


@router.get("/search", responses=responses(503))
async def search(
    graph: GraphDep,
    text: Annotated[str, Query(min_length=1, description="A name, or a part of one.", examples=["methanol"])],
    limit: Most = 20,
) -> Page[EntityRecord]:
    """Entities called so, then those whose name contains the text."""
    return Page(items=await graph.look.search(text, limit))


@router.get("/neighbours", responses=responses(404, 503))
async def neighbours(
    graph: GraphDep,
    entity: Annotated[str, Query(description="Id of an entity.")],
    corpus: CorpusQuery = None,
    limit: Most = 100,
) -> Neighbourhood:
    """An entity's relations, in either direction, and their other ends."""
    around = await graph.look.neighbours(entity, corpus, limit)
    return Neighbourhood(
        nodes=around.nodes, relationships=[RelationOut.of(item) for item in around.relationships]
    )


@router.get("/between", responses=responses(503))
async def between(
    graph: GraphDep,
    first: Annotated[str, Query(description="Id of one entity.")],
    second: Annotated[str, Query(description="Id of the other.")],
    corpus: CorpusQuery = None,
) -> Page[RelationOut]:
    """Relations between two entities, in either direction."""
    found = await graph.relations.between([first, second], corpus)
    evidence = await graph.relations.by_ids([relation.id for relation in found])
    return Page(items=[RelationOut.of(evidence[relation.id]) for relation in found])


@router.get("/evidence", responses=responses(404, 503))
async def evidence(
    graph: GraphDep, relation: Annotated[str, Query(description="Id of a relation.")]
) -> Page[RelationOut]:
    """Every place that states a relation."""
    return Page(items=[RelationOut.of(item) for item in await graph.look.evidence(relation)])
