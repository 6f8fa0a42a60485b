"""Markdown, plain text and JSON Lines."""

# ruff: noqa: E501 - lines of papers stand as papers have them

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ingest.models import SourceDocument, SourceFailure
from ingest.sources import read_documents
from ingest.text import introduction
from settings import Settings

CHEMISTRY = (
    "The base Cs₂CO₃ works with Pd(PPh3)4 in 1,2-dichloroethane [2,3]. Fe³⁺ and α-Fe₂O₃ do not; (R)-BINAP and "
    "[Ru(bpy)3]2+ do, and metal-organic frameworks too."
)


@pytest.fixture
def limits(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


def read(path: Path, content: str, settings: Settings) -> SourceDocument:
    path.write_text(content)
    (outcome,) = read_documents(path, settings)
    assert isinstance(outcome, SourceDocument), outcome
    return outcome


def intro(paper: SourceDocument) -> list[str]:
    return [block.text for block in introduction(paper)]


MARKDOWN = r"""---
title: "Bases for N-arylation"
authors: [Ada B. One, Bert Two]
doi: 10.26434/chemrxiv-2026-abcde-v2
license: CC BY 4.0
date: 2026-02-03
---

# Bases for N-arylation

Ada B. One<sup>1</sup>, Bert Two<sup>2</sup>

## Abstract

Bases are compared.

## **1. Introduction**

The base Cs$_2$CO$_3$ works with Pd(PPh~3~)~4~ in 1,2-dichloro-
ethane \[2,3\]. Fe^3+^ and $\alpha$-Fe<sub>2</sub>O<sub>3</sub> do not; (*R*)-BINAP and $[\mathrm{Ru(bpy)_3}]^{2+}$ do,
and **metal-
organic** frameworks [too](https://example.org "link").

![A bottle](bottle.png)

**Figure 1.** A base in a bottle, which stands on a shelf.

| Base | pK |
|------|----|
| KOH  | 14 |

Adsorbed O* and OH* are met on *n*-type TiO$_2$; $5 is the price. The second
paragraph breaks off at a page and

7

https://doi.org/10.26434/chemrxiv-2026-abcde-v2 ORCID: https://orcid.org/0000-0002-1825-0097 Content not peer-reviewed by ChemRxiv. License: CC BY 4.0

goes on here.

- First item of a list.
- Second item of a list.

```python
print("no text")
```

## 2. Results

All work.
"""


def test_markdown(tmp_path: Path, limits: Settings) -> None:
    paper = read(tmp_path / "a.md", MARKDOWN, limits)
    assert paper.title == "Bases for N-arylation"
    assert paper.authors == ("Ada B. One", "Bert Two")
    assert (paper.doi, paper.version) == ("10.26434/chemrxiv-2026-abcde", "2")
    assert (paper.license, paper.published, paper.format) == ("CC BY 4.0", "2026-02-03", "markdown")
    assert intro(paper) == [
        "The base Cs₂CO₃ works with Pd(PPh₃)₄ in 1,2-dichloro-ethane [2,3]. Fe³⁺ and α-Fe₂O₃ do not; "
        "(R)-BINAP and [Ru(bpy)₃]²⁺ do, and metal-organic frameworks too.".replace(
            "dichloro-ethane", "dichloroethane"
        ),
        "Adsorbed O* and OH* are met on n-type TiO₂; $5 is the price. The second paragraph breaks off at a page "
        "and goes on here.",
        "First item of a list.",
        "Second item of a list.",
    ]
    assert [block.text for block in paper.blocks if block.kind == "caption"] == [
        "Figure 1. A base in a bottle, which stands on a shelf."
    ]


def test_markdown_front_matter_printed_twice(tmp_path: Path, limits: Settings) -> None:
    abstract = (
        "Bases are compared in the arylation of amines, and the heaviest of them is found to be the best."
    )
    paper = read(
        tmp_path / "a.md",
        f"# A comparison of bases\n\nAda One, Bert Two\n\n1. First University\n\n## Abstract\n\n{abstract}\n\n## Keywords\n\n"
        f"Bases, amines\n\n# A comparison of bases\n\nAda One$^{{1*}}$, Bert Two$^2$\n\n$^1$First University, Somewhere.\n\n"
        f"**ABSTRACT.** {abstract}\n\n{CHEMISTRY}\n\n## Methods\n\nNone.",
        limits,
    )
    assert paper.authors == ("Ada One", "Bert Two")
    assert intro(paper) == [CHEMISTRY]


def test_markdown_setext_and_bold_headings(tmp_path: Path, limits: Settings) -> None:
    paper = read(
        tmp_path / "a.md",
        f"On bases\n========\n\n**Introduction**\n\n{CHEMISTRY}\n\nResults\n-------\n\nAll work.",
        limits,
    )
    assert paper.title == "On bases"
    assert intro(paper) == [CHEMISTRY]


TEXT = """BASES FOR ARYLATION

Ada B. One, Bert Two
(1) First University
(2) Second University

Preprint, version 2, 2026-02-03
https://doi.org/10.26434/chemrxiv-2026-abcde-v2
Licence: CC BY 4.0

ABSTRACT

Bases are compared.

1. INTRODUCTION

The base Cs₂CO₃ works with Pd(PPh3)4 in 1,2-
dichloroethane [2,3]. Fe³⁺ and α-Fe₂O₃ do not; (R)-BINAP and
[Ru(bpy)3]2+ do, and metal-
organic frameworks too.

The second paragraph is cut by a page and

https://doi.org/10.26434/chemrxiv-2026-abcde-v2  Content not peer-reviewed by ChemRxiv. License: CC BY 4.0
                                  1
\fOne and Two - Bases for arylation                                  2

goes on here.

Remark

This remark is a section of its own, and no part of the introduction.
"""


def test_text(tmp_path: Path, limits: Settings) -> None:
    paper = read(tmp_path / "a.txt", TEXT, limits)
    assert paper.title == "BASES FOR ARYLATION"
    assert paper.authors == ("Ada B. One", "Bert Two")
    assert (paper.doi, paper.version) == ("10.26434/chemrxiv-2026-abcde", "2")
    assert (paper.license, paper.published, paper.format) == ("CC BY 4.0", "2026-02-03", "text")
    assert intro(paper) == [CHEMISTRY, "The second paragraph is cut by a page and goes on here."]
    assert [block.page for block in introduction(paper)] == [1, 1]


def test_text_with_line_numbers(tmp_path: Path, limits: Settings) -> None:
    lines = [
        "On bases",
        "",
        "Introduction",
        "",
        "Bases take up protons, and they",
        "are met in many reactions. The",
    ]
    lines += ["strongest of them are made", "from 2 equivalents of alkyl", "lithium."]
    numbered = [f"{number:3}  {line}" if line else "" for number, line in enumerate(lines, start=1)]
    # every line of text is numbered, and the numbers count up by one
    full = [line for line in numbered if line]
    counted = [f"{number:3}  {line[5:]}" for number, line in enumerate(full, start=1)]
    content = f"{counted[0]}\n\n{counted[1]}\n\n" + "\n".join(counted[2:]) + "\n"
    paper = read(tmp_path / "a.txt", content, limits)
    assert intro(paper) == [
        "Bases take up protons, and they are met in many reactions. The strongest of them are made from "
        "2 equivalents of alkyl lithium."
    ]


def test_text_with_a_paragraph_a_line(tmp_path: Path, limits: Settings) -> None:
    long = CHEMISTRY + " " + CHEMISTRY
    paper = read(
        tmp_path / "a.txt", f"On bases\nIntroduction\n{long}\n{CHEMISTRY}\nResults\nAll work.\n", limits
    )
    assert intro(paper) == [long, CHEMISTRY]


def test_running_introduction_and_abstract(tmp_path: Path, limits: Settings) -> None:
    paper = read(
        tmp_path / "a.txt",
        f"On bases\n\nAbstract: We compare bases in many reactions.\n\nIntroduction. {CHEMISTRY}\n",
        limits,
    )
    assert intro(paper) == [CHEMISTRY]
    assert paper.blocks[1].kind == "abstract"


def test_title_and_authors_without_blank_lines(tmp_path: Path, limits: Settings) -> None:
    content = f"On bases and\nwhat they cost\nJane Doe and John Roe\nFirst University\n\nAbstract. We compare bases in many ways.\n\nIntroduction\n{CHEMISTRY}\n"
    paper = read(tmp_path / "a.txt", content, limits)
    assert (paper.title, paper.authors) == ("On bases and what they cost", ("Jane Doe", "John Roe"))
    assert intro(paper) == [CHEMISTRY]


def test_text_that_begins_at_once(tmp_path: Path, limits: Settings) -> None:
    paper = read(tmp_path / "bases.txt", f"{CHEMISTRY}\n\n{CHEMISTRY.replace('base', 'salt')}\n", limits)
    assert paper.title == "bases"
    assert intro(paper) == [CHEMISTRY, CHEMISTRY.replace("base", "salt")]


def test_an_equation_and_a_sentence_about_a_figure(tmp_path: Path, limits: Settings) -> None:
    paper = read(
        tmp_path / "a.md",
        "# On gases\n\n## Introduction\n\nThe shift of water gas is written as\n\n$$\\mathrm{CO + H_2O \\rightarrow CO_2 + H_2}$$\n\n"
        "where all are gases.\n\nFigure 2 shows that nickel is good.\n\nFigure 2. Nickel in the shift of water gas.",
        limits,
    )
    assert intro(paper) == [
        "The shift of water gas is written as CO + H₂O → CO₂ + H₂ where all are gases.",
        "Figure 2 shows that nickel is good.",
    ]


# ---------------------------------------------------------------- JSON Lines


def lines(path: Path, settings: Settings, *records: object) -> list[SourceDocument | SourceFailure]:
    path.write_text(
        "\n".join(record if isinstance(record, str) else json.dumps(record) for record in records)
    )
    return list(read_documents(path, settings))


def test_jsonl(tmp_path: Path, limits: Settings) -> None:
    path = tmp_path / "papers.jsonl"
    shapes = [
        {
            "title": "A",
            "authors": ["Ada One"],
            "doi": "10.26434/chemrxiv-1-v2",
            "abstract": "Short.",
            "introduction": CHEMISTRY,
        },
        {"id": "b", "abstract": ["Short."], "introduction": [CHEMISTRY], "text": "Something else."},
        {"title": "C", "paragraphs": [CHEMISTRY]},
        {"title": "D", "text": f"Introduction\n\n{CHEMISTRY}\n\nMethods\n\nNone."},
        {
            "title": "E",
            "sections": [
                {"heading": "1. Introduction", "paragraphs": [CHEMISTRY]},
                {"heading": "Data", "text": "None."},
            ],
        },
        {"title": "F", "text": CHEMISTRY.replace("Cs₂CO₃", "$\\mathrm{Cs_2CO_3}$")},
    ]
    papers = lines(path, limits, shapes[0], "", *shapes[1:])
    for paper in papers:
        assert isinstance(paper, SourceDocument), paper
        assert intro(paper) == [CHEMISTRY]
        assert paper.format == "jsonl"
    first, second = papers[:2]
    assert isinstance(first, SourceDocument) and isinstance(second, SourceDocument)
    assert (first.doi, first.version, first.authors) == ("10.26434/chemrxiv-1", "2", ("Ada One",))
    assert second.title == "b"
    # the blank line counts, so that an editor finds the record
    assert [paper.source.rsplit("#", 1)[1] for paper in papers] == ["1", "3", "4", "5", "6", "7"]


def test_a_bad_line_is_named_and_the_others_proceed(tmp_path: Path, limits: Settings) -> None:
    path = tmp_path / "papers.jsonl"
    good = {"title": "A", "introduction": CHEMISTRY}
    outcomes = lines(
        path,
        limits,
        good,
        '{"title": "cut',
        "[1, 2]",
        {"title": 5, "text": "x"},
        {"title": "A", "authors": "Ada One", "text": "x"},
        {"title": "A", "paragraphs": ["a", 1]},
        {"title": "A"},
        {"title": "A", "sections": [1]},
        good,
        '{"title": "A", "text": "half \\ud83d of it"}',
    )
    reasons = [outcome.reason if isinstance(outcome, SourceFailure) else "" for outcome in outcomes]
    assert reasons[0] == reasons[8] == ""
    assert "line 2: it is no JSON" in reasons[1]
    assert "line 3: it is a list, not an object" in reasons[2]
    assert "line 4, field title: it is a number, and must be a text" in reasons[3]
    assert "line 5, field authors" in reasons[4]
    assert "line 6, field paragraphs" in reasons[5]
    assert "line 7, field text: there is none" in reasons[6]
    assert "line 8, field sections" in reasons[7]
    assert "line 10: it holds half a character" in reasons[9]
    assert [outcome.source for outcome in outcomes] == [
        f"{path.resolve()}#{number}" for number in range(1, 11)
    ]


def test_a_paragraph_given_as_one_may_be_short(tmp_path: Path, limits: Settings) -> None:
    path = tmp_path / "short.jsonl"
    path.write_text('{"title": "On nitric acid", "paragraphs": ["Nitric acid is made from ammonia."]}')
    (paper,) = read_documents(path, limits)
    assert isinstance(paper, SourceDocument)
    assert [block.text for block in paper.blocks] == ["Nitric acid is made from ammonia."]
