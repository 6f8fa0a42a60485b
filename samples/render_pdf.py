"""The bundled papers as PDF: one or two columns, running heads, page numbers, preprint footers.

Lines are set by hand, so that sub- and superscripts are real (smaller, shifted) glyphs of ASCII
digits and long words are hyphenated at line ends, as they are in the PDFs people have. Papers with
`font: unicode` are set in DejaVu Serif and print formulas with Unicode subscripts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF

from samples.markup import Paper, formula_runs, tokens, unicode_formula
from samples.render_text import FOOTER, headed

# Debian's fonts-dejavu-core and Fedora's dejavu-serif-fonts; needed at build time only.
FONT_FOLDERS = (Path("/usr/share/fonts/truetype/dejavu"), Path("/usr/share/fonts/dejavu-serif-fonts"))
POINT = 0.3528  # mm
BREAK = re.compile(r"(?<=[aeiouy])(?=[bcdfghjklmnpqrstvwxz][aeiouy])")


@dataclass(frozen=True)
class Run:
    """A piece of a word: its text, and how far it is shifted ("", "sub", "sup")."""

    text: str
    shift: str = ""


Word = list[Run]


def font_folder() -> Path | None:
    """Where DejaVu Serif is, if it is here."""
    return next((folder for folder in FONT_FOLDERS if (folder / "DejaVuSerif.ttf").exists()), None)


def split_words(paper: Paper, paragraph: str) -> list[Word]:
    """Words as lists of runs; spaces are between the words."""
    superscript = paper.meta.get("cite") == "super"
    unicode = paper.meta.get("font") == "unicode"
    runs: list[Run] = []
    for token in tokens(paragraph):
        if token.role == "formula":
            if unicode:
                runs.append(Run(unicode_formula(token.text)))
            else:
                runs += [Run(r.text, "" if r.role == "text" else r.role) for r in formula_runs(token.text)]
        elif token.role == "cite":
            if superscript:
                runs += [Run(token.stop), Run(token.text, "sup")]
            else:
                runs.append(Run(f" [{token.text}]{token.stop}"))
        else:
            runs.append(Run(token.text))
    words: list[Word] = [[]]
    for run in runs:
        for ordinal, piece in enumerate(run.text.split(" ")):
            if ordinal:
                words.append([])
            if piece:
                words[-1].append(Run(piece, run.shift))
    return [word for word in words if word]


class Sheet(FPDF):
    """A preprint page: columns, running head, page number and footer."""

    def __init__(self, paper: Paper) -> None:
        super().__init__(format=(148, 210))  # small, so that introductions run over a page
        self.paper = paper
        self.columns = int(paper.meta.get("columns", "1"))
        self.size = 9.0 if self.columns == 2 else 10.0
        self.gap = 6.0
        self.left, self.top, self.bottom = 14.0, 20.0, 192.0
        self.column = 0
        self.below = self.top  # where the columns of this page start
        self.at = self.top
        self.set_auto_page_break(False)
        self.set_margin(0)
        day = datetime.strptime(paper.meta["date"], "%Y-%m-%d").replace(tzinfo=UTC)
        self.set_creation_date(day)
        self.set_title(paper.title)
        self.set_author("; ".join(paper.names))
        self.set_producer("samples.build")
        self.set_compression(False)  # bytes must not depend on the version of zlib
        folder = font_folder()
        if paper.meta.get("font") == "unicode":
            if folder is None:
                raise FileNotFoundError("DejaVuSerif.ttf not found (Debian: fonts-dejavu-core)")
            self.family = "DejaVu"
            self.add_font("DejaVu", "", folder / "DejaVuSerif.ttf")
            self.add_font("DejaVu", "B", folder / "DejaVuSerif-Bold.ttf")
        else:
            self.family = "Times"
            self.core_fonts_encoding = "windows-1252"

    @property
    def wide(self) -> float:
        """Width of the page between its margins, mm."""
        return float(self.w - 2 * self.left)

    @property
    def width(self) -> float:
        """Width of one column, mm."""
        return (self.wide - self.gap * (self.columns - 1)) / self.columns

    @property
    def x0(self) -> float:
        return self.left + self.column * (self.width + self.gap)

    def face(self, style: str = "", size: float | None = None) -> None:
        self.set_font(self.family, style, size or self.size)

    def start_page(self) -> None:
        """A new page with its running head."""
        if self.page_no():
            self.finish_page()
        self.add_page()
        if self.page_no() > 1:
            self.face("", 7)
            self.text(self.left, 12, self.paper.meta["short"])
            self.text(self.w - self.left - 4, 12, str(self.page_no()))
        self.column, self.below, self.at = 0, self.top, self.top

    def finish_page(self) -> None:
        """The preprint footer and the page number, in the style of the paper (`folio:`)."""
        self.face("", 7)
        self.text(self.left, 198, f"https://doi.org/{self.paper.versioned_doi}")
        self.text(self.left, 201.5, FOOTER)
        page = self.page_no()
        styles = {"words": f"Page {page}", "dash": f"- {page} -"}
        self.text(self.w / 2 - 3, 205, styles.get(self.paper.meta.get("folio", ""), str(page)))

    def room(self, height: float) -> None:
        """Go to the next column or page where `height` mm do not fit."""
        if self.at + height <= self.bottom:
            return
        if self.column + 1 < self.columns:
            self.column += 1
            self.at = self.below
        else:
            self.start_page()

    def measure(self, run: Run) -> float:
        self.face("", self.size * (0.68 if run.shift else 1.0))
        return float(self.get_string_width(run.text))

    def hyphenated(self, word: Word, room: float) -> tuple[Word, Word] | None:
        """Break a word so that its head and a hyphen fit into `room` mm."""
        if len(word) != 1 or word[0].shift:
            return None
        text = word[0].text
        letters = text.rstrip(".,;)")
        if "-" in letters and letters.replace("-", "").isalpha() and letters.islower():
            places = [m.end() for m in re.finditer("-", letters)]
            hyphen = ""
        elif letters.isalpha() and letters.islower() and len(letters) >= 8:
            places = [m.start() for m in BREAK.finditer(letters) if 3 <= m.start() <= len(letters) - 4]
            hyphen = "-"
        else:
            return None
        for place in reversed(places):
            head = text[:place] + hyphen
            if self.measure(Run(head)) <= room:
                return [Run(head)], [Run(text[place:])]
        return None

    def lines(self, words: list[Word], width: float, indent: float) -> list[list[Word]]:
        """Break words into lines, the first one shorter by `indent` mm."""
        space = self.measure(Run(" "))
        out: list[list[Word]] = [[]]
        left = width - indent
        pending = list(words)
        while pending:
            word = pending.pop(0)
            need = sum(self.measure(run) for run in word) + (space if out[-1] else 0.0)
            if need <= left:
                out[-1].append(word)
                left -= need
                continue
            parts = self.hyphenated(word, left - space) if self.paper.meta.get("hyphens") != "no" else None
            if parts:
                out[-1].append(parts[0])
                pending.insert(0, parts[1])
            else:
                pending.insert(0, word)
            out.append([])
            left = width
        return [line for line in out if line]

    def paragraph(self, text: str, *, indent: float = 4.0, skip: float = 0.0) -> None:
        """Set one paragraph into the columns."""
        lead = self.size * POINT * 1.32
        space = self.measure(Run(" "))
        for ordinal, line in enumerate(self.lines(split_words(self.paper, text), self.width, indent)):
            self.room(lead)
            self.at += lead
            x = self.x0 + (indent if ordinal == 0 else 0.0)
            held, held_at = "", x  # text of one size is written in one go, spaces included
            for place, word in enumerate(line):
                if place:
                    held, x = held + " ", x + space
                for run in word:
                    if run.shift:
                        self.face()
                        if held:
                            self.text(held_at, self.at, held)
                        self.face("", self.size * 0.68)
                        rise = 0.7 if run.shift == "sub" else -1.2
                        self.text(x, self.at + rise, run.text)
                        x += self.measure(run)
                        held, held_at = "", x
                    else:
                        held, x = held + run.text, x + self.measure(run)
            self.face()
            if held:
                self.text(held_at, self.at, held)
        self.at += skip

    def heading(self, text: str) -> None:
        self.room(16)
        self.at += 8.5
        self.face("B", self.size + 1)
        self.text(self.x0, self.at, text.upper() if self.paper.meta.get("caps") else text)
        self.at += 1.5

    def wrapped(self, text: str) -> list[str]:
        """Lines of the page's width, in the font that is set."""
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if self.get_string_width(longer) > self.wide:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    def front(self) -> None:
        """Title, authors, affiliations and date, over the whole width."""
        self.face("B", 13)
        for line in self.wrapped(self.paper.title):
            self.text(self.left, self.at, line)
            self.at += 6.2
        self.face("", 9.5)
        self.at += 1
        authors = ", ".join(f"{name} ({mark})" for name, mark in self.paper.authors)
        for line in self.wrapped(authors):
            self.text(self.left, self.at, line)
            self.at += 5
        self.face("", 7.5)
        for ordinal, place in enumerate(self.paper.affiliations, 1):
            self.text(self.left, self.at, f"({ordinal}) {place}")
            self.at += 4.2
        self.text(self.left, self.at, f"Preprint, version {self.paper.version}, {self.paper.meta['date']}")
        self.at += 5
        self.below = self.at


def pdf(paper: Paper) -> bytes:
    """The paper as a PDF; the same bytes for the same source."""
    sheet = Sheet(paper)
    sheet.start_page()
    sheet.front()
    sheet.heading("Abstract")
    for text in paper.abstract:
        sheet.paragraph(text, indent=0)
    for ordinal, (heading, paragraphs) in enumerate(headed(paper)):
        if heading:
            sheet.heading(heading)
        elif ordinal == 0:
            sheet.at += 6
        for text in paragraphs:
            sheet.paragraph(text)
    sheet.heading("References")
    for ordinal, reference in enumerate(paper.references, 1):
        sheet.paragraph(f"({ordinal}) {reference}", indent=0)
    sheet.finish_page()
    return bytes(sheet.output())
