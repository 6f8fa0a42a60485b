"""Reading what the gates need, for many paths with a handful of statements."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from graph.models import Evidence, PathRecord
from graph.store import Graph
from qa.gates.case import Case, Link, Rival


async def load_cases(graph: Graph, paths: Sequence[PathRecord], corpus: str | None = None) -> list[Case]:
    """The paths with their evidence, entities, rivals, links and spread, in the order given.

    Rivals, links and the rest are looked for in `corpus`, or everywhere if it is None.
    """
    if not paths:
        return []
    relation_ids = sorted({each for path in paths for each in path.relation_ids})
    entity_ids = sorted({each for path in paths for each in path.entity_ids})
    longer = [path for path in paths if path.hops > 1]
    ends = sorted({(path.entity_ids[0], path.entity_ids[-1]) for path in longer})
    tips = sorted({each for path in paths for each in (path.entity_ids[0], path.entity_ids[-1])})

    evidence, entities, links, together, spread, documents = await asyncio.gather(
        graph.relations.by_ids(relation_ids),
        graph.entities.by_ids(entity_ids),
        graph.read(
            "questions/gates.links",
            paths=[{"id": path.id, "entity_ids": list(path.entity_ids)} for path in longer],
            corpus=corpus,
        ),
        graph.read("questions/gates.together", pairs=[{"a": a, "b": b} for a, b in ends], corpus=corpus),
        graph.read("questions/gates.spread", ids=tips, corpus=corpus),
        graph.read("questions/gates.documents", corpus=corpus),
    )
    rivals = await _rivals(graph, list(evidence.values()), corpus)
    joined = {(row["a"], row["b"]): (row["chunk_id"], int(row["chunks"])) for row in together}
    reach = {row["id"]: (int(row["documents"]), int(row["lemmas"])) for row in spread}
    by_path: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in links:
        by_path[row["path_id"]].append(row)

    cases = []
    for path in paths:
        stated = tuple(evidence.get(each) for each in path.relation_ids)
        first, last = path.entity_ids[0], path.entity_ids[-1]
        cases.append(
            Case(
                path=path,
                evidence=stated,
                entities=tuple(entities.get(each) for each in path.entity_ids),
                rivals=tuple(_of(each, rivals) for each in stated),
                links=_apart(path, by_path[path.id]),
                together=joined.get((first, last)),
                spread={each: reach[each] for each in (first, last) if each in reach},
                documents=int(documents[0]["documents"]),
            )
        )
    return cases


Fits = dict[tuple[str, str], list[Rival]]


async def _rivals(graph: Graph, evidence: Sequence[Evidence], corpus: str | None) -> Fits:
    """All subjects of each (lemma, object), the asked one among them."""
    facts = sorted({(each.relation.lemma, each.relation.object_id) for each in evidence})
    rows = await graph.read(
        "questions/gates.rivals",
        facts=[{"lemma": lemma, "object_id": object_id} for lemma, object_id in facts],
        corpus=corpus,
    )
    found: Fits = defaultdict(list)
    for row in rows:
        found[row["lemma"], row["object_id"]].append(
            Rival(row["subject_id"], row["subject"], row["relation_id"], row["document_id"])
        )
    return found


def _of(stated: Evidence | None, fits: Fits) -> tuple[Rival, ...]:
    if stated is None:
        return ()
    same = fits.get((stated.relation.lemma, stated.relation.object_id), [])
    return tuple(each for each in same if each.entity_id != stated.relation.subject_id)


def _apart(path: PathRecord, rows: Sequence[dict[str, Any]]) -> tuple[Link, ...]:
    """Relations between entities that are not neighbours on the path, in either direction."""
    place = {entity: index for index, entity in enumerate(path.entity_ids)}
    return tuple(
        Link(row["subject_id"], row["object_id"], row["predicate"], row["relation_id"])
        for row in rows
        if abs(place[row["subject_id"]] - place[row["object_id"]]) > 1
    )
