"""Markdown, written by hand or left by a PDF converter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from domain.formulas import plain_unicode
from ingest.sources.assemble import assemble, is_known_heading
from ingest.sources.decoding import decode
from ingest.sources.draft import Draft, Raw
from ingest.sources.joining import Vocabulary, join_lines
from ingest.sources.metadata import clean_doi, find_date, find_license
from ingest.text.headings import split_number

_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*")
_SETEXT = re.compile(r" {0,3}(=+|-+)\s*")
_FENCE = re.compile(r"\s*(```|~~~)")
_TABLE = re.compile(r"\s*\|.*\|\s*|\s*\|?(?:\s*:?-{3,}:?\s*\|)+\s*:?-*:?\s*")
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)(?:\{[^}]*\})?")
_ITEM = re.compile(r"\s{0,3}(?:[-*+]|\d{1,2}[.)])\s+")
_ESCAPED_CITATION = re.compile(r"\\\[(\d[\d,;–\-\s]*)\\\]")
_LINK = re.compile(r"\[([^\[\]]+)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)")
_FOOTNOTE = re.compile(r"\[\^[^\]]+\](?!:)")
_BOLD_LINE = re.compile(r"(?:\*\*|__)(?P<text>[^*_]{2,90}?)(?:\*\*|__)")
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.{1,500}?)(?<=\S)\1", re.DOTALL)
_EMPHASIS = re.compile(
    r"(?<![\w*\\])\*(?=[^\s*])([^*]{1,300}?)(?<=[^\s*])\*(?!\*)|(?<![\w_\\])_(?=[^\s_])([^_\n]+?)_(?![\w_])"
)


def read_markdown(content: bytes) -> Draft:
    """Blocks of a Markdown file; a `---` block of `key: value` lines at its head is metadata."""
    text, warnings = decode(content)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    draft = Draft(warnings=warnings)
    text = _front_matter(text, draft)
    lines = [_inline(line) for line in text.split("\n")]
    vocabulary = Vocabulary.of(lines)
    return assemble(list(_raws(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL), vocabulary)), draft)


def _front_matter(text: str, draft: Draft) -> str:
    """Take the metadata block off the text."""
    match = re.match(r"\s*---\n(.*?)\n(?:---|\.\.\.)\s*\n", text, re.DOTALL)
    if not match:
        return text
    fields: dict[str, list[str]] = {}
    key = ""
    for line in match[1].split("\n"):
        if pair := re.fullmatch(r"([A-Za-z_-]+)\s*:\s*(.*)", line):
            key = pair[1].lower()
            fields[key] = (
                [_unquoted(value) for value in re.split(r"\s*,\s*", pair[2].strip("[] "))] if pair[2] else []
            )
            if key in ("title", "license", "licence"):
                fields[key] = [_unquoted(pair[2])]
        elif item := re.fullmatch(r"\s*-\s+(?:name\s*:\s*)?(.+)", line):
            fields.setdefault(key, []).append(_unquoted(item[1]))
    draft.title = plain_unicode(_first(fields, "title"))
    draft.authors = tuple(name for name in fields.get("authors", fields.get("author", [])) if name)
    draft.doi, draft.version = clean_doi(_first(fields, "doi"))
    draft.version = draft.version or _first(fields, "version") or None
    draft.license = find_license(_first(fields, "license") or _first(fields, "licence"))
    draft.published = find_date(_first(fields, "date") or _first(fields, "published"))
    return text[match.end() :]


def _first(fields: dict[str, list[str]], key: str) -> str:
    return next(iter(fields.get(key, [])), "")


def _unquoted(value: str) -> str:
    return value.strip().strip("\"'")


def _raws(text: str, vocabulary: Vocabulary) -> Iterator[Raw]:
    group: list[str] = []
    for line in [*_significant(text), ""]:
        heading = _HEADING.fullmatch(line)
        if heading or not line.strip() or _TABLE.fullmatch(line) or (_ITEM.match(line) and group):
            if group:
                yield _paragraph(group, vocabulary)
            group = []
        if heading:
            yield _marked(heading[2], len(heading[1]))
        elif line.strip() and not _TABLE.fullmatch(line):
            if group and _SETEXT.fullmatch(line) and len(group) == 1:
                yield _marked(group[0], 1 if "=" in line else 2)
                group = []
            else:
                group.append(line)


def _significant(text: str) -> Iterator[str]:
    """Lines without code, images, and the marks of quotations."""
    fence = ""
    for line in text.split("\n"):
        if mark := _FENCE.match(line):
            fence = "" if fence == mark[1] else fence or mark[1]
            continue
        if not fence:
            yield re.sub(r"^\s{0,3}>\s?", "", _IMAGE.sub("", line))


def _marked(text: str, level: int) -> Raw:
    heading = _inline(text).strip("*_ ")
    number = split_number(heading)[0]
    return Raw(heading, level=max(level, number.count(".") + 1))


def _paragraph(lines: list[str], vocabulary: Vocabulary) -> Raw:
    whole = " ".join(line.strip() for line in lines)
    bold = _BOLD_LINE.fullmatch(whole.strip())
    if bold and (is_known_heading(_inline(bold["text"])) or split_number(bold["text"])[0]):
        return _marked(bold["text"], 2)
    text = join_lines(_inline("\n".join(line.strip() for line in lines)).split("\n"), vocabulary)
    item = _ITEM.match(text)
    return Raw(text[item.end() :] if item and not text[0].isdigit() else text)


def _inline(text: str) -> str:
    """Plain Unicode of inline Markdown. Formulas first: they hold stars and underlines of their own."""
    text = plain_unicode(_ESCAPED_CITATION.sub(r"[\1]", text))
    text = _FOOTNOTE.sub("", _LINK.sub(r"\1", text))
    text = re.sub(r"<((?:https?|mailto):[^>\s]+)>", r"\1", text)
    text = _STRONG.sub(r"\2", text)
    return _EMPHASIS.sub(lambda match: match[1] or match[2], text)
