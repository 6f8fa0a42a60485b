"""/v1/entities"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from api.facts import Fact, facts
from api.lists import CorpusQuery, CursorQuery, LimitQuery, linked
from api.problems import responses
from api.state import GraphDep
from errors import NotFoundError
from graph.models import EntityRecord, MentionRecord, Page

router = APIRouter(prefix="/v1/entities", tags=["entities"])


class EntityOut(BaseModel):
    """An entity with every fact about it and every sentence that states one."""

    entity: EntityRecord
    aliases: list[str]
    facts: list[Fact]


@router.get("", responses=responses(503))
async def list_entities(
    graph: GraphDep,
    request: Request,
    response: Response,
    corpus: CorpusQuery = None,
    limit: LimitQuery = 50,
    cursor: CursorQuery = None,
) -> Page[EntityRecord]:
    """Entities by name."""
    return linked(await graph.entities.list(corpus, limit, cursor), request, response)


@router.get("/{identifier}", responses=responses(404, 503))
async def show_entity(identifier: str, graph: GraphDep, corpus: CorpusQuery = None) -> EntityOut:
    """One entity, by id, with its facts."""
    record = await graph.entities.get(identifier)
    if record is None:
        raise NotFoundError(f"There is no entity {identifier!r}; /v1/graph/search finds by name.")
    evidence = await graph.entities.evidence(identifier, corpus)
    return EntityOut(entity=record, aliases=list(record.aliases), facts=facts(evidence))


@router.get("/{identifier}/mentions", responses=responses(404, 503))
async def list_mentions(identifier: str, graph: GraphDep) -> Page[MentionRecord]:
    """Where an entity stands in the texts."""
    if await graph.entities.get(identifier) is None:
        raise NotFoundError(f"There is no entity {identifier!r}.")
    return Page(items=await graph.entities.mentions(identifier))
