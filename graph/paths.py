"""Paths through the graph: the seeded sampling statements, and the paths that questions rest on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from graph.connection import Connection
from graph.models import PathRecord

LONGEST = 6  # cypher/paths has one statement a length


class Found(NamedTuple):
    """A path: one more entity than lemmas and relations."""

    entity_ids: tuple[str, ...]
    lemmas: tuple[str, ...]
    relation_ids: tuple[str, ...]


class Start(NamedTuple):
    """What a sampling statement found from one entity.

    `found` are in the order of the seed, one a sequence of facts. `seen` counts them before pieces
    of evidence for the same facts were merged: where it reaches the beam, the beam may have cut.
    """

    id: str
    found: list[Found]
    seen: int


class Filters(NamedTuple):
    """What may be on a path; None is no restriction. Predicates are lemmas."""

    corpus: str | None = None
    documents: Sequence[str] | None = None
    kinds: Sequence[str] | None = None
    lemmas: Sequence[str] | None = None
    without: Sequence[str] = ()
    include: str | None = None
    repeat: bool = False  # let documents and chunks repeat


class PathsRepository:
    """Reads paths. Sampling reads the relations alone; nothing is stored by it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def entities(self) -> int:
        """How many entities there are, in all corpora."""
        rows = await self._connection.read("paths/around.starts")
        return int(rows[0]["entities"])

    async def candidates(
        self,
        hops: int,
        *,
        multiplier: float,
        within: tuple[float, float],
        beam: Sequence[int],
        filters: Filters,
        starts: Sequence[str] | None = None,
    ) -> list[Start]:
        """Paths of `hops` hops (1 to 6) from the entities whose `draw` is in [low, high).

        `beam` says for each hop how many partial paths of one start are kept. Ordered by the seed
        that `multiplier` was made from.
        """
        rows = await self._connection.read(
            f"paths/sample_{hops}",
            m=multiplier,
            low=within[0],
            high=within[1],
            starts=None if starts is None else list(starts),
            corpus=filters.corpus,
            documents=None if filters.documents is None else list(filters.documents),
            kinds=None if filters.kinds is None else list(filters.kinds),
            lemmas=None if filters.lemmas is None else list(filters.lemmas),
            without=list(filters.without),
            include=filters.include,
            **({"repeat": filters.repeat} if hops > 1 else {}),
            **{f"beam{hop}": kept for hop, kept in enumerate(beam, 1)},
        )
        return [
            Start(
                row["start"],
                [Found(*(tuple(part) for part in path)) for path in row["found"]],
                int(row["seen"] or 0),
            )
            for row in rows
        ]

    async def upstream(self, entity_id: str, steps: int, corpus: str | None = None) -> list[str]:
        """Ids of the entities from which `entity_id` can be reached in `steps` hops or fewer, its own too."""
        reached = {entity_id}
        edge = [entity_id]
        for _ in range(steps):
            rows = await self._connection.read("paths/around.upstream", ids=edge, corpus=corpus)
            edge = [row["id"] for row in rows if row["id"] not in reached]
            if not edge:
                break
            reached.update(edge)
        return sorted(reached)

    async def get(self, path_id: str) -> PathRecord | None:
        """A path that a question or a rejection is about."""
        rows = await self._connection.read("paths/around.get", id=path_id)
        if not rows:
            return None
        kept: dict[str, Any] = rows[0]["path"]
        return PathRecord(
            id=kept["id"],
            hops=kept["hops"],
            entity_ids=tuple(kept["entity_ids"]),
            relation_ids=tuple(kept["relation_ids"]),
            seed=kept["seed"],
            corpus=kept.get("corpus"),
        )

    async def tell(self, paths: Sequence[PathRecord]) -> list[dict[str, Any]]:
        """The paths in words: `{id, hops, entities, relations}`.

        Each relation is `{id, subject, predicate, object, document, document_name, chunk}`; one that is
        gone is left out.
        """
        wanted = sorted({relation for path in paths for relation in path.relation_ids})
        rows = await self._connection.read("paths/around.tell", relation_ids=wanted)
        facts = {row["id"]: row for row in rows}
        told = []
        for path in paths:
            steps = [facts[relation] for relation in path.relation_ids if relation in facts]
            names = [step["subject"] for step in steps] + [step["object"] for step in steps[-1:]]
            told.append(
                {
                    "id": path.id,
                    "hops": path.hops,
                    "entities": names,
                    "relations": [
                        {
                            "id": step["id"],
                            "subject": step["subject"],
                            "predicate": step["predicate"],
                            "object": step["object"],
                            "document": step["document_id"],
                            "document_name": step["document"],
                            "chunk": step["chunk_id"],
                        }
                        for step in steps
                    ],
                }
            )
        return told
