"""A small graph from a few facts, for tests that need paths.

    facts = [("D1", "hydrazine", "is made from", "ammonia"), ...]
    await store_facts(graph, facts)

Each fact becomes one chunk of its own in the document it names, with the one sentence that states it, so
that what a test expects can be read off the list. Ids are spelled out: `ent_hydrazine`, `doc_D1`, `rel_D1_0`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from domain.identity import identity_key
from domain.ids import sha256
from domain.predicates import lemma
from graph.models import (
    AliasRecord,
    ChunkRecord,
    DocumentBundle,
    DocumentRecord,
    EntityRecord,
    MentionRecord,
    RelationRecord,
)
from graph.store import Graph

Row = tuple[str, str, str, str]  # document, subject, predicate, object


def entity_id(name: str) -> str:
    """The id that an entity of this name gets."""
    return "ent_" + name.replace(" ", "_")


def sentence(subject: str, predicate: str, obj: str) -> str:
    """How a fact is stated."""
    text = f"{subject} {predicate} {obj}."
    return text[0].upper() + text[1:]


def bundles(
    facts: Sequence[Row],
    *,
    corpus: str = "default",
    kinds: Mapping[str, str] | None = None,
    aliases: Mapping[str, Sequence[str]] | None = None,
    formulas: Mapping[str, str] | None = None,
    generic: Sequence[str] = (),
    lemmas: Mapping[str, str] | None = None,
    texts: Mapping[int, str] | None = None,
) -> list[DocumentBundle]:
    """One bundle for each document named.

    Args:
        facts: (document, subject, predicate, object); the place in the list numbers the chunk.
        kinds, aliases, formulas, generic: of entities, by name.
        lemmas: of predicates, where it is not what domain.predicates says.
        texts: whole chunk text of a fact by its place; it must hold the stating sentence.
    """
    kinds, aliases, formulas = kinds or {}, aliases or {}, formulas or {}
    by_document: dict[str, list[tuple[int, Row]]] = defaultdict(list)
    for place, fact in enumerate(facts):
        by_document[fact[0]].append((place, fact))
    return [
        _bundle(
            document,
            rows,
            corpus,
            kinds,
            aliases,
            formulas,
            frozenset(generic),
            lemmas or {},
            texts or {},
        )
        for document, rows in by_document.items()
    ]


async def store_facts(graph: Graph, facts: Sequence[Row], **options: object) -> None:
    """Write the facts; the options are those of `bundles`."""
    for bundle in bundles(facts, **options):  # type: ignore[arg-type]
        await graph.documents.store(bundle)


def _bundle(
    document: str,
    rows: Sequence[tuple[int, Row]],
    corpus: str,
    kinds: Mapping[str, str],
    aliases: Mapping[str, Sequence[str]],
    formulas: Mapping[str, str],
    generic: frozenset[str],
    lemmas: Mapping[str, str],
    texts: Mapping[int, str],
) -> DocumentBundle:
    document_id = f"doc_{document}"
    chunks, mentions, relations = [], [], []
    names: set[str] = set()
    for ordinal, (place, (_, subject, predicate, obj)) in enumerate(rows):
        stated = sentence(subject, predicate, obj)
        text = texts.get(place, stated)
        chunk = ChunkRecord(
            id=f"chk_{document}_{ordinal}",
            name=f"{document} #{ordinal}",
            document_id=document_id,
            ordinal=ordinal,
            text=text,
            words=len(text.split()),
            content_sha256=sha256(text),
        )
        chunks.append(chunk)
        start = text.index(stated)
        surfaces = []
        for name in (subject, obj):
            names.add(name)
            at = text.lower().index(name.lower(), start)
            surfaces.append(text[at : at + len(name)])
            mentions.append(
                MentionRecord(
                    entity_id=entity_id(name),
                    chunk_id=chunk.id,
                    start=at,
                    end=at + len(name),
                    surface=surfaces[-1],
                    recogniser="test",
                )
            )
        relations.append(
            RelationRecord(
                id=f"rel_{document}_{ordinal}",
                subject_id=entity_id(subject),
                object_id=entity_id(obj),
                subject_surface=surfaces[0],
                object_surface=surfaces[1],
                predicate=predicate,
                lemma=lemmas.get(predicate) or lemma(predicate),
                document_id=document_id,
                chunk_id=chunk.id,
                start=start,
                end=start + len(stated),
                extractor="test",
            )
        )
    return DocumentBundle(
        corpus=corpus,
        document=DocumentRecord(
            id=document_id,
            name=document,
            title=f"On {document}",
            source=f"{document}.txt",
            format="text",
            content_sha256=sha256("".join(chunk.text for chunk in chunks)),
            fingerprint=sha256(document),
        ),
        chunks=tuple(chunks),
        entities=tuple(
            EntityRecord(
                id=entity_id(name),
                name=name,
                kind=kinds.get(name, "compound"),
                key=identity_key(name),
                formula=formulas.get(name),
                generic=name in generic,
            )
            for name in sorted(names)
        ),
        aliases=tuple(
            AliasRecord(key=identity_key(surface), surface=surface, entity_id=entity_id(name))
            for name in sorted(names)
            for surface in (name, *aliases.get(name, ()))
        ),
        mentions=tuple(mentions),
        relations=tuple(relations),
    )
