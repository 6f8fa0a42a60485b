"""From a document as read to the graph: skip what is known, replace what changed, report what failed.

One document is one transaction. What is wrong with one becomes its outcome and stops no other; what
is wrong with the engine or the endpoint stops the job.
"""

from __future__ import annotations

import asyncio
import re
import weakref
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from domain.progress import Progress, silent
from errors import CataneneError, EngineError, InputError, JobCancelled, ModelError
from graph.models import DocumentRecord
from ingest.analysis import Analysis, analyse, chunks_of, document_id
from ingest.models import DocumentOutcome, SourceDocument, SourceFailure
from ingest.options import IngestOptions, fingerprint
from ingest.sources import discover, read_documents
from settings import Settings, get_settings

if TYPE_CHECKING:
    from graph.store import Graph

__all__ = ["IngestOptions", "IngestReport", "analyse", "fingerprint", "ingest_paths", "ingest_source"]

# Of one version in several formats, the one with the most structure is read.
_FORMATS = ("pdf", "text", "markdown", "jsonl", "html", "jats")
_locks: weakref.WeakValueDictionary[tuple[int, str], asyncio.Lock] = weakref.WeakValueDictionary()


@dataclass
class IngestReport:
    """What became of all inputs; `to_json` is the document of `catenane ingest`."""

    outcomes: list[DocumentOutcome] = field(default_factory=list)
    failures: list[SourceFailure] = field(default_factory=list)
    chunks: int = 0
    mentions: int = 0
    entities: int = 0
    relations: int = 0

    def to_json(self) -> dict[str, Any]:
        """Counts of the corpus as it is now, except `added` and the like, which are of this run."""
        statuses = Counter(outcome.status for outcome in self.outcomes)
        rejected: Counter[str] = Counter()
        for outcome in self.outcomes:
            rejected.update(outcome.rejected)
        failed = [*self.failures, *(outcome.failure for outcome in self.outcomes if outcome.failure)]
        return {
            "documents": {
                **{status: statuses[status] for status in ("added", "replaced", "attached", "unchanged")},
                "failed": [failure.model_dump() for failure in failed],
            },
            "chunks": self.chunks,
            "mentions": self.mentions,
            "entities": self.entities,
            "relations": self.relations,
            "rejected": dict(sorted(rejected.items())),
        }


async def ingest_source(
    graph: Graph | None, document: SourceDocument, *, corpus: str, options: IngestOptions
) -> DocumentOutcome:
    """Ingest one document; with `graph=None` analyse it only (a dry run).

    What was ingested with the same content and options is left as it is, or only put into the
    corpus. A document that came before from the same place, or the same source in an older version,
    is replaced once the new one is stored. Lets JobCancelled, EngineError and ModelError through.
    """
    identifier = document_id(document)
    if graph is None:
        return await _outcome_of(document, identifier, options, corpus)
    async with _lock(identifier):
        stored = await graph.documents.get(identifier)
        if stored is not None and not _supersedes(document, stored, options):
            return await _keep(graph, stored, document, corpus)
        return await _outcome_of(document, identifier, options, corpus, graph, replaces=stored is not None)


def _lock(identifier: str) -> asyncio.Lock:
    """One writer a document: the PDF and the JATS of one preprint may be read at the same time."""
    key = (id(asyncio.get_running_loop()), identifier)
    lock = _locks.get(key)
    if lock is None:
        lock = _locks[key] = asyncio.Lock()
    return lock


def _supersedes(document: SourceDocument, stored: DocumentRecord, options: IngestOptions) -> bool:
    """Whether the document is extracted in place of what is stored of its source."""
    if fingerprint(document.content_sha256, options) == stored.fingerprint:
        return False
    same_file = document.source == stored.source or document.content_sha256 == stored.content_sha256
    ours = _rank(document.version, document.published, document.format)
    theirs = _rank(stored.version, stored.published, stored.format)
    return same_file or ours > theirs


def _rank(version: str | None, published: str | None, kind: str) -> tuple[int, str, int]:
    number = re.search(r"\d+", version or "")
    return int(number[0]) if number else 0, published or "", _FORMATS.index(kind)


