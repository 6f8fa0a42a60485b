"""JATS and HTML: small papers written for the test."""

# ruff: noqa: E501 - lines of papers stand as papers have them

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.models import SourceDocument, SourceFailure
from ingest.sources import read_documents
from ingest.text import introduction
from settings import Settings

JATS = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.2 20190208//EN" "JATS-journalpublishing1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML">
<front><article-meta>
<article-id pub-id-type="pmid">1</article-id>
<article-id pub-id-type="doi">10.26434/chemrxiv-2026-abcde-v2</article-id>
<title-group><article-title>Bases for <italic>N</italic>-arylation: Cs<sub>2</sub>CO<sub>3</sub></article-title></title-group>
<contrib-group>
<contrib contrib-type="author"><name><surname>One</surname><given-names>Ada B.</given-names></name><xref ref-type="aff" rid="a1"><sup>1</sup></xref></contrib>
<contrib contrib-type="author"><string-name>Bert Two</string-name></contrib>
<contrib contrib-type="editor"><name><surname>Ed</surname><given-names>Itor</given-names></name></contrib>
</contrib-group>
<aff id="a1">First University</aff>
<pub-date><day>3</day><month>2</month><year>2026</year></pub-date>
<permissions><license xlink:href="https://creativecommons.org/licenses/by/4.0/"><license-p>Open.</license-p></license></permissions>
<abstract><title>Abstract</title><p>Bases are compared.</p></abstract>
<abstract abstract-type="graphical"><p>A picture.</p></abstract>
</article-meta></front>
<body>
<sec><label>1</label><title>Introduction</title>
<p>The base Cs<sub>2</sub>CO<sub>3</sub> works with Pd(PPh<sub>3</sub>)<sub>4</sub><sup><xref ref-type="bibr">1</xref></sup> in
1,2-dichloroethane.<sup>2,3</sup> Fe<sup>3+</sup> and &alpha;-Fe<sub>2</sub>O<sub>3</sub> do not; (<italic>R</italic>)-BINAP and
[Ru(bpy)<sub>3</sub>]<sup>2+</sup> do.<!-- a comment --></p>
<p>Metal&#8211;organic frameworks such as <inline-formula><alternatives><tex-math>\\documentclass{minimal}\\begin{document}$$\\mathrm{MIL_{101}}$$\\end{document}</tex-math>
<mml:math><mml:msub><mml:mi>MIL</mml:mi><mml:mn>101</mml:mn></mml:msub></mml:math></alternatives></inline-formula> contain
<mml:math><mml:msubsup><mml:mi>SO</mml:mi><mml:mn>4</mml:mn><mml:mrow><mml:mn>2</mml:mn><mml:mo>&#8722;</mml:mo></mml:mrow></mml:msubsup></mml:math>
and <inline-formula><tex-math>$\\mathrm{Ca^{2+}}$</tex-math></inline-formula>.
<fig><label>Figure 1</label><caption><p>A base.</p></caption></fig></p>
<list><list-item><p>Water is a solvent.</p></list-item></list>
<sec><title>Scope</title><p>We compare three bases.</p></sec>
</sec>
<sec><title>Results</title><p>All work.</p></sec>
</body></article>
"""

HTML = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>x - Journal</title>
<meta name="citation_title" content="Bases for N-arylation">
<meta name="citation_author" content="Ada B. One"><meta name="citation_author" content="Bert Two">
<meta name="citation_doi" content="10.26434/chemrxiv-2026-abcde-v2">
<meta name="citation_publication_date" content="2026/02/03">
<link rel="license" href="https://creativecommons.org/licenses/by-nc/4.0/">
<style>p {color: red}</style><script>var a = "<p>not text</p>";</script></head>
<body><nav><a href="/">Home</a> <p>Navigation is not part of the paper and must not be read as text.</p></nav>
<h1>Bases for N-arylation</h1><p>Ada B. One, Bert Two</p><p>First University</p>
<section id="abstract"><h2>Abstract</h2><p>Bases are compared.</p></section>
<h2><span>1</span> Introduction</h2>
<p>The base Cs<sub>2</sub>CO<sub>3</sub> works with Pd(PPh<sub>3</sub>)<sub>4</sub><sup><a href="#r1">1</a></sup> in 1,2-dichloroethane.<sup>2,3</sup>
Fe<sup>3+</sup> and &alpha;-Fe<sub>2</sub>O<sub>3</sub> do not; (<em>R</em>)-BINAP and [Ru(bpy)<sub>3</sub>]<sup>2+</sup> do.</p>
<figure><img src="f.png" alt="x"><figcaption>A base in a bottle.</figcaption></figure>
<div>Metal–organic frameworks contain
<math><msubsup><mi>SO</mi><mn>4</mn><mrow><mn>2</mn><mo>−</mo></mrow></msubsup></math> and
\\(\\mathrm{Ca^{2+}}\\).<div hidden>Hidden text is not read.</div></div>
<table><tr><td>A table is not read.</td></tr></table>
<h2>2 Results</h2><p>All work.</p>
<footer><p>Footers are not read.</p></footer></body></html>
"""


