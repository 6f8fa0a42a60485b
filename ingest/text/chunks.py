"""Chunks: whole paragraphs packed greedily up to a number of words (chemistry paper, section 3.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ingest.models import Block, TextChunk
from ingest.text.sentences import sentences


def count_words(text: str) -> int:
    """Words as whitespace parts them, the measure of all limits here."""
    return len(text.split())


def chunk(blocks: Iterable[Block], words: int = 128) -> list[TextChunk]:
    """Pack paragraphs into chunks of at most `words` words.

    A paragraph that is longer is cut at its sentences, a sentence that is longer at its clauses;
    what is left of it may share a chunk with the next paragraph. Paragraphs of one chunk are
    joined by a blank line. The page of a chunk is that of its first paragraph.
    """
    chunks: list[TextChunk] = []
    parts: list[str] = []
    total, page = 0, None

    def close() -> None:
        nonlocal parts, total
        if parts:
            text = "\n\n".join(parts)
            chunks.append(TextChunk(ordinal=len(chunks), text=text, words=total, page=page))
        parts, total = [], 0

    for block in blocks:
        for piece in cut_paragraph(block.text.strip(), words):
            length = count_words(piece)
            if not length:
                continue
            if total + length > words:
                close()
            if not parts:
                page = block.page
            parts.append(piece)
            total += length
    close()
    return chunks


def cut_paragraph(text: str, words: int) -> list[str]:
    """The paragraph, or as many pieces of whole sentences as it takes for each to have at most `words`."""
    if count_words(text) <= words:
        return [text]
    pieces: list[str] = []
    start = end = 0
    for left, right in _units(text, words):
        if end > start and count_words(text[start:right]) > words:
            pieces.append(text[start:end])
            start = left
        end = right
    pieces.append(text[start:end])
    return pieces


def _units(text: str, words: int) -> list[tuple[int, int]]:
    """Sentences; one longer than `words` in runs of words that end at a clause where possible."""
    units: list[tuple[int, int]] = []
    for start, end in sentences(text):
        tokens = [
            (start + match.start(), start + match.end()) for match in re.finditer(r"\S+", text[start:end])
        ]
        while len(tokens) > words:
            at = max(
                (i + 1 for i in range(words // 2, words) if text[tokens[i][1] - 1] in ";:,"),
                default=words,
            )
            units.append((tokens[0][0], tokens[at - 1][1]))
            tokens = tokens[at:]
        units.append((tokens[0][0], tokens[-1][1]))
    return units
