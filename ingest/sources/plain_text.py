"""Plain text: typed by hand, or a PDF put through a text converter (form feeds, running heads)."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence

from domain.formulas import plain_unicode
from ingest.sources.assemble import assemble, is_known_heading
from ingest.sources.decoding import decode
from ingest.sources.draft import Draft, Raw
from ingest.sources.furniture import is_furniture
from ingest.sources.joining import Vocabulary, join_lines
from ingest.text.headings import split_number

_UNDERLINE = re.compile(r"\s*[=\-~_*]{3,}\s*")
_LINE_NUMBER = re.compile(r"^\s{0,4}(\d{1,4})\s{1,6}(?=\S)")


def read_text(content: bytes) -> Draft:
    """Blocks of a text file.

    Paragraphs are parted by blank lines, or, where a file has none, by lines. The first
    paragraph is the title if it is short. Lines that repeat at the edges of pages are dropped.
    """
    text, warnings = decode(content)
    return text_to_draft(text, Draft(warnings=warnings))


def text_to_draft(text: str, draft: Draft) -> Draft:
    """Blocks of text that may hold LaTeX or HTML formulas; used for fields of JSON Lines too."""
    text = plain_unicode(text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4))
    pages = [_without_line_numbers(page.split("\n")) for page in text.split("\f")]
    edges = repeated_edges(pages)
    groups: list[tuple[int, list[str]]] = []
    for number, lines in enumerate(pages, start=1):
        kept = [line for line in lines if edge_key(line) not in edges or not edge_key(line)]
        groups += [(number, group) for group in _paragraphs(kept)]
    vocabulary = Vocabulary.of(line for _, lines in groups for line in lines)
    raws: list[Raw] = []
    for number, lines in groups:
        page = number if len(pages) > 1 else None
        raws += _raws(lines, page, vocabulary, first=not raws and not draft.title)
    return assemble(raws, draft, marked=False)


def _without_line_numbers(lines: list[str]) -> list[str]:
    """Lines without the numbers of a manuscript, if nearly all lines have one and they count up."""
    numbers = [(_LINE_NUMBER.match(line), line) for line in lines if line.strip()]
    values = [int(match[1]) for match, _ in numbers if match]
    steady = sum(1 for one, other in itertools.pairwise(values) if other == one + 1)
    if len(values) < 5 or len(values) < 0.7 * len(numbers) or steady < 0.8 * (len(values) - 1):
        return lines
    return [_LINE_NUMBER.sub("", line) for line in lines]


def edge_key(line: str) -> str:
    """A line as it is compared between pages: its digits do not count."""
    return re.sub(r"\d+", "#", " ".join(line.split()))


def repeated_edges(pages: Sequence[Sequence[str]]) -> set[str]:
    """Running heads and feet: first and last lines that come back on another page."""
    if len(pages) < 2:
        return set()
    seen: Counter[str] = Counter()
    for lines in pages:
        full = [line for line in lines if line.strip()]
        seen.update({edge_key(line) for line in [*full[:2], *full[-2:]]})
    return {key for key, count in seen.items() if count >= 2 and key}


def _paragraphs(lines: Sequence[str]) -> list[list[str]]:
    """Groups of lines between blank ones; each line by itself where nothing else parts them."""
    groups: list[list[str]] = [[]]
    for line in lines:
        if not line.strip() or is_furniture(line):
            groups.append([])
        elif _UNDERLINE.fullmatch(line):
            continue
        elif groups[-1] and _begins_anew(groups[-1], line):
            groups.append([line])
        else:
            groups[-1].append(line)
    groups = [group for group in groups if group]
    if len(groups) <= 2 and any(len(line) > 200 for line in lines):
        return [[line] for group in groups for line in group]
    return groups


def _begins_anew(group: Sequence[str], line: str) -> bool:
    """Whether a line opens a paragraph though no blank line is before it: a heading, an indent."""
    if is_known_heading(line.strip()) or is_known_heading(group[-1].strip()):
        return True
    indent = len(line) - len(line.lstrip())
    before = len(group[-1]) - len(group[-1].lstrip())
    return indent >= before + 2 and bool(re.search(r"[.!?][\"”’)\]\d]*$", group[-1].rstrip()))


def _raws(lines: list[str], page: int | None, vocabulary: Vocabulary, *, first: bool) -> list[Raw]:
    text = join_lines([line.strip() for line in lines], vocabulary)
    if first and len(text.split()) <= 40 and not is_known_heading(text):
        return [Raw(text.removeprefix("Title:").strip(), page=page, kind="title")]
    if len(lines) == 1 and _is_heading(text):
        number = split_number(text)[0]
        return [Raw(text, level=number.count(".") + 1, page=page)]
    return [Raw(text, page=page)]


def _is_heading(text: str) -> bool:
    """A line by itself that reads like a heading: known words, a number and a capital, or all capitals."""
    if is_known_heading(text):
        return True
    number, words = split_number(text)
    if len(words.split()) > 10 or not words[:1].isupper() or re.search(r"[.,;:?!]$", words):
        return False
    letters = [character for character in words if character.isalpha()]
    return bool(number) or (len(letters) > 8 and len(words.split()) > 1 and all(map(str.isupper, letters)))
