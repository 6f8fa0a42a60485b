"""Lines of a PDF page in reading order, from the places of its glyphs.

PDFium gives glyphs with their origin and font size, in the order they were drawn. A smaller glyph
above or below the baseline is a super- or subscript and becomes one in Unicode, so that Fe3+ keeps its
charge and a reference number does not become part of a word.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from domain.formulas import subscript, superscript


@dataclass(frozen=True)
class Glyph:
    """A character and its place in points; `y` is that of the baseline it stands on."""

    character: str
    left: float
    right: float
    y: float
    size: float


@dataclass(frozen=True)
class Line:
    """A run of text on one baseline of one column. `column` counts from 0 in reading order of the page."""

    text: str
    left: float
    right: float
    y: float
    size: float
    bold: bool
    page: int
    column: int = 0


class _Run:
    """Glyphs that follow each other on a line."""

    def __init__(self, first: int) -> None:
        self.first = first  # index of the first glyph on the page, to ask for its font
        self.glyphs: list[Glyph] = []
        self.size = 0.0  # of the largest glyph
        self.is_number = True

    @property
    def last(self) -> Glyph:
        return self.glyphs[-1]

    def add(self, glyph: Glyph) -> None:
        self.glyphs.append(glyph)
        self.size = max(self.size, glyph.size)
        self.is_number = self.is_number and glyph.character.isdigit()


# Greek and signs of the Symbol font, which PDFs without a Unicode map put into the private area.
_SYMBOL = dict(zip(range(0xF061, 0xF07B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)) | {
    0xF044: "Δ",
    0xF057: "Ω",
    0xF053: "Σ",
    0xF046: "Φ",
    0xF02B: "+",
    0xF02D: "−",
    0xF0B0: "°",
    0xF0B1: "±",
    0xF0B4: "×",
    0xF0B7: "·",
    0xF0AE: "→",
    0xF0A3: "≤",
    0xF0B3: "≥",
    0xF0BB: "≈",
    0xF07E: "∼",
}


def page_lines(page: pdfium.PdfPage, number: int) -> list[Line]:
    """Lines of the page in reading order: down the page, the left column before the right."""
    text_page = page.get_textpage()
    try:
        runs = _runs(text_page, list(_glyphs(text_page)))
        lines = [line for run in runs if (line := _line(text_page, run, number))]
    finally:
        text_page.close()
    return _in_order(_without_line_numbers(lines), page.get_width())


def _glyphs(text_page: pdfium.PdfTextPage) -> Iterator[tuple[int, Glyph]]:
    x, y = ctypes.c_double(), ctypes.c_double()
    box = pdfium_c.FS_RECTF()
    for index in range(text_page.count_chars()):
        code = pdfium_c.FPDFText_GetUnicode(text_page, index)
        if code in (0, 10, 13, 0xFFFE, 0xFFFF):
            continue
        character = "-" if code == 2 else _SYMBOL.get(code) or chr(code)  # 2: a hyphen at the end of a line
        pdfium_c.FPDFText_GetCharOrigin(text_page, index, x, y)
        pdfium_c.FPDFText_GetLooseCharBox(text_page, index, box)
        size = pdfium_c.FPDFText_GetFontSize(text_page, index)
        if size <= 1:  # the scale is in the matrix: the height of the box says how large it looks
            size = abs(box.top - box.bottom) * 0.8
        yield index, Glyph(character, box.left, box.right, y.value, size)


def _runs(text_page: pdfium.PdfTextPage, glyphs: Sequence[tuple[int, Glyph]]) -> list[_Run]:
    gutter = find_gutter([glyph for _, glyph in glyphs if glyph.character.strip()])
    runs: list[_Run] = []
    pending = False  # a blank between the last glyph and the next
    for index, glyph in glyphs:
        if not glyph.character.strip():
            pending = True
            continue
        run = runs[-1] if runs else None
        if run is None or _breaks(run, glyph, gutter):
            if _is_rotated(text_page, index):
                continue
            run = _Run(first=index)
            runs.append(run)
        elif pending and _is_blank(run.last, glyph):
            run.add(Glyph(" ", run.last.right, glyph.left, run.last.y, run.last.size))
        run.add(glyph)
        pending = False
    return runs


def _breaks(run: _Run, glyph: Glyph, gutter: float | None) -> bool:
    """Whether a glyph begins another line, column or cell."""
    last, size = run.last, max(run.size, glyph.size)
    gap = glyph.left - last.right
    if abs(glyph.y - last.y) > 0.62 * size or gap < -1.5 * size or gap > 2.5 * size:
        return True
    if gutter is not None and last.right <= gutter + 1 and glyph.left >= gutter - 1 and gap > 0.7 * size:
        return True
    return run.is_number and gap > 0.8 * size  # a line number


def _is_blank(last: Glyph, glyph: Glyph) -> bool:
    """Whether a blank is one; PDFium sets one between a letter and its script where there is none."""
    scripted = min(last.size, glyph.size) < 0.85 * max(last.size, glyph.size)
    return not (scripted and glyph.left - last.right < 0.12 * max(last.size, glyph.size))


def _is_rotated(text_page: pdfium.PdfTextPage, index: int) -> bool:
    """Text up the margin, such as a preprint server's stamp."""
    angle = float(pdfium_c.FPDFText_GetCharAngle(text_page, index))
    return 0.2 < angle < 6.08