@pytest.fixture
def limits(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


def read(path: Path, content: str | bytes, settings: Settings) -> SourceDocument:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    (outcome,) = read_documents(path, settings)
    assert isinstance(outcome, SourceDocument), outcome
    return outcome


def refusal(path: Path, content: str, settings: Settings) -> str:
    path.write_text(content)
    (outcome,) = read_documents(path, settings)
    assert isinstance(outcome, SourceFailure)
    return outcome.reason


def test_jats(tmp_path: Path, limits: Settings) -> None:
    paper = read(tmp_path / "a.xml", JATS, limits)
    assert paper.title == "Bases for N-arylation: Cs₂CO₃"
    assert paper.authors == ("Ada B. One", "Bert Two")
    assert (paper.doi, paper.version) == ("10.26434/chemrxiv-2026-abcde", "2")
    assert (paper.license, paper.published, paper.format) == ("CC BY 4.0", "2026-02-03", "jats")
    assert [block.text for block in paper.blocks if block.kind == "abstract"] == ["Bases are compared."]
    assert [block.text for block in paper.blocks if block.kind == "caption"] == ["Figure 1 A base."]
    assert [block.text for block in introduction(paper)] == [
        "The base Cs₂CO₃ works with Pd(PPh₃)₄ [1] in 1,2-dichloroethane.[2,3] Fe³⁺ and α-Fe₂O₃ do not; "
        "(R)-BINAP and [Ru(bpy)₃]²⁺ do.",
        "Metal–organic frameworks such as MIL₁₀₁ contain SO₄²⁻ and Ca²⁺.",
        "Water is a solvent.",
        "We compare three bases.",
    ]


def test_jats_entities_are_not_expanded_and_nothing_is_fetched(tmp_path: Path, limits: Settings) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET")
    content = (
        f'<!DOCTYPE article [<!ENTITY x SYSTEM "file://{secret}"><!ENTITY own "mine">]>'
        "<article><body><p>One &x; two &own; three is a sentence of a paper.</p></body></article>"
    )
    paper = read(tmp_path / "a.xml", content, limits)
    assert [block.text for block in paper.blocks] == ["One two three is a sentence of a paper."]


def test_jats_with_named_characters_and_no_dtd(tmp_path: Path, limits: Settings) -> None:
    content = "<article><body><p>The &beta; phase &amp; the &gamma; phase &lt; 5 &nosuch; &deg;C.</p></body></article>"
    paper = read(tmp_path / "a.xml", content, limits)
    assert [block.text for block in paper.blocks] == ["The β phase & the γ phase < 5 °C."]


def test_jats_that_grows_without_end_is_refused(tmp_path: Path, limits: Settings) -> None:
    bomb = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    content = f'<!DOCTYPE article [<!ENTITY l0 "lol">{bomb}]><article><body><p>One &l9;.</p></body></article>'
    assert "no well-formed XML" in refusal(tmp_path / "a.xml", content, limits)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("<article><body><p>broken", "no well-formed XML"),
        ("<feed><entry/></feed>", "no JATS article: its root is <feed>"),
        ("<article><front/></article>", "No paragraph of text"),
        ("just words", "no well-formed XML"),
    ],
)
def test_jats_refusals(tmp_path: Path, limits: Settings, content: str, words: str) -> None:
    assert words in refusal(tmp_path / "a.xml", content, limits)


def test_jats_in_its_own_encoding(tmp_path: Path, limits: Settings) -> None:
    content = (
        '<?xml version="1.0" encoding="iso-8859-1"?><article><body><p>Grönvold wrote.</p></body></article>'
    )
    assert read(tmp_path / "a.xml", content.encode("latin-1"), limits).blocks[0].text == "Grönvold wrote."


def test_html(tmp_path: Path, limits: Settings) -> None:
    paper = read(tmp_path / "a.html", HTML, limits)
    assert paper.title == "Bases for N-arylation"
    assert paper.authors == ("Ada B. One", "Bert Two")
    assert (paper.doi, paper.version) == ("10.26434/chemrxiv-2026-abcde", "2")
    assert (paper.license, paper.published, paper.format) == ("CC BY-NC 4.0", "2026-02-03", "html")
    assert [block.text for block in paper.blocks if block.kind == "abstract"] == ["Bases are compared."]
    assert [block.text for block in paper.blocks if block.kind == "caption"] == ["A base in a bottle."]
    assert [block.text for block in introduction(paper)] == [
        "The base Cs₂CO₃ works with Pd(PPh₃)₄ [1] in 1,2-dichloroethane.[2,3] Fe³⁺ and α-Fe₂O₃ do not; "
        "(R)-BINAP and [Ru(bpy)₃]²⁺ do.",
        "Metal–organic frameworks contain SO₄²⁻ and Ca²⁺.",
    ]
    whole = " ".join(block.text for block in paper.blocks)
    for unwanted in ("not text", "Navigation", "Hidden", "table", "Footers", "color"):
        assert unwanted not in whole


def test_html_in_a_declared_encoding(tmp_path: Path, limits: Settings) -> None:
    page = '<meta charset="iso-8859-7"><h1>On α</h1><p>The α phase of iron oxide is stable, and the γ phase is not at all.</p>'
    paper = read(tmp_path / "a.html", page.encode("iso8859-7"), limits)
    assert "The α phase" in paper.blocks[-1].text
    assert "iso-8859-7" in paper.warnings[0]


def test_html_that_is_no_page(tmp_path: Path, limits: Settings) -> None:
    assert "No paragraph of text" in refusal(tmp_path / "a.html", "<html><body></body></html>", limits)
