"""Plain text: typed by hand, or a PDF put through a text converter (form feeds, running heads)."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence

from domain.formulas import plain_unicode
from ingest.sources.assemble import assemble, is_known_heading, is_prose
from ingest.sources.decoding import decode
from ingest.sources.draft import Draft, Raw
from ingest.sources.furniture import is_furniture
from ingest.sources.joining import Vocabulary, join_lines
from ingest.sources.metadata import parse_authors
from ingest.sources.notices import read_notices
from ingest.text.headings import split_number

_UNDERLINE = re.compile(r"\s*[=\-~_*]{3,}\s*")
_NUMBERED_HEAD = re.compile(
    r"\s*(?:\S.{0,90}?\s{3,}(?:page )?\d{1,4}|(?:page )?\d{1,4}\s{3,}\S.{0,90})\s*", re.I
)
_LINE_NUMBER = re.compile(r"^\s{0,4}(\d{1,4})\s{1,6}(?=\S)")


def read_text(content: bytes) -> Draft:
    """Blocks of a text file.

    Paragraphs are parted by blank lines, or, where a file has none, by lines. The first
    paragraph is the title if it is short. Lines that repeat at the edges of pages are dropped.
    """
    text, warnings = decode(content)
    return text_to_draft(text, Draft(warnings=warnings))


def text_to_draft(text: str, draft: Draft) -> Draft:
    """Blocks of a text file's text, with what its first lines say about the paper."""
    front = [line.strip() for line in text[:6000].split("\n")]
    read_notices([plain_unicode(line) for line in front if not is_prose(line)], draft)
    return assemble(text_raws(text, has_title=bool(draft.title)), draft, marked=False)


def text_raws(text: str, *, has_title: bool) -> list[Raw]:
    """Paragraphs of text that may hold LaTeX or HTML formulas; used for fields of JSON Lines too.

    Args:
        has_title: the title is known, so the first short paragraph is none.
    """
    text = plain_unicode(text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4))
    pages = [_without_line_numbers(page.split("\n")) for page in text.split("\f")]
    edges = repeated_edges(pages)
    groups: list[tuple[int, list[str]]] = []
    for number, lines in enumerate(pages, start=1):
        kept = [line for line in lines if edge_key(line) not in edges or not edge_key(line)]
        if number > 1 and kept and _NUMBERED_HEAD.fullmatch(kept[0]):
            kept = kept[1:]
        groups += [(number, group) for group in _paragraphs(kept)]
    vocabulary = Vocabulary.of(line for _, lines in groups for line in lines)
    raws: list[Raw] = []
    front = not has_title
    for index, (number, lines) in enumerate(groups):
        page = number if len(pages) > 1 else None
        joined = join_lines([line.strip() for line in lines], vocabulary)
        if not raws and not has_title and not is_known_heading(joined) and not is_prose(joined):
            title = _title_lines(lines)
            text = join_lines([line.strip() for line in lines[:title]], vocabulary)
            raws.append(Raw(text.removeprefix("Title:").strip(), page=page, kind="title"))
            raws += [Raw(line.strip(), page=page) for line in lines[title:]]
            continue
        front = front and not (is_known_heading(joined) or is_prose(joined))
        following = groups[index + 1][1][0].strip() if index + 1 < len(groups) else ""
        if front:  # authors, affiliations and notices: a line each
            raws += [Raw(line.strip(), page=page) for line in lines]
        elif len(lines) == 1 and _is_heading(joined, following):
            raws.append(Raw(joined, level=split_number(joined)[0].count(".") + 1, page=page))
        else:
            raws.append(Raw(joined, page=page))
    return raws


def _title_lines(lines: Sequence[str]) -> int:
    """How many of the first lines are the title: those before a line of authors."""
    return next((i for i, line in enumerate(lines) if i and parse_authors(line.strip())), len(lines))


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
    long = sum(len(line) for line in lines if len(line) > 200)
    if long > 0.3 * sum(map(len, lines)):  # nothing wraps such lines: each is a paragraph
        return [[line] for group in groups for line in group]
    return [group for group in groups if group]


def _begins_anew(group: Sequence[str], line: str) -> bool:
    """Whether a line opens a paragraph though no blank line is before it: a heading, an indent."""
    if is_known_heading(line.strip()) or is_known_heading(group[-1].strip()):
        return True
    indent = len(line) - len(line.lstrip())
    before = len(group[-1]) - len(group[-1].lstrip())
    return indent >= before + 2 and bool(re.search(r"[.!?][\"”’)\]\d]*$", group[-1].rstrip()))


def _is_heading(text: str, following: str) -> bool:
    """A line by itself that reads like a heading.

    Known words; a number and a capital; all capitals; or a few words that end in no stop while
    the next paragraph begins as a sentence.
    """
    if is_known_heading(text):
        return True
    number, words = split_number(text)
    count = len(words.split())
    if count > 10 or not words[:1].isupper() or re.search(r"[.,;:?!=]$", words) or "=" in words:
        return False
    letters = [character for character in words if character.isalpha()]
    capitals = len(letters) > 3 and all(map(str.isupper, letters))
    return bool(number) or capitals or (count <= 8 and following[:1].isupper() and len(following) > 40)
