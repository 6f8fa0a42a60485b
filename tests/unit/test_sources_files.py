"""Files and folders: what is read, and what is refused with which words."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from ingest.models import SourceDocument, SourceFailure
from ingest.sources import discover, read_documents
from settings import Settings

PAPER = "On salts\n\nIntroduction\n\nSalts are formed from acids and bases, and they dissolve in water.\n"


@pytest.fixture
def limits(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", max_file_mb=1)


def failure(path: Path, settings: Settings) -> str:
    (outcome,) = read_documents(path, settings)
    assert isinstance(outcome, SourceFailure)
    assert (outcome.stage, outcome.source) == ("read", str(path.resolve()))
    return outcome.reason


def paper(path: Path, settings: Settings) -> SourceDocument:
    (outcome,) = read_documents(path, settings)
    assert isinstance(outcome, SourceDocument), outcome
    return outcome


def test_folders_are_walked_in_order_and_other_files_passed_over(tmp_path: Path, limits: Settings) -> None:
    for name in (
        "b/2.txt",
        "b/1.pdf",
        "a.md",
        ".hidden.txt",
        ".git/x.txt",
        "Makefile",
        "plot.png",
        "z.docx",
        "c.jsonl.gz",
    ):
        path = tmp_path / "papers" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    found = discover([tmp_path / "papers"], limits)
    assert [str(path.relative_to(tmp_path / "papers")) for path in found] == [
        "a.md",
        "b/1.pdf",
        "b/2.txt",
        "c.jsonl.gz",
        "z.docx",  # a paper that cannot be read is named, not passed over
    ]
    assert "Word" in failure(found[-1], limits) or ".docx" in failure(found[-1], limits)


def test_a_file_named_twice_is_read_once(tmp_path: Path, limits: Settings) -> None:
    path = tmp_path / "a.txt"
    path.write_text(PAPER)
    assert discover([path, tmp_path, tmp_path / "." / "a.txt"], limits) == [path]


def test_named_files_are_kept_whatever_they_are(tmp_path: Path, limits: Settings) -> None:
    picture, missing = tmp_path / "plot.png", tmp_path / "missing.pdf"
    picture.write_bytes(b"x")
    assert discover([picture, missing], limits) == [picture, missing]
    assert "must be PDF, JATS XML, HTML, Markdown, text or JSON Lines" in failure(picture, limits)
    assert failure(missing, limits) == "There is no such file."


def test_empty_and_blank_files(tmp_path: Path, limits: Settings) -> None:
    for suffix in (".txt", ".md", ".pdf", ".xml", ".html", ".jsonl"):
        empty, blank = tmp_path / f"empty{suffix}", tmp_path / f"blank{suffix}"
        empty.write_bytes(b"")
        blank.write_bytes(b" \n\t\r\n ")
        assert failure(empty, limits) == "The file is empty."
        assert failure(blank, limits) == "The file holds nothing but blanks."


def test_large_files_are_refused_unread(tmp_path: Path, limits: Settings) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(3_000_000)
    assert "3 MB, more than the 1 MB allowed" in failure(path, limits)
    assert "CATENANE_MAX_FILE_MB" in failure(path, limits)


def test_a_small_gzip_that_unpacks_to_much_is_refused(tmp_path: Path, limits: Settings) -> None:
    path = tmp_path / "bomb.txt.gz"
    path.write_bytes(gzip.compress(b"a" * 5_000_000))
    assert "Unpacked it is larger than the 1 MB allowed" in failure(path, limits)


def test_gzip_is_unpacked_and_has_the_same_content(tmp_path: Path, limits: Settings) -> None:
    plain, packed = tmp_path / "salts.txt", tmp_path / "salts2.txt.gz"
    plain.write_text(PAPER)
    packed.write_bytes(gzip.compress(PAPER.encode()))
    assert paper(plain, limits).content_sha256 == paper(packed, limits).content_sha256
    assert paper(packed, limits).format == "text"


def test_a_broken_gzip(tmp_path: Path, limits: Settings) -> None:
    cut, none = tmp_path / "cut.txt.gz", tmp_path / "none.txt.gz"
    cut.write_bytes(gzip.compress(PAPER.encode() * 50)[:-20])
    none.write_bytes(b"plain text")
    assert "no complete gzip file" in failure(cut, limits)
    assert "no complete gzip file" in failure(none, limits)


def test_text_without_a_paragraph(tmp_path: Path, limits: Settings) -> None:
    path = tmp_path / "title.txt"
    path.write_text("Only a title\n")
    assert failure(path, limits) == "No paragraph of text was found in it."


def test_the_file_name_stands_in_for_a_title(tmp_path: Path, limits: Settings) -> None:
    path = tmp_path / "salts-2024.html"
    path.write_text(
        "<p>Salts are formed from acids and bases, and they dissolve in water and in other solvents.</p>"
    )
    assert paper(path, limits).title == "salts-2024"


@pytest.mark.parametrize("suffix", [".txt", ".md", ".html", ".xml", ".pdf", ".jsonl", ".txt.gz", ".xyz", ""])
@hypothesis_settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(content=st.binary(max_size=300) | st.text(max_size=200).map(str.encode))
def test_no_file_whatever_makes_reading_raise(
    tmp_path: Path, limits: Settings, suffix: str, content: bytes
) -> None:
    path = tmp_path / f"any{suffix}"
    path.write_bytes(content)
    outcomes = list(read_documents(path, limits))
    assert outcomes or suffix == ".jsonl"
    assert all(outcome.source.startswith(str(path.resolve())) for outcome in outcomes)


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (failure,) = read_documents(tmp_path / "pipe.txt", Settings())
    assert isinstance(failure, SourceFailure)
    assert "no regular file" in failure.reason


def test_a_name_that_is_no_utf8_is_refused_in_words_that_can_be_stored(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/inv\xff.txt"))
    path.write_text("Zinc oxide is made from zinc.")
    (failure,) = read_documents(path, Settings())
    assert isinstance(failure, SourceFailure)
    assert failure.source.encode().endswith(b"inv\\xff.txt")
    assert "rename" in failure.reason
