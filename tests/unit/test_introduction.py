"""Finding the introduction."""

from __future__ import annotations

from pathlib import Path

import pytest

from errors import InputError
from ingest.models import Block, BlockKind, SourceDocument
from ingest.sources import read_documents
from ingest.text import chunk, introduction
from settings import REPOSITORY, Settings

ABSTRACT = (
    "We study the hydrogenation of CaH2 under pressure with molecular dynamics and find that its surface "
    "melts first, after which hydrogen enters the liquid."
)
REPEATED = ABSTRACT.replace("CaH2", "CaH₂").replace("its surface", "the surface")
FIRST = "Hydrides are important in many fields. They store hydrogen."
SECOND = "We therefore look at CaH₂ more closely."


def document(*blocks: tuple[BlockKind, str] | tuple[BlockKind, str, int]) -> SourceDocument:
    return SourceDocument(
        source="test",
        format="text",
        title="Title",
        blocks=tuple(
            Block(kind=block[0], text=block[1], level=block[2] if len(block) > 2 else 0) for block in blocks
        ),
        content_sha256="0",
    )


def texts(paper: SourceDocument, words: int = 500) -> list[str]:
    return [block.text for block in introduction(paper, words)]


@pytest.mark.parametrize(
    "heading",
    [
        "Introduction",
        "INTRODUCTION",
        "1. Introduction",
        "1 Introduction",
        "I. INTRODUCTION",
        "1 | INTRODUCTION",
        "1) Introduction",
        "Section 1: Introduction",
        "I N T R O D U C T I O N",
        "Introduction and background",
        "Introduction:",
        "Background",
        "1. Background and motivation",
        "General introduction",
    ],
)
def test_by_heading(heading: str) -> None:
    paper = document(
        ("abstract", ABSTRACT),
        ("heading", heading, 1),
        ("paragraph", FIRST),
        ("caption", "Figure 1. A hydride."),
        ("paragraph", SECOND),
        ("heading", "2. Results and discussion", 1),
        ("paragraph", "The results are good."),
    )
    assert texts(paper) == [FIRST, SECOND]


def test_subsections_belong_to_it() -> None:
    paper = document(
        ("heading", "1. Introduction", 1),
        ("paragraph", FIRST),
        ("heading", "1.1 Hydrides", 1),  # converters lose levels, numbers tell
        ("paragraph", SECOND),
        ("heading", "2. Methods", 1),
        ("paragraph", "None."),
    )
    assert texts(paper) == [FIRST, SECOND]
    deeper = document(
        ("heading", "Introduction", 2),
        ("heading", "Hydrides", 3),
        ("paragraph", FIRST),
        ("heading", "Results", 2),
        ("paragraph", SECOND),
    )
    assert texts(deeper) == [FIRST]


def test_a_letter_without_the_heading() -> None:
    paper = document(
        ("abstract", ABSTRACT),
        ("heading", "Keywords", 2),
        ("paragraph", FIRST),
        ("paragraph", SECOND),
        ("heading", "Results", 1),
        ("paragraph", "The results are good."),
    )
    assert texts(paper) == [FIRST, SECOND]


def test_an_abstract_printed_again_is_no_introduction() -> None:
    paper = document(
        ("abstract", ABSTRACT), ("paragraph", REPEATED), ("paragraph", FIRST), ("heading", "Results", 1)
    )
    assert texts(paper) == [FIRST]


def test_a_review_whose_first_section_has_a_name_of_its_own() -> None:
    paper = document(
        ("abstract", ABSTRACT),
        ("heading", "1. Why hydrides matter", 1),
        ("paragraph", FIRST),
        ("heading", "2. Methods", 1),
    )
    assert texts(paper) == [FIRST]


def test_an_introduction_in_the_contents_is_passed_over() -> None:
    paper = document(
        ("heading", "Introduction", 1),
        ("heading", "Results", 1),
        ("heading", "Introduction", 1),
        ("paragraph", FIRST),
        ("heading", "Results", 1),
        ("paragraph", SECOND),
    )
    assert texts(paper) == [FIRST]


def test_whole_paragraphs_while_they_fit() -> None:
    # 9 words, then 7: sixteen fit into 16, not into 15; a later short one is not taken out of order
    paper = document(
        ("heading", "Introduction", 1), ("paragraph", FIRST), ("paragraph", SECOND), ("paragraph", "Short.")
    )
    assert len(FIRST.split()) == 9 and len(SECOND.split()) == 7
    assert texts(paper, words=16) == [FIRST, SECOND]
    assert texts(paper, words=15) == [FIRST]


def test_a_first_paragraph_beyond_the_limit_is_cut_at_a_sentence() -> None:
    paper = document(("heading", "Introduction", 1), ("paragraph", FIRST), ("paragraph", SECOND))
    assert texts(paper, words=8) == ["Hydrides are important in many fields."]


@pytest.mark.parametrize(
    ("paper", "words"),
    [
        (document(("heading", "Results", 1)), "no paragraph of text"),
        (document(("abstract", ABSTRACT), ("heading", "References", 1)), "no text after it"),
        (document(("abstract", ABSTRACT), ("heading", "Methods", 1), ("paragraph", FIRST)), "“Methods”"),
    ],
)
def test_none_is_an_error_that_says_why(paper: SourceDocument, words: str) -> None:
    with pytest.raises(InputError, match=words):
        introduction(paper)


def test_the_real_preprint() -> None:
    """A real file as a converter left it (see its place in shared data)."""
    path = REPOSITORY.parent / "shared" / "data" / "chemrxiv" / "papers" / "superhydride_excerpt.md"
    if not path.exists():
        pytest.skip("shared data with the real preprint is not here")
    (paper,) = read_documents(path, Settings(home=Path("unused")))
    assert isinstance(paper, SourceDocument)
    assert paper.doi == "10.26434/chemrxiv-2024-2v5l6"
    assert paper.version == "3"
    assert paper.license == "CC BY 4.0"
    assert paper.published == "2024-09-17"
    assert paper.authors == ("Author One", "Author Two", "Author Three")
    assert paper.title.startswith("Hydrogen Absorption Promoted by Surface Melting")
    taken = introduction(paper)
    text = "\n\n".join(block.text for block in taken)
    assert text.startswith("Hydride synthesis is an important technology in various fields")
    assert [block.text.split()[:3] for block in taken] == [
        ["Hydride", "synthesis", "is"],
        ["In", "this", "study,"],
        ["CaH₂", "hydrogenation", "occurs"],
        ["The", "space", "groups"],
    ]
    for kept in ("LaH₁₀", "CaH₆", "Ca²⁺", "H⁻", "H₂ᵟ⁻", "CaH₂ + H₂ ↔ CaH₄", "CaH₂(100)", "Tc", "[4–6]"):
        assert kept in text
    for furniture in ("$", "\\", "peer", "ORCID", "@", "FIG.", "images/", "Author One", "challenging due to"):
        assert furniture not in text
    assert all(part.words <= 128 for part in chunk(taken))
