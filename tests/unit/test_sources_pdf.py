"""PDF: small ones are made here, with what real ones have."""

# ruff: noqa: E501 - lines of papers stand as papers have them

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fpdf import FPDF

from ingest.models import SourceDocument, SourceFailure
from ingest.sources import read_documents
from ingest.text import introduction
from settings import Settings

FOOTER = "Content not peer-reviewed by ChemRxiv. License: CC BY 4.0"
DOI = "https://doi.org/10.26434/chemrxiv-2026-abcde-v2"


class Paper(FPDF):
    """A page of a preprint: a running head from page 2 on, a footer, a page number."""

    def __init__(self) -> None:
        super().__init__(format=(148.0, 210.0))
        self.set_margins(15, 15, 15)
        self.set_auto_page_break(True, 25)

    def header(self) -> None:
        if self.page_no() > 1:
            self.set_font("Helvetica", size=7)
            self.set_xy(15, 6)
            self.cell(60, 4, "One and Two: Bases for arylation")
            self.set_xy(125, 6)
            self.cell(8, 4, str(self.page_no()))
            self.set_y(18)

    def footer(self) -> None:
        self.set_font("Helvetica", size=7)
        self.set_xy(15, -14)
        self.cell(100, 4, DOI)
        self.set_xy(15, -10)
        self.cell(100, 4, FOOTER)
        self.set_xy(70, -6)
        self.cell(10, 4, f"Page {self.page_no()}")

    def lines(self, height: float, text: str) -> None:
        """A paragraph, set ragged right."""
        self.multi_cell(0, height, text, align="L", new_x="LMARGIN", new_y="NEXT")

    def title_block(self) -> None:
        self.add_page()
        self.set_font("Times", "B", 15)
        self.lines(7, "Bases for the arylation of amines and what they cost")
        self.set_font("Times", size=10)
        self.lines(5, "Ada B. One, Bert Two")
        self.set_font("Times", "I", 8)
        self.lines(4, "First University of Chemistry, Somewhere")
        self.heading("Abstract")
        self.set_font("Times", size=10)
        self.lines(5, "Bases are compared in the arylation of amines.")

    def heading(self, text: str) -> None:
        self.ln(4)
        self.set_font("Times", "B", 12)
        self.cell(0, 6, text)
        self.ln(8)
        self.set_font("Times", size=10)

    def rich(self, text: str) -> None:
        """Text in which _{} and ^{} are lowered and raised, as a typesetter sets them."""
        for piece in text.replace("_{", "\x00S").replace("^{", "\x00P").split("\x00"):
            if piece[:1] in ("S", "P") and "}" in piece:
                script, rest = piece[1:].split("}", 1)
                self.char_vpos = "SUB" if piece[0] == "S" else "SUP"
                self.write(5, script)
                self.char_vpos = "LINE"
                self.write(5, rest)
            else:
                self.write(5, piece)


@pytest.fixture
def read(tmp_path: Path) -> Callable[[FPDF | bytes], SourceDocument | SourceFailure]:
    def reader(pdf: FPDF | bytes) -> SourceDocument | SourceFailure:
        path = tmp_path / "paper.pdf"
        path.write_bytes(pdf if isinstance(pdf, bytes) else bytes(pdf.output()))
        (outcome,) = read_documents(path, Settings(home=tmp_path / "home"))
        return outcome

    return reader


Read = Callable[[FPDF | bytes], SourceDocument | SourceFailure]


def paper(outcome: SourceDocument | SourceFailure) -> SourceDocument:
    assert isinstance(outcome, SourceDocument), outcome
    return outcome


def intro(outcome: SourceDocument | SourceFailure) -> list[str]:
    return [block.text for block in introduction(paper(outcome))]


FIRST = (
    "Palladium catalyses the arylation of amines, and a base is needed to take up the acid that is formed. "
    "Caesium carbonate is used for this purpose more often than any other base. Potassium phosphate is cheaper."
)
SECOND = (
    "Strong bases are made from alcohols and alkali metals. Sodium tert-butoxide is the best known of them, and "
    "it is soluble in toluene. Where esters are present, weaker bases have to be taken."
)


