"""Relations: the evidence that subject -[predicate]-> object, and what questions ask of it."""

from __future__ import annotations

from collections.abc import Sequence

from graph import rows
from graph.connection import Connection
from graph.models import Evidence, Page, RelationRecord


class RelationsRepository:
    """Reads [:RELATES]; documents write them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def by_ids(self, ids: Sequence[str]) -> dict[str, Evidence]:
        """Those of these relations that are there, each with its first sighting."""
        found = await self._connection.read("entities/relations.by_ids", ids=sorted(set(ids)))
        return {row["relation"]["id"]: rows.evidence(row) for row in found}

    async def sightings(self, ids: Sequence[str]) -> list[Evidence]:
        """All sightings of these relations in the order of `ids`: one item a place and extractor."""
        found = await self._connection.read("entities/relations.by_ids", ids=sorted(set(ids)))
        by_id = {row["relation"]["id"]: row for row in found}
        return [each for key in ids if key in by_id for each in rows.sightings(by_id[key])]

    async def rivals(
        self, lemma: str, object_id: str, subject_id: str, corpus: str | None = None
    ) -> list[tuple[str, str, str]]:
        """Other subjects with the same lemma and object: (entity id, name, relation id)."""
        found = await self._connection.read(
            "entities/relations.rivals", lemma=lemma, object=object_id, subject=subject_id, corpus=corpus
        )
        return [(row["entity"], row["name"], row["relation"]) for row in found]

    async def between(self, entity_ids: Sequence[str], corpus: str | None = None) -> list[RelationRecord]:
        """Relations with both ends among these entities, by id."""
        found = await self._connection.read(
            "entities/relations.between", ids=sorted(set(entity_ids)), corpus=corpus
        )
        return [rows.relation(row) for row in found]

    async def co_mentions(self, a: str, b: str, corpus: str | None = None) -> list[str]:
        """Ids of the chunks in which both entities stand."""
        found = await self._connection.read("entities/relations.co_mentions", a=a, b=b, corpus=corpus)
        return [row["chunk"] for row in found]

    async def spread(self, entity_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """How many documents relate each entity, in either direction, and with how many distinct lemmas."""
        found = await self._connection.read("entities/relations.spread", ids=sorted(set(entity_ids)))
        return {row["id"]: (row["documents"], row["lemmas"]) for row in found}

    # Last in the class: after it, `list` would mean this method.
    async def list(
        self, corpus: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[Evidence]:
        """Relations by id: all, or a page of at most `limit`. Raises InputError on a broken cursor."""
        (after,) = rows.place(cursor, 1)
        statement, most = rows.listing("entities/relations.list", "entities/relations.page", limit)
        found = await self._connection.read(statement, corpus=corpus, after=after, **most)
        ids = [row["id"] for row in found[:limit]]
        records = await self.by_ids(ids)
        more = limit is not None and len(found) > limit
        return Page(
            items=[records[each] for each in ids if each in records],
            next=rows.cursor(ids[-1]) if more and ids else None,
        )
