"""The source format of the bundled papers, and its inline marks.

A source has a header of `key: value` lines, a blank line, then sections that start with `[Heading]`
on a line of its own; `[abstract]` and `[introduction]` are special. Paragraphs are separated by a
blank line. Inline marks: `{Fe2O3}`, `{Ca^2+}` for formulas, `[1,2]` for citations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

SOURCE = Path(__file__).resolve().parent / "source"

Role = Literal["text", "sub", "sup", "cite", "formula"]
TOKEN = re.compile(r"\{(?P<formula>[^{}]+)\}| ?\[(?P<cite>\d+(?:[,-]\d+)*)\](?P<stop>[.,;]?)")
SUBSCRIPTS = str.maketrans("0123456789+-.", "₀₁₂₃₄₅₆₇₈₉₊₋.")
SUPERSCRIPTS = str.maketrans("0123456789+-,", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻˒")


@dataclass(frozen=True)
class Token:
    """A run of a paragraph. Of a citation `text` holds the numbers, `stop` the mark behind it."""

    role: Role
    text: str
    stop: str = ""


@dataclass(frozen=True)
class Section:
    """A heading (as printed, without number) and its paragraphs, in source markup."""

    heading: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Paper:
    """One source, parsed. `meta` keeps every header line."""

    id: str
    meta: dict[str, str]
    sections: tuple[Section, ...]
    references: tuple[str, ...] = field(default=())

    @property
    def title(self) -> str:
        return self.meta["title"]

    @property
    def doi(self) -> str:
        return f"10.26434/chemrxiv-2026-smpl{self.id}"

    @property
    def versioned_doi(self) -> str:
        return f"{self.doi}-v{self.version}"

    @property
    def version(self) -> str:
        return self.meta.get("version", "1")

    @property
    def authors(self) -> list[tuple[str, str]]:
        """Pairs of name and affiliation numbers ("1,2")."""
        pairs = []
        for part in self.meta["authors"].split(";"):
            name, _, marks = part.strip().partition(" (")
            pairs.append((name, marks.rstrip(")")))
        return pairs

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.authors]

    @property
    def affiliations(self) -> list[str]:
        return [part.strip() for part in self.meta["affiliations"].split(";")]

    @property
    def abstract(self) -> tuple[str, ...]:
        return self.section("abstract").paragraphs

    @property
    def introduction(self) -> tuple[str, ...]:
        return self.section("introduction").paragraphs

    @property
    def heading(self) -> str | None:
        """The printed heading of the introduction; None where the paper has none."""
        printed = self.meta.get("heading", "Introduction")
        return None if printed == "none" else printed

    @property
    def rest(self) -> tuple[Section, ...]:
        return tuple(s for s in self.sections if s.heading not in ("abstract", "introduction"))

    def section(self, heading: str) -> Section:
        return next(s for s in self.sections if s.heading == heading)


def parse(path: Path, library: dict[str, str]) -> Paper:
    """Read one source file; `library` gives the printed reference of each key in `refs:`."""
    head, _, body = path.read_text(encoding="utf-8").partition("\n\n")
    meta = {}
    for line in head.splitlines():
        key, _, value = line.partition(": ")
        meta[key.strip()] = value.strip()
    sections = []
    for part in re.split(r"(?m)^\[(?=[A-Za-z])", "\n" + body)[1:]:
        heading, _, text = part.partition("]\n")
        paragraphs = tuple(" ".join(p.split()) for p in text.split("\n\n") if p.strip())
        sections.append(Section(heading, paragraphs))
    references = tuple(library[key.strip()] for key in meta["refs"].split(","))
    return Paper(path.stem, meta, tuple(sections), references)


def library() -> dict[str, str]:
    """The references that the papers cite, by key (source/references.tsv)."""
    lines = (SOURCE / "references.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines if line)


def papers() -> list[Paper]:
    """All sources, ordered by their number."""
    books = library()
    return [parse(path, books) for path in sorted(SOURCE.glob("[0-9]*.txt"))]


def tokens(paragraph: str) -> Iterator[Token]:
    """Split a paragraph into runs of text, formulas and citations."""
    at = 0
    for match in TOKEN.finditer(paragraph):
        if match.start() > at:
            yield Token("text", paragraph[at : match.start()])
        if match["formula"]:
            yield Token("formula", match["formula"])
        else:
            yield Token("cite", match["cite"], match["stop"])
        at = match.end()
    if at < len(paragraph):
        yield Token("text", paragraph[at:])


def formula_runs(formula: str) -> list[Token]:
    """`Fe2O3` -> text, sub, text, sub; a part behind `^` is superscript; digits after `·` stay."""
    body, _, charge = formula.partition("^")
    runs = []
    for match in re.finditer(r"(?<=[A-Za-z)\]])[\d.]+(?![\d.])|.+?(?=(?<=[A-Za-z)\]])[\d.]|$)", body):
        text = match.group()
        runs.append(Token("sub" if text[0].isdigit() and match.start() else "text", text))
    if charge:
        runs.append(Token("sup", charge))
    return runs


def plain(paragraph: str) -> str:
    """ASCII formulas, no citations: the form in which facts.tsv quotes sentences."""
    parts = []
    for token in tokens(paragraph):
        parts.append(token.stop if token.role == "cite" else token.text.replace("^", ""))
    return "".join(parts)


def unicode_formula(formula: str) -> str:
    return "".join(
        run.text.translate(SUBSCRIPTS if run.role == "sub" else SUPERSCRIPTS)
        if run.role != "text"
        else run.text
        for run in formula_runs(formula)
    )


def latex_formula(formula: str) -> str:
    """In the two styles authors use: `$\\mathrm{Fe_2O_3}$`."""
    out = ""
    for run in formula_runs(formula):
        mark = {"sub": "_", "sup": "^"}.get(run.role, "")
        text = run.text if len(run.text) == 1 or not mark else "{" + run.text + "}"
        out += mark + text
    return "$\\mathrm{" + out + "}$"


def tagged_formula(formula: str) -> str:
    """With <sub> and <sup>, as HTML and JATS have it."""
    out = ""
    for run in formula_runs(formula):
        out += run.text if run.role == "text" else f"<{run.role}>{run.text}</{run.role}>"
    return out
