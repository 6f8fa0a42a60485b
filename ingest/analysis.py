"""What one document says, without a graph: introduction, chunks, entities, relations, as one bundle."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from domain.identity import display_name, identity_key, normalise
from domain.ids import sha256, stable_id
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
from ingest.entities import recognise_document
from ingest.models import Mention, SourceDocument, TextChunk, Triple
from ingest.options import IngestOptions, fingerprint
from ingest.relations import extract_relations
from ingest.relations.model import RELATE_PROMPT, relate, verify_entities
from ingest.text import chunk, introduction

_LONGEST_NAME = 60  # characters of a document's caption
_MARK = r"[⁰¹²³⁴-⁹][⁰¹²³⁴-⁹˒,–-]*"
_CITATION = re.compile(rf"\s?\[\d[\d,;\s–-]*\]|(?<=[^\W\d_][.,;:)]){_MARK}|(?<=[a-z]{{3}}){_MARK}")


@dataclass(frozen=True)
class Analysis:
    """A bundle that can be stored, and what was rejected on the way, by reason."""

    bundle: DocumentBundle
    rejected: dict[str, int]

    @property
    def entities(self) -> int:
        """Distinct entities mentioned."""
        return len({mention.entity_id for mention in self.bundle.mentions})


def document_id(document: SourceDocument) -> str:
    """The id of a source: from its version-less DOI, where it has one, else from its content."""
    if document.doi:
        doi = re.sub(
            r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", "", document.doi.strip(), flags=re.IGNORECASE
        )
        return stable_id("doc", re.sub(r"[-/.]v\d+$", "", doi.lower()))
    return stable_id("doc", document.content_sha256)


def chunk_sha256(text: str) -> str:
    """Hash of a text that does not depend on how it was set: forms of writing, spaces, citation marks."""
    return sha256(normalise(_CITATION.sub("", text)).replace(" .", ".").replace(" ,", ","))


def chunks_of(document: SourceDocument, options: IngestOptions) -> list[TextChunk]:
    """The introduction in chunks. Raises InputError where there is none."""
    return chunk(introduction(document, options.introduction_words), options.chunk_words)


async def analyse(
    document: SourceDocument,
    options: IngestOptions,
    corpus: str = "default",
    *,
    texts: Sequence[TextChunk] | None = None,
) -> Analysis:
    """All that the document says; `texts` are its chunks, if they were made before.

    Raises InputError where there is no introduction or the recogniser cannot be used, CataneneError
    where the model failed on a chunk, ModelError where the endpoint cannot be used. The computing
    runs in a thread.
    """
    if texts is None:
        texts = await asyncio.to_thread(chunks_of, document, options)
    draft = await asyncio.to_thread(_recognise, document, texts, options, corpus)
    if options.client is None:
        await asyncio.to_thread(_relate_by_patterns, draft)
    else:
        await _ask_model(draft)
    return await asyncio.to_thread(draft.finish)


@dataclass
class _Draft:
    """A document in the making."""

    record: DocumentRecord
    corpus: str
    options: IngestOptions
    texts: Sequence[TextChunk]
    mentions: list[list[Mention]]
    known: Mapping[str, str]
    triples: list[tuple[Triple, ...]] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)

    def finish(self) -> Analysis:
        chunks = [self._chunk(text) for text in self.texts]
        entities: dict[str, EntityRecord] = {}
        mentions: list[MentionRecord] = []
        relations: list[RelationRecord] = []
        surfaces: dict[str, set[str]] = {}
        for record, found, triples in zip(chunks, self.mentions, self.triples, strict=True):
            resolved = [self.options.resolver.resolve(mention.surface, self.known) for mention in found]
            for mention, entity in zip(found, resolved, strict=True):
                entities.setdefault(entity.id, entity)
                surfaces.setdefault(entity.id, set()).add(display_name(mention.surface))
                mentions.append(_mention(mention, entity, record))
            relations += self._relations(record, found, resolved, triples)
        merged = {
            identifier: _with_surfaces(entity, surfaces[identifier])
            for identifier, entity in entities.items()
        }
        bundle = DocumentBundle(
            corpus=self.corpus,
            document=self.record,
            chunks=tuple(chunks),
            entities=tuple(merged.values()),
            aliases=tuple(alias for entity in merged.values() for alias in _aliases(entity)),
            mentions=tuple(mentions),
            relations=tuple(relations),
        )
        return Analysis(bundle, dict(sorted(self.rejected.items())))

    def _chunk(self, text: TextChunk) -> ChunkRecord:
        content = chunk_sha256(text.text)
        return ChunkRecord(
            id=stable_id("chk", self.record.id, text.ordinal, content),
            name=f"{self.record.name} #{text.ordinal}",
            document_id=self.record.id,
            ordinal=text.ordinal,
            text=text.text,
            words=text.words,
            page=text.page,
            content_sha256=content,
        )

    def _relations(
        self,
        chunk: ChunkRecord,
        mentions: Sequence[Mention],
        resolved: Sequence[EntityRecord],
        triples: Sequence[Triple],
    ) -> list[RelationRecord]:
        options = self.options
        prompt = options.pack.prompt(RELATE_PROMPT).sha256 if options.client else None
        at = datetime.now(UTC)
        found = []
        for triple in triples:
            subject, item = resolved[triple.subject], resolved[triple.object]
            if subject.id == item.id:
                self.rejected["same_entity"] += 1
                continue
            surfaces = mentions[triple.subject].surface, mentions[triple.object].surface
            keys = identity_key(surfaces[0]), identity_key(surfaces[1])
            found.append(
                RelationRecord(
                    id=stable_id("rel", keys[0], triple.predicate, keys[1], chunk.id),
                    subject_id=subject.id,
                    object_id=item.id,
                    subject_surface=surfaces[0],
                    object_surface=surfaces[1],
                    predicate=triple.predicate,
                    lemma=lemma(triple.predicate),
                    document_id=self.record.id,
                    chunk_id=chunk.id,
                    start=triple.start,
                    end=triple.end,
                    extractor=triple.extractor,
                    model=options.model,
                    prompt_sha256=prompt,
                    run_id=options.run_id,
                    at=at,
                )
            )
        return found


def _recognise(
    document: SourceDocument, texts: Sequence[TextChunk], options: IngestOptions, corpus: str
) -> _Draft:
    mentions, known = recognise_document([text.text for text in texts], options.recogniser)
    return _Draft(_record(document, options), corpus, options, texts, mentions, known)


def _record(document: SourceDocument, options: IngestOptions) -> DocumentRecord:
    return DocumentRecord(
        id=document_id(document),
        name=_caption(document.title),
        title=document.title,
        authors=document.authors,
        doi=document.doi,
        version=document.version,
        license=document.license,
        url=document.url,
        published=document.published,
        source=document.source,
        format=document.format,
        content_sha256=document.content_sha256,
        fingerprint=fingerprint(document.content_sha256, options),
        warnings=document.warnings,
    )


def _caption(title: str) -> str:
    """The title, cut at a word if it is long."""
    if len(title) <= _LONGEST_NAME:
        return title
    return title[: _LONGEST_NAME - 1].rsplit(" ", 1)[0].rstrip(" ,:;-–") + "…"


def _relate_by_patterns(draft: _Draft) -> None:
    options = draft.options
    for text, mentions in zip(draft.texts, draft.mentions, strict=True):
        result = extract_relations(text.text, mentions, options.pack, options.max_facts)
        draft.triples.append(result.triples)
        draft.rejected.update(result.rejected)


async def _ask_model(draft: _Draft) -> None:
    """Verify and relate chunk by chunk, all chunks at once: the client limits how many calls go."""
    options = draft.options
    assert options.client is not None
    client = options.client

    async def one(
        text: TextChunk, mentions: list[Mention]
    ) -> tuple[list[Mention], tuple[Triple, ...], Counter[str]]:
        kept, refused = await verify_entities(text.text, mentions, options.pack, client)
        result = await relate(text.text, kept, options.pack, client, options.max_facts)
        return kept, result.triples, Counter(result.rejected) + Counter({"refused_entity": refused})

    replies = await asyncio.gather(
        *(one(text, found) for text, found in zip(draft.texts, draft.mentions, strict=True))
    )
    draft.mentions = [kept for kept, _, _ in replies]
    draft.triples = [triples for _, triples, _ in replies]
    for _, _, rejected in replies:
        draft.rejected.update(rejected)


def _mention(mention: Mention, entity: EntityRecord, chunk: ChunkRecord) -> MentionRecord:
    return MentionRecord(
        entity_id=entity.id,
        chunk_id=chunk.id,
        start=mention.start,
        end=mention.end,
        surface=mention.surface,
        recogniser=mention.recogniser,
    )


def _with_surfaces(entity: EntityRecord, surfaces: set[str]) -> EntityRecord:
    """The entity with every surface of the document among its aliases."""
    names = dict.fromkeys([*sorted(surfaces), *entity.aliases])
    by_key = {identity_key(name): name for name in reversed(names) if identity_key(name) != entity.key}
    return entity.model_copy(update={"aliases": tuple(reversed([*by_key.values()]))})


def _aliases(entity: EntityRecord) -> list[AliasRecord]:
    """Alias records of the name and of all other names."""
    surfaces = [entity.name, *entity.aliases]
    return [
        AliasRecord(key=identity_key(surface), surface=surface, entity_id=entity.id) for surface in surfaces
    ]
