"""Ingest files, as a job: a step for each file, so that after a crash only the one in hand is done again."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from domain.progress import Progress
from jobs.context import StageContext
from jobs.stages.registry import Params, Stage, register

if TYPE_CHECKING:
    from graph.store import Graph
    from ingest.models import DocumentOutcome, SourceDocument, SourceFailure
    from ingest.pipeline import IngestOptions


class IngestParams(Params):
    """What to ingest."""

    paths: tuple[str, ...] = Field(min_length=1, description="Files or folders, absolute.")
    corpus: str = Field(default="default", min_length=1, description="Corpus the documents go into.")
    recogniser: str | None = Field(
        default=None, description="Recogniser of entities; the default one if unset."
    )
    endpoint: str | None = Field(
        default=None, description="Model that verifies and relates; patterns if unset."
    )


async def ingest(context: StageContext, params: IngestParams) -> dict[str, Any]:
    """The document of `ingest`. One bad file or document never stops the others."""
    from ingest.sources import discover

    progress = context.progress("ingest")
    graph = await context.graph()
    options = await make_options(context, params)

    async def list_files() -> list[str]:
        found = await asyncio.to_thread(discover, [Path(path) for path in params.paths], context.settings)
        return [str(path) for path in found]

    files = await context.step("discover", list_files)
    tally = _Tally(progress, len(files))
    tally.tell("")

    async def one(path: str) -> dict[str, Any]:
        return await work.file(Path(path))

    work = _Work(graph, context, params.corpus, options, tally)
    results = await context.each("file", files, one, workers=context.settings.document_workers)
    counts = await graph.stats.counts(params.corpus)
    return {
        "corpus": params.corpus,
        "documents": {
            "added": sum(result["added"] for result in results),
            "replaced": sum(result["replaced"] for result in results),
            "attached": sum(result["attached"] for result in results),
            "unchanged": sum(result["unchanged"] for result in results),
            "failed": [failure for result in results for failure in result["failed"]],
        },
        "chunks": counts.chunks,
        "mentions": counts.mentions,
        "entities": counts.entities,
        "relations": counts.relations,
        "rejected": dict(sorted(sum((Counter(result["rejected"]) for result in results), Counter()).items())),
        "warnings": [warning for result in results for warning in result["warnings"]],
    }


async def make_options(context: StageContext, params: IngestParams) -> IngestOptions:
    """Recogniser, extractor and model of an ingest. Loading them takes a second or two of computing."""
    from ingest.pipeline import IngestOptions

    client = await context.client(params.endpoint)
    return await asyncio.to_thread(
        IngestOptions.make, context.settings, recogniser=params.recogniser, client=client
    )


class _Tally:
    """How many files are through, over all workers."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def tell(self, message: str) -> None:
        self._progress(self._done, self._total, message)

    def through(self, message: str) -> None:
        self._done += 1
        self.tell(message)


@dataclass(frozen=True)
class _Work:
    """What the ingest of each file needs."""

    graph: Graph
    context: StageContext
    corpus: str
    options: IngestOptions
    tally: _Tally

    async def file(self, path: Path) -> dict[str, Any]:
        """Ingest every document of a file; sums over them, and the failures by name."""
        from ingest.models import SourceFailure
        from ingest.pipeline import ingest_source
        from ingest.sources import printable, read_documents

        sums, name = _Sums(), Path(printable(path)).name
        documents = iter(read_documents(path, self.context.settings))
        while (item := await asyncio.to_thread(_next, documents)) is not None:
            self.tally.tell(name)
            if isinstance(item, SourceFailure):
                sums.fail(item)
            else:
                sums.add(await ingest_source(self.graph, item, corpus=self.corpus, options=self.options))
        self.tally.through(name)
        return sums.to_json()


def _next(documents: Iterator[SourceDocument | SourceFailure]) -> SourceDocument | SourceFailure | None:
    return next(documents, None)


class _Sums:
    """What became of the documents of one file."""

    def __init__(self) -> None:
        self.by_status: Counter[str] = Counter()
        self.rejected: Counter[str] = Counter()
        self.failed: list[dict[str, str]] = []
        self.warnings: list[dict[str, str]] = []

    def fail(self, failure: SourceFailure) -> None:
        self.failed.append(failure.model_dump())

    def add(self, outcome: DocumentOutcome) -> None:
        self.by_status[outcome.status] += 1
        self.rejected.update(outcome.rejected)
        self.warnings += [{"source": outcome.source, "warning": text} for text in outcome.warnings]
        if outcome.failure is not None:
            self.fail(outcome.failure)

    def to_json(self) -> dict[str, Any]:
        statuses = ("added", "replaced", "attached", "unchanged")
        return {
            **{status: self.by_status[status] for status in statuses},
            "failed": self.failed,
            "rejected": dict(self.rejected),
            "warnings": self.warnings,
        }


def _failed(result: Mapping[str, Any]) -> int:
    return len(result["documents"]["failed"])


register(Stage("ingest", "Ingest documents", IngestParams, ingest, refused=_failed))
