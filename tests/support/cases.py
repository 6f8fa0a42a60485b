"""Cases for the gates and writers without an engine: what `load_cases` would read of a few facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graph.models import EntityRecord, Evidence, OneHop, PathRecord
from qa.gates import Case, Draft
from tests.support.facts import Row, bundles, entity_id


def case(facts: Sequence[Row], *, aliases: Mapping[str, Sequence[str]] | None = None, **options: Any) -> Case:
    """The path through the facts in their order, each in the document it names.

    `options` are those of `bundles`, and `rivals`, `links`, `together`, `spread`, `documents` of the case.
    """
    extra = {
        name: options.pop(name)
        for name in ("rivals", "links", "together", "spread", "documents")
        if name in options
    }
    evidence: dict[str, Evidence] = {}
    entities: dict[str, EntityRecord] = {}
    relation_of: dict[tuple[str, str], str] = {}
    for bundle in bundles(facts, aliases=aliases, **options):
        chunks = {chunk.id: chunk for chunk in bundle.chunks}
        for entity in bundle.entities:
            entities[entity.id] = entity.model_copy(
                update={"aliases": tuple((aliases or {}).get(entity.name, ()))}
            )
        for relation in bundle.relations:
            chunk = chunks[relation.chunk_id]
            relation_of[relation.subject_id, relation.object_id] = relation.id
            evidence[relation.id] = Evidence(
                relation=relation,
                subject_name=entities[relation.subject_id].name,
                object_name=entities[relation.object_id].name,
                chunk_text=chunk.text,
                chunk_sha256=chunk.content_sha256,
                page=None,
                document_title=bundle.document.title,
                document_doi=None,
            )
    path_entities = [entity_id(facts[0][1]), *(entity_id(fact[3]) for fact in facts)]
    relations = [relation_of[entity_id(fact[1]), entity_id(fact[3])] for fact in facts]
    path = PathRecord(
        id="pth_test",
        hops=len(facts),
        entity_ids=tuple(path_entities),
        relation_ids=tuple(relations),
        seed=1,
    )
    return Case(
        path=path,
        evidence=tuple(evidence[each] for each in relations),
        entities=tuple(entities[each] for each in path_entities),
        rivals=extra.pop("rivals", tuple(() for _ in relations)),
        **extra,
    )


def draft(of: Case, text: str, *one_hops: str, answer: str | None = None) -> Draft:
    """A draft with these one-hop questions, each answered by the subject of its hop."""
    return Draft(
        text=text,
        answer=answer or of.nodes[0].name,
        one_hops=tuple(
            OneHop(question=question, answer=entity.name, relation_id=relation)
            for question, entity, relation in zip(one_hops, of.nodes, of.path.relation_ids, strict=False)
        ),
    )