def find_gutter(glyphs: Sequence[Glyph]) -> float | None:
    """Where the blank strip between two columns is, or None for one column.

    The strip is looked for in the middle third of the text: hardly any line crosses it, and many
    lines have text on both sides of it.
    """
    if len(glyphs) < 200:
        return None
    left, right = min(glyph.left for glyph in glyphs), max(glyph.right for glyph in glyphs)
    width = right - left
    rows = [_spans(row) for row in _rows(glyphs).values()]
    best: tuple[int, float] | None = None
    for step in range(34, 67):
        x = left + width * step / 100
        crossed = sum(1 for row in rows if _covers(row, x))
        both = sum(1 for row in rows if row[0][0] < x < row[-1][1] and not _covers(row, x))
        # lines of prose cross any x but for the few where a blank happens to stand there
        if both >= 6 and both > 2 * crossed and (best is None or both - crossed > best[0]):
            best = (both - crossed, x)
    return best[1] if best else None


def _covers(row: Sequence[tuple[float, float]], x: float) -> bool:
    return any(start - 3 < x < end + 3 for start, end in row)


def _rows(glyphs: Sequence[Glyph]) -> dict[int, list[Glyph]]:
    rows: dict[int, list[Glyph]] = {}
    for glyph in glyphs:
        rows.setdefault(round(glyph.y / 3), []).append(glyph)
    return rows


def _spans(row: Sequence[Glyph]) -> list[tuple[float, float]]:
    """The stretches of a row that have text, parted by blanks of more than six points."""
    spans: list[tuple[float, float]] = []
    for glyph in sorted(row, key=lambda glyph: glyph.left):
        if spans and glyph.left - spans[-1][1] <= 6:
            spans[-1] = (spans[-1][0], max(spans[-1][1], glyph.right))
        else:
            spans.append((glyph.left, glyph.right))
    return spans


def _line(text_page: pdfium.PdfTextPage, run: _Run, number: int) -> Line | None:
    weights: Counter[float] = Counter()
    for glyph in run.glyphs:
        weights[round(glyph.size, 1)] += 1
    main = max(weights, key=lambda size: (weights[size] >= 0.3 * len(run.glyphs), size))
    baseline = median(glyph.y for glyph in run.glyphs if abs(glyph.size - main) < 0.06)
    text = "".join(_scripts(run.glyphs, main, baseline)).strip()
    if not text:
        return None
    left, right = min(glyph.left for glyph in run.glyphs), max(glyph.right for glyph in run.glyphs)
    return Line(text, left, right, baseline, main, _is_bold(text_page, run.first), number)


def _scripts(glyphs: Sequence[Glyph], main: float, baseline: float) -> Iterator[str]:
    """The text, raised and lowered runs as Unicode scripts."""
    group, place = "", 0

    def render() -> str:
        return superscript(group) if place > 0 else subscript(group) if place < 0 else group

    for glyph in glyphs:
        shift = (glyph.y - baseline) / main
        small = glyph.size < 0.87 * main
        here = (1 if shift > 0.15 else -1 if shift < -0.04 else 0) if small else 0
        if here != place:
            yield render()
            group, place = "", here
        group += glyph.character
    yield render()


def _is_bold(text_page: pdfium.PdfTextPage, index: int) -> bool:
    flags = ctypes.c_int()
    length = pdfium_c.FPDFText_GetFontInfo(text_page, index, None, 0, flags)
    buffer = ctypes.create_string_buffer(max(int(length), 1))
    pdfium_c.FPDFText_GetFontInfo(text_page, index, buffer, length, flags)
    name = buffer.value.decode("utf-8", "replace").lower()
    return "bold" in name or "black" in name or "heavy" in name or name.endswith((".b", "-bd"))


def _without_line_numbers(lines: list[Line]) -> list[Line]:
    """Lines without the numbers in the margin of a manuscript: bare, in one column, counting up."""
    numbers = [line for line in lines if line.text.isdigit() and len(line.text) <= 4]
    for edge in ("left", "right"):
        places = Counter(round(getattr(line, edge) / 4) for line in numbers)
        if not places:
            continue
        place, count = places.most_common(1)[0]
        column = [line for line in numbers if abs(round(getattr(line, edge) / 4) - place) <= 1]
        values = [int(line.text) for line in sorted(column, key=lambda line: -line.y)]
        if count >= 5 and values == sorted(values):
            return [line for line in lines if line not in column]
    return lines


def _in_order(lines: list[Line], width: float) -> list[Line]:
    """Down the page; where lines stand side by side, the left column of a band before the right."""
    gutter = _line_gutter(lines, width)
    rows = sorted(lines, key=lambda line: (-round(line.y / 3), line.left))
    if gutter is None:
        return rows
    ordered: list[Line] = []
    band: tuple[list[Line], list[Line]] = ([], [])
    column = 0

    def flush() -> None:
        nonlocal band, column
        for side in band:
            if side:
                ordered.extend(_in_column(side, column))
                column += 1
        band = ([], [])

    for line in rows:
        if line.left < gutter < line.right:
            flush()
            ordered.extend(_in_column([line], column))
        else:
            band[0 if line.right <= gutter else 1].append(line)
    flush()
    return ordered


def _in_column(lines: Sequence[Line], column: int) -> list[Line]:
    return [
        Line(line.text, line.left, line.right, line.y, line.size, line.bold, line.page, column)
        for line in lines
    ]


def _line_gutter(lines: Sequence[Line], width: float) -> float | None:
    """The middle between two columns of lines, if there are two."""
    middle = width / 2
    left = [line for line in lines if line.right < middle + 0.06 * width and len(line.text) > 15]
    right = [line for line in lines if line.left > middle - 0.06 * width and len(line.text) > 15]
    crossing = [
        line for line in lines if line.left < middle - 0.1 * width and line.right > middle + 0.1 * width
    ]
    if min(len(left), len(right)) < 5 or len(crossing) > len(left) + len(right):
        return None
    return (median(line.right for line in left) + median(line.left for line in right)) / 2
