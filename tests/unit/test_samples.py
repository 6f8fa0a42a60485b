"""The bundled corpus: it builds to the same bytes, its facts stand in its texts, its traps are there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pypdfium2
import pytest

from samples.build import PAPERS, build
from samples.facts import Fact, entity_key, facts, paths, survivors
from samples.markup import (
    Paper,
    formula_runs,
    latex_formula,
    papers,
    plain,
    tagged_formula,
    unicode_formula,
)
from samples.render_pdf import font_folder

HOPS = {2: 200, 3: 100, 4: 50}


@pytest.fixture(scope="module")
def sources() -> dict[str, Paper]:
    return {paper.id: paper for paper in papers()}


@pytest.fixture(scope="module")
def known() -> list[Fact]:
    return facts()


def text_layer(path: Path) -> str:
    """All characters of a PDF but white space, line-end hyphens and citations' brackets."""
    document = pypdfium2.PdfDocument(path)
    try:
        pages = [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()
    return re.sub(r"\s+", "", re.sub("[￾\x02]\r?\n?", "", "".join(pages)))


# ---------------------------------------------------------------- the builder


def test_committed_files_are_what_the_sources_give() -> None:
    if font_folder() is None:
        pytest.skip("two PDFs are set in DejaVu Serif, which is not installed here")
    first, second = build(), build()
    assert first == second
    assert sorted(first) == sorted(path.name for path in PAPERS.iterdir())
    for name, data in first.items():
        if not name.endswith(".pdf"):  # those embed what the font library of the day makes
            assert (PAPERS / name).read_bytes() == data, f"{name}: run python -m samples.build"


@pytest.mark.parametrize(
    ("formula", "as_unicode", "as_latex", "as_tags"),
    [
        ("Fe2O3", "Fe₂O₃", "$\\mathrm{Fe_2O_3}$", "Fe<sub>2</sub>O<sub>3</sub>"),
        ("Ca^2+", "Ca²⁺", "$\\mathrm{Ca^{2+}}$", "Ca<sup>2+</sup>"),
        ("Al(OH)3", "Al(OH)₃", "$\\mathrm{Al(OH)_3}$", "Al(OH)<sub>3</sub>"),
        ("CaSO4·0.5H2O", "CaSO₄·0.5H₂O", "$\\mathrm{CaSO_4·0.5H_2O}$", "CaSO<sub>4</sub>·0.5H<sub>2</sub>O"),
        ("C60", "C₆₀", "$\\mathrm{C_{60}}$", "C<sub>60</sub>"),
        ("Co", "Co", "$\\mathrm{Co}$", "Co"),
    ],
)
def test_formulas(formula: str, as_unicode: str, as_latex: str, as_tags: str) -> None:
    assert unicode_formula(formula) == as_unicode
    assert latex_formula(formula) == as_latex
    assert tagged_formula(formula) == as_tags
    assert "".join(run.text for run in formula_runs(formula)) == formula.replace("^", "")


def test_plain_text_has_no_marks() -> None:
    assert plain("{CO2} is bound [1,2]. It stays [3], as {Fe^3+} does.") == (
        "CO2 is bound. It stays, as Fe3+ does."
    )


# ---------------------------------------------------------------- the papers


def test_there_are_enough_papers_of_each_kind(sources: dict[str, Paper]) -> None:
    kinds = [paper.meta["format"] for paper in sources.values()]
    assert len(kinds) >= 34
    least = {"pdf": 8, "jats": 7, "html": 6, "markdown": 6, "text": 5, "jsonl": 4}
    assert all(kinds.count(kind) >= number for kind, number in least.items())
    assert sum(paper.heading is None for paper in sources.values()) == 1
    assert len({paper.doi for paper in sources.values()}) == len(sources)


def test_introductions_have_the_length_of_real_ones(sources: dict[str, Paper]) -> None:
    for paper in sources.values():
        count = sum(len(plain(paragraph).split()) for paragraph in paper.introduction)
        assert 200 <= count <= 420, (paper.id, count)
        assert 3 <= len(paper.introduction) <= 5


def test_citations_point_to_references(sources: dict[str, Paper]) -> None:
    for paper in sources.values():
        for section in paper.sections:
            for numbers in re.findall(r" \[([\d,]+)\]", " ".join(section.paragraphs)):
                assert all(1 <= int(n) <= len(paper.references) for n in numbers.split(",")), paper.id


def test_every_paper_says_what_it_is(sources: dict[str, Paper]) -> None:
    for paper in sources.values():
        assert "sample document" in plain(paper.section("Acknowledgement").paragraphs[0])
        assert paper.doi.startswith("10.26434/chemrxiv-2026-smpl")


# ---------------------------------------------------------------- the facts


def test_each_fact_stands_in_its_paper(sources: dict[str, Paper], known: list[Fact]) -> None:
    for fact in known:
        text = " ".join(plain(paragraph) for paragraph in sources[fact.paper].introduction)
        assert fact.sentence in text, fact
        for part in (fact.subject, fact.predicate, fact.object):
            assert re.search(rf"(?<![\w-]){re.escape(part)}(?![\w-])", fact.sentence), fact
        assert fact.sentence.index(fact.subject) < fact.sentence.rindex(fact.object), fact
        assert fact.ends[0] != fact.ends[1], fact


def test_facts_are_listed_once_and_papers_have_many(sources: dict[str, Paper], known: list[Fact]) -> None:
    assert len({(f.paper, f.subject, f.predicate, f.object) for f in known}) == len(known)
    for paper in sources:
        assert sum(fact.paper == paper for fact in known) >= 10, paper


def test_names_that_differ_in_meaning_stay_apart() -> None:
    assert entity_key("Co") == "cobalt"
    assert entity_key("CO") == entity_key("Carbon monoxide") == "carbon monoxide"
    assert entity_key("1-Butanol") == "1-butanol" != entity_key("2-butanol")
    assert entity_key("N,N-Dimethylaniline") == "N,N-dimethylaniline"
    assert entity_key("Cobalt(II,III) oxide") == "cobalt(II,III) oxide"
    assert entity_key("ZIF-8") == "ZIF-8"


def test_facts_connect_across_papers(known: list[Fact]) -> None:
    """Issue 3: at least 200 valid 2-hop, 100 3-hop and 50 4-hop paths with distinct documents."""
    for hops, least in HOPS.items():
        assert sum(1 for _ in paths(known, hops)) > least, hops


@pytest.mark.parametrize("hops", [1, 2, 3, 4])
def test_enough_paths_survive_the_gates(known: list[Fact], hops: int) -> None:
    chains = survivors(known, hops)
    assert len(chains) >= 40
    assert len({chain[0].ends[0] for chain in chains}) >= 40  # answers


def test_a_chain_worked_out_by_hand(known: list[Fact]) -> None:
    """Papers 31, 38, 11: an azide from an azide, from nitrous oxide, from a nitrate. Papers 15, 07, 13."""
    walked = {(chain[0].ends[0], *(fact.ends[1] for fact in chain)) for chain in paths(known, 3)}
    assert ("lead azide", "sodium azide", "nitrous oxide", "ammonium nitrate") in walked
    assert ("kevlar", "p-phenylenediamine", "4-nitroaniline", "1-chloro-4-nitrobenzene") in walked
    assert ("1-chloro-4-nitrobenzene", "4-nitroaniline", "p-phenylenediamine", "kevlar") not in walked


def test_pdfs_carry_their_facts_in_the_text_layer(sources: dict[str, Paper], known: list[Fact]) -> None:
    for paper in sources.values():
        if paper.meta["format"] != "pdf":
            continue
        text = text_layer(PAPERS / f"{paper.id}-{paper.meta['slug']}.pdf")
        for fact in known:
            if fact.paper == paper.id:
                for part in (fact.subject, fact.object):
                    wanted = (unicode_formula(part), part)
                    assert any(re.sub(r"\s+", "", form) in text for form in wanted), (paper.id, part)


# ---------------------------------------------------------------- the traps


def test_a_paragraph_stands_in_two_papers(sources: dict[str, Paper]) -> None:
    shared = set(sources["31"].introduction) & set(sources["38"].introduction)
    assert len(shared) == 1
    for number in ("31", "38"):  # so long that it fills a chunk of 128 words by itself
        lengths = [len(plain(paragraph).split()) for paragraph in sources[number].introduction]
        place = sources[number].introduction.index(next(iter(shared)))
        assert lengths[place] <= 128
        assert lengths[place - 1] + lengths[place] > 128
        assert lengths[place] + lengths[place + 1] > 128


def test_symbols_that_look_alike_are_in_the_texts(sources: dict[str, Paper]) -> None:
    words = {number: " ".join(map(plain, paper.introduction)) for number, paper in sources.items()}
    assert re.search(r"\bCo\b", words["04"]) and re.search(r"\bCO\b", words["04"])
    assert re.search(r"\bH2O\b", words["27"]) and re.search(r"\bH2O2\b", words["27"])
    assert "1-butanol" in words["20"] and "2-butanol" in words["20"]
    assert "CO<sub>2</sub>" in (PAPERS / "28-carbon-dioxide.xml").read_text(encoding="utf-8")
    assert "\\mathrm{CO_2}" in (PAPERS / "04-carbonylation.md").read_text(encoding="utf-8")
    assert "H₂O₂" in (PAPERS / "37-liquid-oxidation.txt").read_text(encoding="utf-8")


def test_files_that_cannot_be_used() -> None:
    assert (PAPERS / "trap-empty.txt").read_bytes() == b""
    assert text_layer(PAPERS / "trap-scanned.pdf") == ""
    lines = (PAPERS / "surveys-b.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["doi"][-6:] for line in lines[:2]] == ["l22-v1", "l33-v1"]
    with pytest.raises(json.JSONDecodeError):
        json.loads(lines[2])


def test_one_file_is_in_latin_1() -> None:
    data = (PAPERS / "26-hydrogen-storage.txt").read_bytes()
    with pytest.raises(UnicodeDecodeError):
        data.decode("utf-8")
    assert {"µ", "°", "é"} <= set(data.decode("iso-8859-1"))


def test_one_preprint_is_there_as_pdf_and_jats(sources: dict[str, Paper]) -> None:
    doi = sources["34"].versioned_doi
    assert doi in (PAPERS / "34-drugs.xml").read_text(encoding="utf-8")
    assert doi in text_layer(PAPERS / "34-drugs.pdf")
