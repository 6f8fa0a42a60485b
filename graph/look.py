"""Looking around: search by name, the neighbours of an entity, the evidence of a relation."""

from __future__ import annotations

from typing import NamedTuple

from domain.identity import normalise
from errors import NotFoundError
from graph.connection import Connection
from graph.entities import EntitiesRepository
from graph.models import EntityRecord, Evidence
from graph.relations import RelationsRepository


class Neighbourhood(NamedTuple):
    """Entities and the relations between them, as `graph neighbours` shows them."""

    nodes: list[EntityRecord]
    relationships: list[Evidence]


class LookRepository:
    """Answers people's first questions about a graph."""

    def __init__(
        self, connection: Connection, entities: EntitiesRepository, relations: RelationsRepository
    ) -> None:
        self._connection, self._entities, self._relations = connection, entities, relations

    async def search(self, text: str, limit: int = 20) -> list[EntityRecord]:
        """Entities named so, by identity key; then those with a name that contains the text."""
        exact = await self._entities.find(text)
        wanted = normalise(text).strip().lower()
        if not wanted or len(exact) >= limit:
            return exact[:limit]
        found = await self._connection.read("look/look.containing", text=wanted, limit=limit + len(exact))
        ids = [row["id"] for row in found if row["id"] not in {record.id for record in exact}]
        records = await self._entities.by_ids(ids)
        return (exact + [records[each] for each in ids if each in records])[:limit]

    async def neighbours(self, entity_id: str, corpus: str | None = None, limit: int = 100) -> Neighbourhood:
        """An entity, at most `limit` of its relations in either direction, and their other ends.

        Raises NotFoundError.
        """
        centre = await self._entities.get(entity_id)
        if centre is None:
            raise NotFoundError(f"There is no entity {entity_id!r}.")
        found = await self._connection.read("look/look.neighbours", id=entity_id, corpus=corpus, limit=limit)
        ids = [row["id"] for row in found]
        relations = await self._relations.by_ids(ids)
        kept = [relations[each] for each in ids if each in relations]
        ends = {end for each in kept for end in (each.relation.subject_id, each.relation.object_id)}
        others = await self._entities.by_ids(sorted(ends - {entity_id}))
        return Neighbourhood([centre, *(others[key] for key in sorted(others))], kept)

    async def evidence(self, relation_id: str) -> list[Evidence]:
        """All sightings of one relation. Raises NotFoundError."""
        found = await self._relations.sightings([relation_id])
        if not found:
            raise NotFoundError(f"There is no relation {relation_id!r}.")
        return found
