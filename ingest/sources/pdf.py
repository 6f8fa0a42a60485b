"""PDF files with a text layer, through PDFium."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from statistics import median
from threading import Lock

import pypdfium2 as pdfium

from domain.formulas import citations_apart
from errors import InputError
from ingest.sources.assemble import assemble, is_caption, is_known_heading
from ingest.sources.draft import Draft, Raw
from ingest.sources.furniture import is_furniture
from ingest.sources.joining import Vocabulary, join_lines
from ingest.sources.notices import read_notices
from ingest.sources.pdf_lines import Line, page_lines
from ingest.sources.plain_text import edge_key
from ingest.text.headings import split_number

_MOST_PAGES = 60  # an introduction is over long before
_EDGE = 0.12  # share of the page's height in which heads and feet are looked for
_PDFIUM = Lock()  # PDFium may be used by one thread at a time

_NO_TEXT = (
    "It has no text layer (the pages are pictures); run character recognition on it, for example "
    "with OCRmyPDF, and try again."
)


def read_pdf(content: bytes) -> Draft:
    """Blocks and metadata of a PDF.

    Raises:
        InputError: it is no PDF, is damaged or locked, or has no text layer.
    """
    if b"%PDF-" not in content[:1024]:
        raise InputError("It is named as a PDF and is none; fetch or export it again.")
    with _PDFIUM:
        pages, heights, warnings = _read_pages(content)
    draft = Draft(warnings=warnings)
    read_notices([line.text for line in pages[0]] if pages else [], draft)
    kept = _without_edges(pages, heights)
    return assemble(_raws(kept, heights), draft, marked=False)


def _read_pages(content: bytes) -> tuple[list[list[Line]], list[float], list[str]]:
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            raise InputError("It is locked with a password; save it without one and try again.") from error
        raise InputError("It is a damaged PDF; fetch or export it again.") from error
    warnings: list[str] = []
    pages: list[list[Line]] = []
    heights: list[float] = []
    try:
        count = len(document)
        if count > _MOST_PAGES:
            warnings.append(f"Of its {count} pages the first {_MOST_PAGES} were read.")
        for index in range(min(count, _MOST_PAGES)):
            page = document[index]
            pages.append(page_lines(page, index + 1))
            heights.append(page.get_height())
            page.close()
    except pdfium.PdfiumError as error:
        raise InputError(f"Page {len(pages) + 1} of the PDF is damaged; fetch or export it again.") from error
    finally:
        document.close()
    _check_text_layer(pages, warnings)
    return pages, heights, warnings


def _check_text_layer(pages: Sequence[Sequence[Line]], warnings: list[str]) -> None:
    letters = [sum(len(line.text) for line in lines) for lines in pages]
    if sum(letters) < 40 * max(len(pages), 1):
        raise InputError(_NO_TEXT)
    empty = [str(number) for number, count in enumerate(letters, start=1) if count == 0]
    if empty:
        warnings.append(f"No text layer on page {', '.join(empty)}.")
    text = "".join(line.text for lines in pages for line in lines)
    unreadable = sum(1 for character in text if character == "\ufffd" or "\ue000" <= character <= "\uf8ff")
    if unreadable > 0.2 * len(text):
        raise InputError(
            "The letters of its text layer cannot be told (fonts without a Unicode map); run OCR on it."
        )
    if unreadable > 0.01 * len(text):
        warnings.append("Some letters of its text layer cannot be told.")


# ---------------------------------------------------------------- heads and feet


def _without_edges(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> list[list[Line]]:
    """Pages without running heads, feet and page numbers.

    A line near the upper or lower edge is one if it comes back on another page, is furniture, is
    set smaller than the text, or stands in one row with a page number.
    """
    body = _body_size([line for lines in pages for line in lines])
    repeated: Counter[str] = Counter()
    for lines, height in zip(pages, heights, strict=True):
        repeated.update({edge_key(line.text) for line in lines if _at_edge(line, height)})

    def is_kept(line: Line, numbered: set[int], height: float) -> bool:
        if not _at_edge(line, height) or (line.page == 1 and line.size > 1.12 * body):
            return True  # the title may stand high, and be the running head of later pages
        small = line.size < 0.9 * body
        return not (
            small or repeated[edge_key(line.text)] > 1 or is_furniture(line.text) or round(line.y) in numbered
        )

    kept = []
    for lines, height in zip(pages, heights, strict=True):
        numbered = {round(line.y) for line in lines if _at_edge(line, height) and line.text.isdigit()}
        kept.append([line for line in lines if is_kept(line, numbered, height)])
    return kept


def _at_edge(line: Line, height: float) -> bool:
    return line.y > height * (1 - _EDGE) or line.y < height * _EDGE


# ---------------------------------------------------------------- paragraphs


def _raws(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> list[Raw]:
    lines = [line for page in pages for line in page]
    body = _body_size(lines)
    groups = _group(lines)
    title = _title(groups, body, heights[0] if heights else 0.0)
    vocabulary = Vocabulary.of(line.text for line in lines)
    raws = []
    for group in groups:
        text = citations_apart(join_lines([line.text for line in group], vocabulary))
        first = group[0]
        if group is title:
            raws.append(Raw(text, page=first.page, kind="title"))
        elif _is_heading(group, text, body):
            raws.append(Raw(text, level=split_number(text)[0].count(".") + 1, page=first.page))
        else:
            raws.append(Raw(text, page=first.page))
    return raws


def _body_size(lines: Sequence[Line]) -> float:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


class _Layout:
    """How the paragraphs of a document are set."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.edges = _column_edges(lines)
        self.leading = _leading(lines)
        indents = [
            other
            for one, other in itertools.pairwise(lines)
            if self.is_indented(other) and not self.is_indented(one) and abs(one.size - other.size) < 0.3
        ]
        # bare indents, as many as a text with indented paragraphs has at the least
        self.has_indents = len(indents) >= max(2, len(lines) / 60)

    def is_indented(self, line: Line) -> bool:
        left = self.edges[line.page, line.column][0]
        return 0.7 * line.size < line.left - left < 4 * line.size

    def parts(self, group: Sequence[Line], line: Line) -> bool:
        """Whether a line begins a paragraph of its own after the lines of `group`."""
        last = group[-1]
        if abs(last.size - line.size) > 0.08 * last.size or last.bold != line.bold:
            return True
        if (last.page, last.column) != (line.page, line.column):
            return self.is_indented(line) if self.has_indents and len(group) > 1 else True
        step = last.y - line.y
        if abs(step) < 0.5 * line.size:  # the same row, cut at a wide gap
            return False
        if step > 1.3 * self.leading * line.size or step < 0 or is_caption(line.text):
            return True
        return self._begins(line, group)

    def _begins(self, line: Line, group: Sequence[Line]) -> bool:
        """Whether a line right below the last of `group` begins a paragraph."""
        last = group[-1]
        short = self._leaves_room(last, line)
        if is_known_heading(line.text) or (is_known_heading(last.text) and len(group) == 1):
            return short or line.bold
        if self.has_indents:
            return self.is_indented(line) and not (self.is_indented(last) and len(group) > 1)
        return short and bool(re.search(r"[.!?][\"”’)\]\d⁰¹²³⁴-⁹,–]*$", last.text))

    def _leaves_room(self, last: Line, line: Line) -> bool:
        """Whether the first word of a line would have fitted on the line before, with some to spare."""
        left, right = self.edges[last.page, last.column]
        word = (line.right - line.left) * (len(line.text.split()[0]) + 1) / len(line.text)
        return last.right + word < right - 0.06 * (right - left)


