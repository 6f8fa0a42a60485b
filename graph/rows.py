"""Records to rows of parameters and back, and cursors of lists.

Times are stored as ISO 8601 text in UTC, so that both engines give back the same value.
"""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from domain.ids import draw, stable_id
from errors import InputError
from graph.models import (
    AliasRecord,
    ChunkRecord,
    DocumentRecord,
    EntityRecord,
    Evidence,
    MentionRecord,
    RelationRecord,
)

# A second extractor or a second place in the chunk adds to the evidence of a relation: these fields of
# each sighting stand side by side in list properties of the edge. Lists hold no null: "" stands for it.
_SIGHTING = {
    "start": "starts",
    "end": "ends",
    "extractor": "extractors",
    "model": "models",
    "prompt_sha256": "prompts_sha256",
    "run_id": "run_ids",
    "at": "ats",
}

# ------------------------------------------------------------ to the graph


def document_properties(document: DocumentRecord) -> dict[str, Any]:
    """All properties of the node; a null removes what an earlier version had."""
    return document.model_dump(mode="json")


def chunk_row(chunk: ChunkRecord) -> dict[str, Any]:
    """`{id, properties}`; the document is an edge, not a property."""
    return {"id": chunk.id, "properties": chunk.model_dump(mode="json", exclude={"document_id"})}


def entity_row(entity: EntityRecord) -> dict[str, Any]:
    """`{id, name, properties}` without nulls: what another document or an enrichment knows stays."""
    properties = entity.model_dump(mode="json", exclude={"name", "aliases"}, exclude_none=True)
    return {"id": entity.id, "name": entity.name, "properties": {**properties, "draw": draw(entity.id)}}


def alias_row(alias: AliasRecord) -> dict[str, Any]:
    """`{id, entity, properties}`; one alias node for a key and surface, however many it names."""
    identifier = stable_id("als", alias.key, alias.surface)
    properties = {"id": identifier, "name": alias.surface, "key": alias.key, "surface": alias.surface}
    return {"id": identifier, "entity": alias.entity_id, "properties": properties}


def mention_row(mention: MentionRecord) -> dict[str, Any]:
    """`{entity, chunk, properties}`."""
    properties = mention.model_dump(mode="json", exclude={"entity_id", "chunk_id"})
    return {"entity": mention.entity_id, "chunk": mention.chunk_id, "properties": properties}


def relation_rows(
    relations: Iterable[RelationRecord], chunks: Mapping[str, str], corpora: Sequence[str]
) -> list[dict[str, Any]]:
    """One row `{id, subject, object, properties}` for each id, with all its sightings.

    `chunks` gives each chunk's content hash, `corpora` those of the document. The first sighting, by
    place and extractor, also stands in the plain properties.
    """
    groups: dict[str, list[RelationRecord]] = defaultdict(list)
    for relation in relations:
        groups[relation.id].append(relation)
    return [_relation_row(groups[identifier], chunks, corpora) for identifier in sorted(groups)]


def _relation_row(
    group: Sequence[RelationRecord], chunks: Mapping[str, str], corpora: Sequence[str]
) -> dict[str, Any]:
    sightings: dict[tuple[Any, ...], RelationRecord] = {_sighting(each): each for each in group}
    ordered = sorted(sightings)
    first = sightings[ordered[0]]
    lists = {plural: [each[i] for each in ordered] for i, plural in enumerate(_SIGHTING.values())}
    properties = {
        **first.model_dump(mode="json", exclude={"subject_id", "object_id", "at"}, exclude_none=True),
        **lists,
        "name": first.predicate,
        "draw": draw(first.id),
        "chunk_sha256": chunks[first.chunk_id],
        "corpora": list(corpora),
    }
    if first.at is not None:
        properties["at"] = utc(first.at)
    return {
        "id": first.id,
        "subject": first.subject_id,
        "object": first.object_id,
        "properties": properties,
    }


def _sighting(relation: RelationRecord) -> tuple[Any, ...]:
    values = (getattr(relation, field) for field in _SIGHTING)
    return tuple(
        utc(value) if isinstance(value, datetime) else "" if value is None else value for value in values
    )


def utc(moment: datetime) -> str:
    """ISO 8601 in UTC; a naive time is taken as UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat()


# ------------------------------------------------------------ from the graph


def document(properties: Mapping[str, Any]) -> DocumentRecord:
    """The record of a document node."""
    return DocumentRecord.model_validate(_known(properties, DocumentRecord))


def chunk(properties: Mapping[str, Any], document_id: str) -> ChunkRecord:
    """The record of a chunk node."""
    return ChunkRecord.model_validate({**_known(properties, ChunkRecord), "document_id": document_id})


def entity(properties: Mapping[str, Any], aliases: Iterable[str]) -> EntityRecord:
    """The record of an entity node; aliases sorted."""
    return EntityRecord.model_validate(
        {**_known(properties, EntityRecord), "aliases": tuple(sorted(set(aliases)))}
    )


def relation(row: Mapping[str, Any]) -> RelationRecord:
    """The record of a row with `relation` (properties), `subject_id` and `object_id`: its first sighting."""
    return RelationRecord.model_validate(
        {
            **_known(row["relation"], RelationRecord),
            "subject_id": row["subject_id"],
            "object_id": row["object_id"],
        }
    )


def evidence(row: Mapping[str, Any]) -> Evidence:
    """The first sighting of a relation, with its text and place."""
    fields = (
        "subject_name",
        "object_name",
        "chunk_text",
        "chunk_sha256",
        "page",
        "document_title",
        "document_doi",
    )
    return Evidence(relation=relation(row), **{field: row[field] for field in fields})


def sightings(row: Mapping[str, Any]) -> list[Evidence]:
    """All sightings of a relation, one piece of evidence for each place and extractor."""
    first, lists = evidence(row), row["relation"]
    found = []
    for values in zip(*(lists[plural] for plural in _SIGHTING.values()), strict=True):
        own = {field: None if value == "" else value for field, value in zip(_SIGHTING, values, strict=True)}
        changed = RelationRecord.model_validate({**first.relation.model_dump(), **own})
        found.append(first.model_copy(update={"relation": changed}))
    return found


def _known(properties: Mapping[str, Any], model: type[Any]) -> dict[str, Any]:
    return {key: value for key, value in properties.items() if key in model.model_fields}


# ------------------------------------------------------------ cursors


def cursor(*place: str) -> str:
    """An opaque cursor for a place in a list."""
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def listing(whole: str, page: str, limit: int | None) -> tuple[str, dict[str, int]]:
    """Which of two statements lists, and its limit: one more than asked for, to see if there is more."""
    return (whole, {}) if limit is None else (page, {"limit": limit + 1})


def place(text: str | None, parts: int) -> tuple[str | None, ...]:
    """What a cursor stands for: `parts` values, all None for no cursor. Raises InputError on a broken one."""
    if text is None:
        return (None,) * parts
    try:
        values = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except ValueError:
        values = None
    if not (isinstance(values, list) and len(values) == parts and all(isinstance(v, str) for v in values)):
        raise InputError(f"{text!r} is no cursor of this list; begin again without one.")
    return tuple(values)
