"""The bundled papers: what is read from each file is what its source says, paragraph by paragraph."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pytest

from domain.identity import normalise
from ingest.models import SourceDocument, SourceFailure
from ingest.sources import discover, read_documents
from ingest.text import introduction
from samples.markup import papers, plain
from settings import REPOSITORY, Settings

PAPERS = REPOSITORY / "samples" / "papers"


@lru_cache(maxsize=1)
def outcomes() -> tuple[SourceDocument | SourceFailure, ...]:
    settings = Settings(home=Path("unused"))
    return tuple(
        outcome for path in discover([PAPERS], settings) for outcome in read_documents(path, settings)
    )


def comparable(text: str) -> str:
    """ASCII formulas, no citations, as `plain` gives them."""
    return normalise(re.sub(r"\s?\[\d[\d,–-]*\]", "", text))


@pytest.mark.parametrize("number", [paper.id for paper in papers()])
def test_each_paper_reads_as_its_source(number: str) -> None:
    source = next(paper for paper in papers() if paper.id == number)
    read = [one for one in outcomes() if isinstance(one, SourceDocument) and one.doi == source.doi]
    assert read, "no file of this paper was read"
    for paper in read:
        assert comparable(paper.title).casefold() == comparable(plain(source.title)).casefold()
        assert list(paper.authors) == source.names
        assert (paper.version, paper.license) == (source.version, "CC BY 4.0")
        assert paper.published == source.meta["date"]
        assert [comparable(block.text) for block in introduction(paper)] == [
            normalise(plain(paragraph)) for paragraph in source.introduction
        ]


def test_the_traps_are_refused_and_nothing_else() -> None:
    refused = {Path(one.source).name: one.reason for one in outcomes() if isinstance(one, SourceFailure)}
    assert set(refused) == {"trap-empty.txt", "trap-scanned.pdf", "surveys-b.jsonl#3"}
    assert "empty" in refused["trap-empty.txt"]
    assert "no text layer" in refused["trap-scanned.pdf"]
    assert "line 3: it is no JSON" in refused["surveys-b.jsonl#3"]


def test_the_file_in_another_encoding_is_read_with_a_warning() -> None:
    warned = [one for one in outcomes() if isinstance(one, SourceDocument) and one.warnings]
    assert [paper.warnings[0].split(";")[0] for paper in warned] == ["It is not UTF-8 and was read as cp1252"]
    assert "Hélène Garnier" in warned[0].authors