def _group(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines by paragraph."""
    layout = _Layout(lines)
    groups: list[list[Line]] = []
    for line in lines:
        if groups and not layout.parts(groups[-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _column_edges(lines: Sequence[Line]) -> dict[tuple[int, int], tuple[float, float]]:
    """Left and right edge of each column of each page, where most of its lines begin and the widest end."""
    columns: dict[tuple[int, int], list[Line]] = {}
    for line in lines:
        columns.setdefault((line.page, line.column), []).append(line)
    edges = {}
    for key, members in columns.items():
        starts = Counter(round(line.left) for line in members)
        edges[key] = (float(starts.most_common(1)[0][0]), max(line.right for line in members))
    return edges


def _leading(lines: Sequence[Line]) -> float:
    """The usual distance between two lines of a paragraph, in font sizes."""
    steps = [
        (one.y - other.y) / one.size
        for one, other in itertools.pairwise(lines)
        if (one.page, one.column) == (other.page, other.column)
        and abs(one.size - other.size) < 0.3
        and 0.8 * one.size < one.y - other.y < 2.6 * one.size
    ]
    return median(steps) if steps else 1.2


def _title(groups: Sequence[Sequence[Line]], body: float, height: float) -> Sequence[Line] | None:
    """The paragraph in the largest letters of the first page's upper part; else its first short one."""
    first = [
        group
        for group in groups
        if group[0].page == 1 and not is_furniture(" ".join(line.text for line in group))
    ]
    large = [
        group
        for group in first
        if group[0].size > 1.12 * body
        and group[0].y > 0.35 * height
        and sum(len(line.text.split()) for line in group) >= 3
        and not is_known_heading(group[0].text)
    ]
    if large:
        return max(large, key=lambda group: (round(group[0].size, 1), group[0].y))
    if first and len(first[0]) <= 4 and not is_known_heading(first[0][0].text):
        return first[0]
    return None


def _is_heading(group: Sequence[Line], text: str, body: float) -> bool:
    """Few words, no stop at the end, and bold, larger, in capitals or known as a heading."""
    if len(group) > 3 or len(text.split()) > 15:
        return False
    if is_known_heading(text):
        return True
    if re.search(r"[.,;:!]$", text) or not any(character.isalpha() for character in text):
        return False
    letters = [character for character in text if character.isalpha()]
    capitals = len(letters) > 8 and all(map(str.isupper, letters))
    return group[0].bold or group[0].size > 1.06 * body or capitals
