"""Papers into the graph: twice is once, a changed file replaces, forms of one source are one, provenance."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from errors import JobCancelled
from graph.models import Counts
from graph.store import Graph
from ingest import analysis
from ingest.entities import recognise_document
from ingest.models import SourceDocument
from ingest.options import IngestOptions
from ingest.pipeline import IngestReport, ingest_paths, ingest_source
from ingest.sources import read_documents
from settings import REPOSITORY, Settings

pytestmark = pytest.mark.engine

PAPERS = REPOSITORY / "samples" / "papers"
OPTIONS = IngestOptions.make(Settings())
# Three entities, three mentions, one fact.
FIRST = """# A

## Introduction

Styrene is made by the dehydrogenation of ethylbenzene. Zinc is left alone here, as are all others.
"""
# The second file says another fact of styrene.
SECOND = """# B

## Introduction

Styrene dissolves polystyrene, as everybody knows who has spilt it on a table of that kind.
"""


async def run(graph: Graph, *paths: Path, corpus: str = "default") -> IngestReport:
    return await ingest_paths(graph, paths, corpus=corpus, options=OPTIONS)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


async def names(graph: Graph) -> set[str]:
    return {entity.name for entity in (await graph.entities.list()).items}


async def test_counts_derived_by_hand(graph: Graph, tmp_path: Path) -> None:
    report = await run(graph, write(tmp_path / "a.md", FIRST), write(tmp_path / "b.md", SECOND))
    # a: styrene, ethylbenzene, zinc and one fact; b: styrene, polystyrene and one fact
    assert await graph.stats.counts("default") == Counts(
        documents=2, chunks=2, mentions=5, entities=4, relations=2, facts=2
    )
    assert report.to_json()["documents"] == {
        "added": 2,
        "replaced": 0,
        "attached": 0,
        "unchanged": 0,
        "failed": [],
    }


async def test_twice_the_same_folder_gives_the_same_counts(graph: Graph, tmp_path: Path) -> None:
    """Among them a preprint as PDF and as JATS, a paragraph in two papers, and files that cannot be read."""
    chosen = ("34-", "31-", "38-", "trap-", "26-")
    for path in PAPERS.iterdir():
        if path.name.startswith(chosen):
            shutil.copy(path, tmp_path)
    first = await run(graph, tmp_path)
    counts = await graph.stats.counts("default")
    second = await run(graph, tmp_path)
    assert await graph.stats.counts("default") == counts
    documents = first.to_json()["documents"]
    again = second.to_json()["documents"]
    read = documents["added"] + documents["replaced"] + documents["unchanged"]
    assert again["unchanged"] == read
    assert again["added"] == again["replaced"] == 0
    assert [one["source"] for one in again["failed"]] == [one["source"] for one in documents["failed"]]
    assert len(documents["failed"]) == 2  # the empty file and the scan
    assert counts.documents == read - 1  # one DOI came in two formats


async def test_a_preprint_in_two_formats_is_one_source_in_any_order(graph: Graph) -> None:
    forms = [PAPERS / "34-drugs.pdf", PAPERS / "34-drugs.xml"]
    for order in (forms, forms[::-1]):
        await graph.empty()
        await run(graph, *order)
        (document,) = (await graph.documents.list()).items
        assert document.format == "jats"  # the one with more structure stays
        assert document.source.endswith(".xml")
    report = await run(graph, *forms)
    assert {outcome.status for outcome in report.outcomes} == {"unchanged"}


async def test_both_forms_at_once_are_still_one(graph: Graph) -> None:
    await asyncio.gather(run(graph, PAPERS / "34-drugs.pdf"), run(graph, PAPERS / "34-drugs.xml"))
    (document,) = (await graph.documents.list()).items
    assert document.format == "jats"


async def test_a_newer_version_wins_whatever_comes_first(graph: Graph, tmp_path: Path) -> None:
    def version(number: int, text: str) -> Path:
        head = f"---\ntitle: A\ndoi: 10.26434/chemrxiv-2026-test1-v{number}\nversion: {number}\n---\n"
        return write(tmp_path / f"v{number}.md", head + text)

    old, new = version(1, FIRST), version(4, SECOND)
    for order in ((old, new), (new, old)):
        await graph.empty()
        await run(graph, *order)
        (document,) = (await graph.documents.list()).items
        assert document.version is not None and document.version.endswith("4")
        assert await names(graph) == {"styrene", "polystyrene"}


async def test_a_changed_file_replaces_what_it_said(graph: Graph, tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", FIRST)
    await run(graph, path)
    write(path, SECOND)
    report = await run(graph, path)
    assert [outcome.status for outcome in report.outcomes] == ["replaced"]
    assert (await graph.stats.counts()).documents == 1
    assert await names(graph) == {"styrene", "polystyrene"}


async def test_a_document_in_a_second_corpus_is_attached_at_no_cost(graph: Graph, tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", FIRST)
    await run(graph, path)
    report = await run(graph, path, corpus="other")
    assert [outcome.status for outcome in report.outcomes] == ["attached"]
    (document,) = (await graph.documents.list()).items
    assert await graph.documents.corpora_of(document.id) == ["default", "other"]


async def test_other_options_extract_anew(graph: Graph, tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", FIRST)
    await run(graph, path)
    narrow = IngestOptions.make(Settings(chunk_words=10))
    report = await ingest_paths(graph, [path], corpus="default", options=narrow)
    assert [outcome.status for outcome in report.outcomes] == ["replaced"]
    assert (await graph.stats.counts()).documents == 1


async def test_provenance_from_an_edge_to_the_characters(graph: Graph, tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", FIRST)
    await run(graph, path)
    (evidence,) = (await graph.relations.list()).items
    relation = evidence.relation
    (document,) = (await graph.documents.list()).items
    (chunk,) = await graph.documents.chunks(relation.document_id)
    assert document.source == str(path)
    assert relation.chunk_id == chunk.id
    assert evidence.sentence == "Styrene is made by the dehydrogenation of ethylbenzene."
    assert chunk.text[relation.start : relation.end] == evidence.sentence
    assert (evidence.subject_name, relation.predicate, evidence.object_name) == (
        "styrene",
        "is made by the dehydrogenation of",
        "ethylbenzene",
    )
    assert relation.extractor == "patterns-1" and relation.model is None
    (entity,) = await graph.entities.find("ethenylbenzene")  # a synonym
    mentions = await graph.entities.mentions(entity.id)
    assert [chunk.text[one.start : one.end] for one in mentions] == ["Styrene"]


async def test_an_identical_paragraph_is_two_chunks_of_one_content(graph: Graph) -> None:
    report = await run(graph, *sorted(PAPERS.glob("31-*")), *sorted(PAPERS.glob("38-*")))
    assert len(report.outcomes) == 2
    hashes: dict[str, set[str]] = {}
    for document in (await graph.documents.list()).items:
        for chunk in await graph.documents.chunks(document.id):
            hashes.setdefault(chunk.content_sha256, set()).add(document.id)
    assert [len(documents) for documents in hashes.values() if len(documents) > 1] == [2]


async def test_one_bad_document_does_not_stop_the_others(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = recognise_document

    def recognise(texts: list[str], recogniser: object) -> object:
        if "ethylbenzene" in texts[0]:
            raise RuntimeError("a bug")
        return real(texts, recogniser)  # type: ignore[arg-type]

    monkeypatch.setattr(analysis, "recognise_document", recognise)
    bad, good = write(tmp_path / "a.md", FIRST), write(tmp_path / "b.md", SECOND)
    report = await run(graph, bad, good, write(tmp_path / "c.txt", "   \n"))
    failed = report.to_json()["documents"]["failed"]
    assert [(one["source"], one["stage"]) for one in failed] == [
        (str(tmp_path / "c.txt"), "read"),
        (str(bad), "extract"),
    ]
    assert failed[1]["reason"] == "RuntimeError: a bug"
    assert report.to_json()["documents"]["added"] == 1
    # once the bug is gone only the failed one is read again
    monkeypatch.undo()
    again = await run(graph, bad, good)
    assert [outcome.status for outcome in again.outcomes] == ["added", "unchanged"]


async def test_cancelling_goes_through(graph: Graph, tmp_path: Path) -> None:
    def cancel(done: int, total: int | None, message: str = "") -> None:
        if done:
            raise JobCancelled("cancelled")

    paths = [write(tmp_path / "a.md", FIRST), write(tmp_path / "b.md", SECOND)]
    with pytest.raises(JobCancelled):
        await ingest_paths(graph, paths, corpus="default", options=OPTIONS, progress=cancel)
    assert (await graph.stats.counts()).documents == 1  # what was finished is kept


async def test_a_document_by_itself(graph: Graph, tmp_path: Path) -> None:
    (document,) = read_documents(write(tmp_path / "a.md", FIRST), Settings())
    assert isinstance(document, SourceDocument)
    outcome = await ingest_source(graph, document, corpus="default", options=OPTIONS)
    assert (outcome.status, outcome.chunks, outcome.mentions, outcome.relations) == ("added", 1, 3, 1)
    stored = await graph.documents.get(str(outcome.document_id))
    assert stored is not None and stored.title == document.title
