"""Small documents written by hand, as records, for tests of the graph."""

from __future__ import annotations

from datetime import UTC, datetime

from domain.ids import sha256, stable_id
from graph.models import (
    AliasRecord,
    ChunkRecord,
    DocumentBundle,
    DocumentRecord,
    EntityRecord,
    MentionRecord,
    RelationRecord,
)

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)


def entity_id(name: str) -> str:
    """Id of the entity of this name."""
    return stable_id("ent", name)


def relation_id(subject: str, predicate: str, obj: str, chunk_id: str) -> str:
    """Id of a relation between names in a chunk."""
    return stable_id("rel", subject, predicate, obj, chunk_id)


def chunk_id(document_id: str, ordinal: int, text: str) -> str:
    """Id of a chunk."""
    return stable_id("chk", document_id, ordinal, sha256(text))


def bundle(
    name: str,
    chunks: list[list[tuple[str, str, str]]],
    *,
    corpus: str = "default",
    extractor: str = "pattern",
    fingerprint: str = "f1",
    variant_of: dict[str, str] | None = None,
) -> DocumentBundle:
    """A document whose chunk i says the triples `chunks[i]`, a sentence each: "subject predicate object."

    Every end of a triple is mentioned where its sentence has it, and named by itself.
    """
    document_id = stable_id("doc", name)
    texts = [" ".join(f"{s} {p} {o}." for s, p, o in triples) for triples in chunks]
    records, mentions, relations, names = [], [], [], set()
    for ordinal, (triples, text) in enumerate(zip(chunks, texts, strict=True)):
        chunk = ChunkRecord(
            id=chunk_id(document_id, ordinal, text),
            name=f"{name} #{ordinal}",
            document_id=document_id,
            ordinal=ordinal,
            text=text,
            words=len(text.split()),
            content_sha256=sha256(text),
        )
        records.append(chunk)
        at = 0
        for subject, predicate, obj in triples:
            sentence = f"{subject} {predicate} {obj}."
            places = ((subject, at), (obj, at + len(sentence) - 1 - len(obj)))
            for surface, start in places:
                names.add(surface)
                mentions.append(
                    MentionRecord(
                        entity_id=entity_id(surface),
                        chunk_id=chunk.id,
                        start=start,
                        end=start + len(surface),
                        surface=surface,
                        recogniser="dictionary",
                    )
                )
            relations.append(
                RelationRecord(
                    id=relation_id(subject, predicate, obj, chunk.id),
                    subject_id=entity_id(subject),
                    object_id=entity_id(obj),
                    subject_surface=subject,
                    object_surface=obj,
                    predicate=predicate,
                    lemma=predicate.rstrip("s"),
                    document_id=document_id,
                    chunk_id=chunk.id,
                    start=at,
                    end=at + len(sentence),
                    extractor=extractor,
                    at=AT,
                )
            )
            at += len(sentence) + 1
    variants = variant_of or {}
    return DocumentBundle(
        corpus=corpus,
        document=DocumentRecord(
            id=document_id,
            name=name,
            title=f"On {name}",
            authors=("A. Author",),
            source=f"/papers/{name}.txt",
            format="text",
            content_sha256=sha256("".join(texts)),
            fingerprint=fingerprint,
        ),
        chunks=tuple(records),
        entities=tuple(
            EntityRecord(
                id=entity_id(each),
                name=each,
                kind="compound",
                key=each,
                variant_of=entity_id(variants[each]) if each in variants else None,
            )
            for each in sorted(names)
        ),
        aliases=tuple(
            AliasRecord(key=each, surface=each, entity_id=entity_id(each)) for each in sorted(names)
        ),
        mentions=tuple(mentions),
        relations=tuple(relations),
    )
