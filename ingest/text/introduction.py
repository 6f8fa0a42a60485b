"""The introduction of a paper: the text that knowledge is taken from (chemistry paper, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from errors import InputError
from ingest.models import Block, SourceDocument
from ingest.text.chunks import count_words, cut_paragraph
from ingest.text.headings import is_abstract, is_back, is_background, is_front, is_introduction, split_number
from ingest.text.similarity import same_text


def introduction(document: SourceDocument, words: int = 500) -> tuple[Block, ...]:
    """Whole paragraphs of the introduction, as many as fit into `words` words.

    Found by its heading ("1 | INTRODUCTION", "I. Introduction and background"), subsections
    included; in a paper without that heading (a letter) it is the text after the abstract up to
    the next section heading, or else the first section that is not methods, results or the like.
    A paragraph that repeats the abstract is never part of it. A first paragraph longer than
    `words` is cut at a sentence.

    Raises:
        InputError: there is no introduction; the message says what was found instead.
    """
    blocks = document.blocks
    abstracts = [block.text for block in blocks if block.kind == "abstract"][:8]
    for start in _starts(blocks):
        paragraphs = [
            block
            for block in _section(blocks, start)
            if not any(same_text(block.text, abstract) for abstract in abstracts)
        ]
        if paragraphs:
            return _fit(paragraphs, words)
    raise InputError(_reason(blocks))


def _starts(blocks: Sequence[Block]) -> list[int]:
    """Indices of blocks before which an introduction may begin, the likeliest first."""
    headings = [index for index, block in enumerate(blocks) if block.kind == "heading"]
    named = [index for index in headings if is_introduction(blocks[index].text)]
    background = [index for index in headings if is_background(blocks[index].text)]
    abstracts = [index for index, block in enumerate(blocks) if block.kind == "abstract"]
    after_abstract = abstracts[-1] if abstracts else -1
    first = next(
        (
            index
            for index in headings
            if index > after_abstract and not is_front(blocks[index].text) and not is_back(blocks[index].text)
        ),
        None,
    )
    return [*named, *background, after_abstract, *([] if first is None else [first])]


def _section(blocks: Sequence[Block], start: int) -> list[Block]:
    """Paragraphs after the block at `start` (-1: from the beginning) up to the next section."""
    opening = blocks[start] if start >= 0 and blocks[start].kind == "heading" else None
    paragraphs: list[Block] = []
    for block in blocks[start + 1 :]:
        if block.kind == "paragraph":
            paragraphs.append(block)
        elif block.kind == "reference" or (
            block.kind == "heading" and not _continues(opening, block, begun=bool(paragraphs))
        ):
            break
    return paragraphs


def _continues(opening: Block | None, heading: Block, *, begun: bool) -> bool:
    """Whether the section goes on after this heading: a subsection, or front matter before any text."""
    if opening is None:
        return is_front(heading.text) and not begun
    number, inner = split_number(opening.text)[0], split_number(heading.text)[0]
    if number and inner.startswith(number + "."):
        return True
    return heading.level > opening.level > 0 and not is_back(heading.text) and not is_abstract(heading.text)


def _fit(paragraphs: Sequence[Block], words: int) -> tuple[Block, ...]:
    taken: list[Block] = []
    total = 0
    for block in paragraphs:
        length = count_words(block.text)
        if total + length > words:
            break
        taken.append(block)
        total += length
    if not taken:
        first = paragraphs[0]
        taken.append(first.model_copy(update={"text": cut_paragraph(first.text, words)[0]}))
    return tuple(taken)


def _reason(blocks: Sequence[Block]) -> str:
    headings = [block.text for block in blocks if block.kind == "heading" and not is_front(block.text)]
    if not any(block.kind in ("paragraph", "abstract") for block in blocks):
        return "There is no paragraph of text in it, so there is no introduction to take."
    if not any(block.kind == "paragraph" for block in blocks):
        return "It has an abstract but no text after it, so there is no introduction to take."
    first = f"; its first section is “{headings[0]}”" if headings else ""
    return (
        "No introduction was found: no heading names one, and no text stands between the abstract and "
        f"the first section{first}. Add a heading “Introduction” above the paragraphs to read."
    )