async def _keep(
    graph: Graph, stored: DocumentRecord, document: SourceDocument, corpus: str
) -> DocumentOutcome:
    """Nothing to extract: the document, or a better form of it, is there."""
    warnings: tuple[str, ...] = ()
    if document.source != stored.source and document.content_sha256 != stored.content_sha256:
        warnings = (f"Another form of the same source is kept: {stored.source}",)
    known = corpus in await graph.documents.corpora_of(stored.id)
    if not known:
        await graph.documents.attach(corpus, stored.id)
    return DocumentOutcome(
        source=document.source,
        document_id=stored.id,
        status="unchanged" if known else "attached",
        warnings=warnings,
    )


async def _outcome_of(
    document: SourceDocument,
    identifier: str,
    options: IngestOptions,
    corpus: str,
    graph: Graph | None = None,
    *,
    replaces: bool = False,
) -> DocumentOutcome:
    """Analyse and store; whatever is wrong with this document becomes its failure."""
    stage: str = "introduction"
    try:
        texts = await asyncio.to_thread(chunks_of, document, options)
        stage = "extract"
        analysis = await analyse(document, options, corpus, texts=texts)
        stage = "store"
        if graph is not None:
            replaces |= await _store(graph, analysis, corpus)
    except (JobCancelled, EngineError, ModelError):
        raise
    except CataneneError as error:
        if stage == "extract" and isinstance(error, InputError):
            raise  # the recogniser cannot be used: true of every document
        return _failed(document, identifier, stage, str(error))
    except Exception as error:  # a bug on one document must not lose the others
        return _failed(document, identifier, stage, f"{type(error).__name__}: {error}")
    return _done(document, analysis, replaced=replaces)


async def _store(graph: Graph, analysis: Analysis, corpus: str) -> bool:
    """Store, then remove what the same file said when it had other content. Whether there was any."""
    record = analysis.bundle.document
    before = [other for other in await graph.documents.at_source(corpus, record.source) if other != record.id]
    await graph.documents.store(analysis.bundle)
    for other in before:
        await graph.documents.delete(other, corpus)
    return bool(before)


def _done(document: SourceDocument, analysis: Analysis, *, replaced: bool) -> DocumentOutcome:
    bundle = analysis.bundle
    return DocumentOutcome(
        source=document.source,
        document_id=bundle.document.id,
        status="replaced" if replaced else "added",
        chunks=len(bundle.chunks),
        mentions=len(bundle.mentions),
        entities=analysis.entities,
        relations=len({relation.id for relation in bundle.relations}),
        rejected=analysis.rejected,
        warnings=document.warnings,
    )


def _failed(document: SourceDocument, identifier: str, stage: str, reason: str) -> DocumentOutcome:
    failure = SourceFailure.model_validate({"source": document.source, "stage": stage, "reason": reason})
    return DocumentOutcome(
        source=document.source,
        document_id=identifier,
        status="failed",
        failure=failure,
        warnings=document.warnings,
    )


async def ingest_paths(
    graph: Graph | None,
    paths: Sequence[Path],
    *,
    corpus: str,
    options: IngestOptions,
    settings: Settings | None = None,
    progress: Progress = silent,
) -> IngestReport:
    """Ingest files and folders, one document after the other; with `graph=None` store nothing.

    Raises InputError if a path is not there; a file that cannot be used is in the report.
    """
    settings = settings or get_settings()
    files = await asyncio.to_thread(discover, paths, settings)
    report = IngestReport()
    for done, path in enumerate(files):
        progress(done, len(files), path.name)
        async for item in _read(path, settings):
            if isinstance(item, SourceFailure):
                report.failures.append(item)
            else:
                report.outcomes.append(await ingest_source(graph, item, corpus=corpus, options=options))
    await _count(graph, report, corpus)
    progress(len(files), len(files), "")
    return report


async def _read(path: Path, settings: Settings) -> AsyncIterator[SourceDocument | SourceFailure]:
    """The documents of a file, each read in a thread."""
    documents: Iterator[SourceDocument | SourceFailure] = iter(read_documents(path, settings))
    while (item := await asyncio.to_thread(next, documents, None)) is not None:
        yield item


async def _count(graph: Graph | None, report: IngestReport, corpus: str) -> None:
    if graph is not None:
        counts = await graph.stats.counts(corpus)
        report.chunks, report.mentions = counts.chunks, counts.mentions
        report.entities, report.relations = counts.entities, counts.relations
        return
    for outcome in report.outcomes:
        report.chunks += outcome.chunks
        report.mentions += outcome.mentions
        report.relations += outcome.relations
        report.entities += outcome.entities
