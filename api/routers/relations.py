"""/v1/relations"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from api.facts import RelationOut
from api.lists import CorpusQuery, CursorQuery, LimitQuery, linked
from api.problems import responses
from api.state import GraphDep
from errors import NotFoundError
from graph.models import Page

router = APIRouter(prefix="/v1/relations", tags=["relations"])


@router.get("", responses=responses(503))
async def list_relations(
    graph: GraphDep,
    request: Request,
    response: Response,
    corpus: CorpusQuery = None,
    limit: LimitQuery = 50,
    cursor: CursorQuery = None,
) -> Page[RelationOut]:
    """Relations, each with the sentence that states it."""
    page = await graph.relations.list(corpus, limit, cursor)
    shown = Page[RelationOut](items=[RelationOut.of(item) for item in page.items], next=page.next)
    return linked(shown, request, response)


@router.get("/{identifier}", responses=responses(404, 503))
async def show_relation(identifier: str, graph: GraphDep) -> RelationOut:
    """One relation with its first place."""
    found = await graph.relations.by_ids([identifier])
    if identifier not in found:
        raise NotFoundError(f"There is no relation {identifier!r}.")
    return RelationOut.of(found[identifier])
