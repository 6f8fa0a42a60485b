"""Paragraphs as a reader found them into the blocks of a document.

Works out which is title, authors, abstract, heading, caption and reference, and leaves out page
furniture, affiliations, and front matter that a preprint server printed a second time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ingest.models import Block, BlockKind
from ingest.sources.draft import Draft, Raw
from ingest.sources.furniture import is_furniture, without_inline_furniture
from ingest.sources.joining import Vocabulary, join_two
from ingest.sources.metadata import parse_authors
from ingest.sources.notices import read_notices
from ingest.text.headings import is_abstract, is_back, is_background, is_front, is_introduction, split_number
from ingest.text.similarity import same_text

_FRONT = 60  # paragraphs in which a paper says what it is

_RUN_IN = re.compile(
    r"\W{0,3}(?:\d{1,2}\.?\s+|I\.\s+)?(?P<head>(?i:abstract|summary|introduction))"
    r"(?:\s*[.:—–|]+[\s*]*|\s+-\s+|\s*\*\*\s*)(?P<rest>(?=[^a-z\s]|[a-z]{1,5}-)\S.{30,})",
    re.DOTALL,
)
_RUN_IN_CAPITALS = re.compile(r"(?P<head>ABSTRACT|INTRODUCTION)\s+(?P<rest>[A-Z][a-z]*\s.{30,})", re.DOTALL)
_CAPTION = re.compile(
    r"(?i:fig(?:ure|\.)?|scheme|table|chart|box|plate)s?\.?\s*S?\d{1,3}[a-z]?"
    r"(?:\s*[.:|–—]|\s+(?=[A-Z(][a-z]*\s))"
)
_TERMINAL = re.compile(r"[.!?:;…][\"”’)\]]*(?:\s?\[[\d,–\-\s]+\]|[⁰¹²³⁴-⁹,–]+|\d{1,3}(?:[,–-]\d{1,3})*)?$")
_EQUATION = re.compile(r".{0,60}[=→⇌↔]")
_FUNCTION_WORD = re.compile(
    r"\b(?:the|of|and|is|are|in|to|has|have|with|for|by|an?|as|we|can|from|on|at|or|but|that|which)$"
)
_COMMON = re.compile(r"\b(?:the|of|and|is|are|was|were|has|have|in|to|with|by|for|we|can)\b")


def is_prose(text: str) -> bool:
    """Whether a paragraph is running text, as no title, list of names or address is."""
    words = text.split()
    if len(words) < 12 or not _TERMINAL.search(text):
        return False
    small = sum(1 for word in words if word[0].islower())
    return small >= 0.4 * len(words) and len(_COMMON.findall(text)) >= 2


def is_known_heading(text: str) -> bool:
    """A heading that a paper can be told by, wherever it stands."""
    tests = (is_introduction, is_background, is_abstract, is_front, is_back)
    return len(text.split()) <= 8 and any(test(text) for test in tests)


def is_caption(text: str) -> bool:
    """Whether the paragraph is the caption of a figure, scheme or table, not a sentence about one."""
    return bool(_CAPTION.match(text.lstrip("*_ ")))


def assemble(raws: Sequence[Raw], draft: Draft | None = None, *, marked: bool = True) -> Draft:
    """Blocks and metadata of the paragraphs, in reading order.

    Args:
        raws: paragraphs with plain Unicode text; formulas are converted already.
        draft: what the reader knows from elsewhere (meta elements, front matter); it wins.
        marked: whether the format marks its headings. Where a reader only guesses them, none is
            believed in the front matter unless its words are those of a heading.
    """
    return _Assembler(raws, draft or Draft(), marked=marked).run()


class _Assembler:
    def __init__(self, raws: Sequence[Raw], draft: Draft, *, marked: bool) -> None:
        self.raws, self.draft, self.marked = raws, draft, marked
        self.vocabulary = Vocabulary.of(raw.text for raw in raws)
        self.has_introduction = any(raw.level and is_introduction(raw.text) for raw in raws)
        self.state = "front"
        self.abstracts: list[str] = []

    def run(self) -> Draft:
        front = [raw.text for raw in self.raws[:_FRONT]]
        read_notices([text for text in front if is_furniture(text) or not is_prose(text)], self.draft)
        for raw in self._prepared():
            if raw.level or raw.kind == "title":
                self._heading(raw)
            else:
                self._paragraph(raw)
        self._unlabelled_abstract()
        return self.draft

    def _prepared(self) -> Iterator[Raw]:
        """Without furniture; "ABSTRACT. The ..." as a heading and a paragraph."""
        for raw in self.raws:
            text = " ".join(without_inline_furniture(raw.text).split())
            if is_furniture(text) and not (raw.level and is_known_heading(text)):
                continue
            run_in = None if raw.level else _RUN_IN.match(text) or _RUN_IN_CAPITALS.match(text)
            if run_in and raw.kind in (None, "paragraph"):
                self.has_introduction |= is_introduction(run_in["head"])
                yield Raw(run_in["head"], level=1, page=raw.page)
                yield Raw(run_in["rest"].lstrip("* "), page=raw.page, kind=raw.kind)
            else:
                yield Raw(text, level=raw.level, page=raw.page, kind=raw.kind)

    def _heading(self, raw: Raw) -> None:
        text = raw.text.strip("*_ ")
        title = self.draft.title
        if raw.kind == "title" or (
            not title and raw.level == 1 and self.marked and not is_known_heading(text)
        ):
            self.draft.title = title or text
            self._add("title", text, raw)
        elif title and same_text(text, title):
            self.state = "front"  # printed a second time, with all that follows it
        elif is_abstract(text) and not any(block.kind == "heading" for block in self.draft.blocks):
            self.state = "abstract"
        elif is_front(text):
            self.state = "front"
        elif self.state == "front" and not self.marked and not is_known_heading(text):
            self._front_line(text)
        else:
            self.state = "references" if split_number(text)[1].casefold().startswith("references") else "body"
            self._add("heading", text, raw)

    def _paragraph(self, raw: Raw) -> None:
        text = raw.text
        if raw.kind in ("caption", "reference") or (raw.kind is None and is_caption(text)):
            self._add("caption" if raw.kind is None else raw.kind, text, raw)
        elif self.state == "references":
            self._add("reference", text, raw)
        elif raw.kind == "abstract" or self.state == "abstract":
            self._add("abstract", text, raw)
            self.abstracts.append(text)
            if not self.has_introduction and raw.kind != "abstract":
                self.state = "body"  # a letter: its text follows without a heading
        elif self.state == "front":
            self._front_paragraph(raw)
        elif self._repeats_abstract(text):
            self._add("abstract", text, raw)
        else:
            self._body(raw)

    def _front_paragraph(self, raw: Raw) -> None:
        """Front matter goes on until a paragraph of running text."""
        if self._repeats_abstract(raw.text):
            self._add("abstract", raw.text, raw)
        elif self.draft.title and same_text(raw.text, self.draft.title):
            return
        elif raw.kind == "paragraph" or is_prose(raw.text):
            self.state = "body"
            self._body(raw)
        else:
            self._front_line(raw.text)

    def _repeats_abstract(self, text: str) -> bool:
        """Whether it is an abstract printed again, which happens on the first pages only."""
        return len(self.draft.blocks) < _FRONT and any(same_text(text, other) for other in self.abstracts[:8])

    def _front_line(self, text: str) -> None:
        if not self.draft.authors and self.draft.title:
            self.draft.authors = parse_authors(text.strip("*_ "))

    def _body(self, raw: Raw) -> None:
        """A paragraph; the second half of one that a page, column, figure or footer cut in two."""
        blocks = self.draft.blocks
        index = len(blocks) - 1
        while index >= 0 and blocks[index].kind == "caption":
            index -= 1
        if index >= 0 and blocks[index].kind == "paragraph" and _goes_on(blocks[index], raw):
            joined = join_two(blocks[index].text, raw.text, self.vocabulary)
            blocks[index] = blocks[index].model_copy(update={"text": joined})
        else:
            self._add("paragraph", raw.text, raw)

    def _add(self, kind: BlockKind, text: str, raw: Raw) -> None:
        self.draft.blocks.append(Block(kind=kind, text=text, level=raw.level, page=raw.page))

    def _unlabelled_abstract(self) -> None:
        """Running text before the heading of the introduction is the abstract, where none is named."""
        blocks = self.draft.blocks
        opening = next(
            (i for i, block in enumerate(blocks) if block.kind == "heading" and is_introduction(block.text)),
            None,
        )
        if opening is None or self.abstracts or any(block.kind == "heading" for block in blocks[:opening]):
            return
        for index in range(opening):
            if blocks[index].kind == "paragraph":
                blocks[index] = blocks[index].model_copy(update={"kind": "abstract"})


def _goes_on(block: Block, raw: Raw) -> bool:
    """Whether the paragraph of `raw` is the rest of the sentence that `block` breaks off in."""
    before, after = block.text, raw.text
    if len(before.split()) < 6 or _TERMINAL.search(before):
        return False
    if after[0].islower() or before[-1] in ",-–(/" or _FUNCTION_WORD.search(before) or _EQUATION.match(after):
        return True
    return block.page is not None and raw.page is not None and raw.page > block.page