def test_one_column_over_two_pages(read: Read) -> None:
    pdf = Paper()
    pdf.title_block()
    pdf.heading("1. Introduction")
    for text in (
        FIRST,
        SECOND,
        FIRST.replace("Palladium", "Nickel"),
        SECOND.replace("Strong", "Other"),
        FIRST,
        SECOND,
    ):
        pdf.lines(5, text)
        pdf.ln(3)
    pdf.heading("2. Results")
    pdf.lines(5, "All of them work.")
    assert pdf.page_no() == 2
    outcome = paper(read(pdf))
    assert outcome.title == "Bases for the arylation of amines and what they cost"
    assert outcome.authors == ("Ada B. One", "Bert Two")
    assert (outcome.doi, outcome.version, outcome.license) == (
        "10.26434/chemrxiv-2026-abcde",
        "2",
        "CC BY 4.0",
    )
    assert intro(outcome) == [
        FIRST,
        SECOND,
        FIRST.replace("Palladium", "Nickel"),
        SECOND.replace("Strong", "Other"),
        FIRST,
        SECOND,
    ]
    assert introduction(outcome)[0].page == 1
    whole = " ".join(block.text for block in outcome.blocks)
    for furniture in ("peer", "Page", "One and Two", "doi.org"):
        assert furniture not in whole


def test_chemistry_survives(read: Read) -> None:
    pdf = Paper()
    pdf.title_block()
    pdf.heading("Introduction")
    pdf.rich(
        "The base Cs_{2}CO_{3} works with Pd(PPh_{3})_{4} in 1,2-dichloroethane.^{2,3} The ions Fe^{3+} and SO_{4}^{2-} "
        "do not, but (R)-BINAP and [Ru(bpy)_{3}]^{2+} do.^{12} A ^{13}C label in metal-organic nanotubes^{4} and 5 cm^{2} of "
        "CO and Co foil are needed. "
    )
    pdf.set_font("Symbol", size=10)
    pdf.write(5, "a")
    pdf.set_font("Times", size=10)
    pdf.rich("-Fe_{2}O_{3} is red.")
    assert intro(read(pdf)) == [
        "The base Cs₂CO₃ works with Pd(PPh₃)₄ in 1,2-dichloroethane.[2,3] The ions Fe³⁺ and SO₄²⁻ do not, but "
        "(R)-BINAP and [Ru(bpy)₃]²⁺ do.[12] A ¹³C label in metal-organic nanotubes [4] and 5 cm² of CO and Co "
        "foil are needed. α-Fe₂O₃ is red."
    ]


COLUMN_LEFT = [
    "Palladium catalyses the arylation of",
    "amines, and caesium carbonate is the",
    "base of choice. It takes up the hydro-",
    "gen halide that is formed. A metal-",
    "organic framework can do it too, and",
    "1,2-dichloroethane or 1-",
    "butanol are the solvents.",
]
COLUMN_RIGHT = [
    "Sodium tert-butoxide is stronger",
    "than the carbonates, and it is used",
    "where no ester is present. It is made",
    "from sodium and the alcohol, which",
    "takes a day. Lithium amides are the",
    "strongest bases, and they are made",
    "from butyllithium and an amine.",
]
COLUMNS = [
    "Palladium catalyses the arylation of amines, and caesium carbonate is the base of choice. It takes up the "
    "hydrogen halide that is formed. A metal-organic framework can do it too, and 1,2-dichloroethane or 1-butanol "
    "are the solvents.",
    "Sodium tert-butoxide is stronger than the carbonates, and it is used where no ester is present. It is made "
    "from sodium and the alcohol, which takes a day. Lithium amides are the strongest bases, and they are made "
    "from butyllithium and an amine.",
]


@pytest.mark.parametrize("by_rows", [False, True])
def test_two_columns_whatever_order_they_were_drawn_in(read: Read, by_rows: bool) -> None:
    pdf = Paper()
    pdf.title_block()
    pdf.heading("Introduction")
    top = pdf.get_y()
    cells = [(15, top + 5 * i, text) for i, text in enumerate(COLUMN_LEFT)]
    cells += [(78, top + 5 * i, text) for i, text in enumerate(COLUMN_RIGHT)]
    for x, y, text in sorted(cells, key=lambda cell: (cell[1], cell[0])) if by_rows else cells:
        pdf.set_font("Times", size=9)
        pdf.text(x, y, text)
    assert intro(read(pdf)) == COLUMNS


