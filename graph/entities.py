"""Entities: by id, by name, in lists, and what is said about them."""

from __future__ import annotations

from collections.abc import Sequence

from domain.identity import identity_key
from graph import rows
from graph.connection import Connection
from graph.models import EntityRecord, Evidence, MentionRecord, Page
from graph.relations import RelationsRepository


class EntitiesRepository:
    """Reads (:Entity); documents write them."""

    def __init__(self, connection: Connection, relations: RelationsRepository) -> None:
        self._connection, self._relations = connection, relations

    async def get(self, entity_id: str) -> EntityRecord | None:
        """One entity, None where it is not there."""
        return (await self.by_ids([entity_id])).get(entity_id)

    async def by_ids(self, ids: Sequence[str]) -> dict[str, EntityRecord]:
        """Those of these entities that are there, with their aliases."""
        found = await self._connection.read("entities/entities.by_ids", ids=sorted(set(ids)))
        records = [rows.entity(row["entity"], row["aliases"]) for row in found]
        return {record.id: record for record in records}

    async def find(self, text: str) -> list[EntityRecord]:
        """The entities that an id, a name or an alias means, by identity key; several where ambiguous."""
        found = await self._connection.read("entities/entities.find", id=text.strip(), key=identity_key(text))
        records = await self.by_ids([row["id"] for row in found])
        return sorted(records.values(), key=lambda record: (record.name, record.id))

    async def evidence(self, entity_id: str, corpus: str | None = None) -> list[Evidence]:
        """All evidence with this entity as subject or object, one item for each place and extractor."""
        found = await self._connection.read("entities/entities.evidence", id=entity_id, corpus=corpus)
        return await self._relations.sightings([row["id"] for row in found])

    async def variants(self, compound_ids: Sequence[str]) -> dict[str, list[str]]:
        """Ids of the phases and supported forms of each of these compounds, by name."""
        found = await self._connection.read("entities/entities.variants", ids=sorted(set(compound_ids)))
        variants: dict[str, list[str]] = {}
        for row in found:
            variants.setdefault(row["compound"], []).append(row["id"])
        return variants

    async def mentions(self, entity_id: str) -> list[MentionRecord]:
        """Where the entity stands, in the order of documents, chunks and places."""
        found = await self._connection.read("entities/entities.mentions", id=entity_id)
        return [MentionRecord.model_validate(row) for row in found]

    # Last in the class: after it, `list` would mean this method.
    async def list(
        self, corpus: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[EntityRecord]:
        """Entities by name: all, or a page of at most `limit`. Raises InputError on a broken cursor."""
        name, identifier = rows.place(cursor, 2)
        place = {"after_name": name, "after_id": identifier}
        if corpus is None:
            statement, most = rows.listing("entities/entities.list", "entities/entities.page", limit)
            found = await self._connection.read(statement, **place, **most)
        else:
            statement, most = rows.listing("entities/entities.list_of", "entities/entities.page_of", limit)
            found = await self._connection.read(statement, corpus=corpus, **place, **most)
        ids = [row["id"] for row in found[:limit]]
        records = await self.by_ids(ids)
        items = [records[each] for each in ids if each in records]
        more = limit is not None and len(found) > limit
        return Page(items=items, next=rows.cursor(items[-1].name, items[-1].id) if more and items else None)
