"""What a paper says about itself, and page furniture."""

from __future__ import annotations

import pytest

from ingest.sources.furniture import is_furniture, without_inline_furniture
from ingest.sources.metadata import clean_doi, find_date, find_doi, find_license, parse_authors


@pytest.mark.parametrize(
    ("text", "doi", "version"),
    [
        ("https://doi.org/10.26434/chemrxiv-2024-2v5l6-v3", "10.26434/chemrxiv-2024-2v5l6", "3"),
        ("10.26434/CHEMRXIV-2024-2v5l6", "10.26434/chemrxiv-2024-2v5l6", None),
        ("10.21203/rs.3.rs-123456/v2", "10.21203/rs.3.rs-123456", "2"),
        ("10.20944/preprints202401.0001.v1", "10.20944/preprints202401.0001", "1"),
        ("10.1101/2020.01.30.927871v2", "10.1101/2020.01.30.927871", "2"),
        ("(doi: 10.1021/jacs.3c01234).", "10.1021/jacs.3c01234", None),
        ("no DOI here", None, None),
    ],
)
def test_doi(text: str, doi: str | None, version: str | None) -> None:
    assert clean_doi(text) == (doi, version)


def test_the_own_doi_is_one_that_is_labelled() -> None:
    lines = ["A title with 10.1000/182 inside", "Cite this: https://doi.org/10.26434/chemrxiv-2024-abcde-v1"]
    assert find_doi(lines) == ("10.26434/chemrxiv-2024-abcde", "1")
    assert find_doi(["10.1000/182"]) == ("10.1000/182", None)
    assert find_doi(["nothing"]) == (None, None)


@pytest.mark.parametrize(
    ("text", "licence"),
    [
        ("License: CC BY 4.0", "CC BY 4.0"),
        ("— CC-BY 4.0 —", "CC BY 4.0"),
        ("CC BY-NC-ND 4.0", "CC BY-NC-ND 4.0"),
        ("CC BY NC 4.0", "CC BY-NC 4.0"),
        ("CC0", "CC0"),
        ("https://creativecommons.org/licenses/by-nc/4.0/", "CC BY-NC 4.0"),
        ("http://creativecommons.org/publicdomain/zero/1.0/", "CC0 1.0"),
        ("under a Creative Commons Attribution 4.0 International License", "CC BY 4.0"),
        ("Creative Commons Attribution-NonCommercial-NoDerivatives 4.0", "CC BY-NC-ND 4.0"),
        ("All rights reserved", None),
    ],
)
def test_license(text: str, licence: str | None) -> None:
    assert find_license(text) == licence


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Posted on 17 September 2024 — CC-BY", "2024-09-17"),
        ("September 7, 2024", "2024-09-07"),
        ("Published: 2024-09-17", "2024-09-17"),
        ("1st May 2023", "2023-05-01"),
        ("2024", None),
        ("2024-13-40", None),
    ],
)
def test_date(text: str, date: str | None) -> None:
    assert find_date(text) == date


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Author One¹, Author Two², Author Three³", ("Author One", "Author Two", "Author Three")),
        (
            "Jane A. Doe,1,2* Jean-Luc Picard2 and Max van der Berg3",
            ("Jane A. Doe", "Jean-Luc Picard", "Max van der Berg"),
        ),
        ("Inés Varela (1), Tomas Lindqvist (1,2)", ("Inés Varela", "Tomas Lindqvist")),
        ("Lars Grønvold†", ("Lars Grønvold",)),
        ("Department of Chemistry, University of Kettlesea", ()),
        ("Water is the cheapest reagent.", ()),
        ("jane@example.org", ()),
    ],
)
def test_authors(line: str, names: tuple[str, ...]) -> None:
    assert parse_authors(line) == names


@pytest.mark.parametrize(
    "line",
    [
        "3",
        "Page 3 of 12",
        "- 4 -",
        "S12",
        "Posted on 17 September 2024 — CC-BY 4.0 — This is a preprint and has not been peer reviewed.",
        "https://doi.org/10.26434/chemrxiv-2024-2v5l6-v3 ORCID: https://orcid.org/0000-0000-0000-0000 "
        "Content not peer-reviewed by ChemRxiv. License: CC BY 4.0",
        "Content not peer-reviewed by ChemRxiv. License: CC BY 4.0",
        "ORCID: 0000-0002-1825-0097",
        "![](./images/1250198784646840356_1.jpg)",
        "*Corresponding author. E-mail: one@example.org",
        "arXiv:2401.01234v1 [cond-mat.mtrl-sci] 2 Jan 2024",
        "Received: 3 May 2024; Accepted: 7 July 2024",
        "© 2024 The Authors. Published by Somebody.",
        "Keywords: hydrides, superconductivity",
        "17 September 2024",
        "bioRxiv preprint doi: https://doi.org/10.1101/2020.01.30.927871; this version posted January 31.",
    ],
)
def test_furniture(line: str) -> None:
    assert is_furniture(line)


@pytest.mark.parametrize(
    "line",
    [
        "CaH₂ hydrogenation occurs via surface melting at high temperatures.",
        "Received wisdom says that gold is inert, which is wrong.",
        "Introduction",
        "Water.",
        "Access to space is needed for large molecules.",
        "Published data on LaH₁₀ differ.",
        "Licensed processes for acetic acid start from methanol and carbon monoxide.",
        "Posted speed limits do not apply to electrons.",
    ],
)
def test_no_furniture(line: str) -> None:
    assert not is_furniture(line)


def test_a_footer_inside_a_paragraph_is_cut_out() -> None:
    footer = (
        "https://doi.org/10.26434/chemrxiv-2024-2v5l6-v3 ORCID: https://orcid.org/0000-0002-1825-0097 "
        "Content not peer-reviewed by ChemRxiv. License: CC BY 4.0"
    )
    assert (
        without_inline_furniture(f"the surface of CaH₂ {footer} melts first")
        == "the surface of CaH₂ melts first"
    )