def test_line_numbers_of_a_manuscript(read: Read) -> None:
    pdf = Paper()
    pdf.title_block()
    pdf.heading("Introduction")
    text = [
        "Palladium catalyses the arylation of amines, and a base takes up the acid.",
        "Caesium carbonate is used for this purpose, of which 2 equivalents are",
        "needed. Potassium phosphate is cheaper, and it works as well in many a",
        "case, where water is kept away from the mixture by 3 A molecular sieves",
        "and a dry atmosphere. Weaker bases fail for electron-rich amines, since",
        "these are hardly acidic at all.",
    ]
    top = pdf.get_y()
    for number, line in enumerate(text, start=1):
        pdf.text(8, top + 5 * number, str(number))
        pdf.text(15, top + 5 * number, line)
    assert intro(read(pdf)) == [" ".join(text)]


def test_indented_paragraphs_without_gaps(read: Read) -> None:
    pdf = Paper()
    pdf.title_block()
    pdf.heading("Introduction")
    paragraphs = [
        [
            "Palladium catalyses the arylation of amines.",
            "A base takes up the acid that is formed from the halide and the",
            "amine.",
        ],
        [
            "Caesium carbonate is used for this purpose.",
            "It is dear. Potassium phosphate is cheaper, and it works as well in",
            "many cases.",
        ],
        [
            "Sodium tert-butoxide is the strongest of them.",
            "It is used where no ester is present, and it is made from sodium.",
        ],
    ]
    y = pdf.get_y()
    for paragraph in paragraphs:
        for index, line in enumerate(paragraph):
            pdf.text(19 if index == 0 else 15, y, line)
            y += 5
    assert intro(read(pdf)) == [" ".join(paragraph) for paragraph in paragraphs]


def test_a_caption_between_two_halves_of_a_sentence(read: Read) -> None:
    pdf = Paper()
    pdf.title_block()
    pdf.heading("Introduction")
    pdf.lines(
        5, "Palladium catalyses the arylation of amines, and the base that is used more often than any other"
    )
    pdf.ln(6)
    pdf.set_font("Times", size=8)
    pdf.lines(4, "Figure 1. Prices of some bases over the last ten years.")
    pdf.ln(6)
    pdf.set_font("Times", size=10)
    pdf.lines(5, "is caesium carbonate.")
    outcome = paper(read(pdf))
    assert intro(outcome) == [
        "Palladium catalyses the arylation of amines, and the base that is used more often than any other is "
        "caesium carbonate."
    ]
    assert [block.kind for block in outcome.blocks][-1] == "caption"


def test_a_stamp_up_the_margin_is_left_out(read: Read) -> None:
    pdf = Paper()
    pdf.title_block()
    with pdf.rotation(90, 8, 120):
        pdf.text(8, 120, "arXiv:2601.01234v1 [cond-mat.mtrl-sci] 3 Feb 2026")
    pdf.heading("Introduction")
    pdf.lines(5, FIRST)
    assert intro(read(pdf)) == [FIRST]


# ---------------------------------------------------------------- refusals


def reason(outcome: SourceDocument | SourceFailure) -> str:
    assert isinstance(outcome, SourceFailure)
    return outcome.reason


def test_no_text_layer(read: Read) -> None:
    pdf = FPDF()
    pdf.add_page()
    pdf.set_fill_color(200, 200, 200)
    pdf.rect(20, 20, 150, 200, style="F")
    assert "no text layer" in reason(read(pdf))


def test_locked(read: Read) -> None:
    pdf = Paper()
    pdf.title_block()
    pdf.set_encryption(owner_password="owner", user_password="user")
    assert "locked with a password" in reason(read(pdf))


@pytest.mark.parametrize("content", [b"<html>404 Not Found</html>", b"%PDF-1.7\nbroken", b"%PDF-1.4\n%%EOF"])
def test_no_pdf(read: Read, content: bytes) -> None:
    assert "again" in reason(read(content))
