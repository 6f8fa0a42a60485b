"""HotpotQA, official and hub form, distractor setting (Yang et al. 2018).

A node is a gold title with its supporting sentences. A comparison has no edges. A bridge leads to
the title that holds the answer; the records have no field that says which (the "keyword" field
that the reasoning-graph paper names is in none of them), so it is looked for: in the supporting
sentences, then in the paragraph, then in the title. Where both titles have it, or neither, the
list's order decides, which follows the hyperlink from the first paragraph to the second.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from qa.datasets.records import Fields, Paragraph, ParsedRecord, Skipped, SourceNode
from qa.datasets.titled import Fact, read_opening
from qa.reasoning.shapes import Edge

TYPES = ("bridge", "comparison")


def parse(raw: Any, source: str, position: str) -> ParsedRecord | Skipped:
    """One record; raises `RecordError` where it cannot be read."""
    opening = read_opening(Fields(raw, source, position), TYPES, "bridge or comparison")
    if isinstance(opening, Skipped):
        return opening
    key, question, answer, declared, paragraphs, found, warnings = opening
    groups = found.usable()
    if len(groups) < 2:
        return Skipped(key, "fewer_than_two_facts", warnings)
    nodes = tuple(SourceNode(group[0][0], tuple(s for _, s in group)) for group in groups)
    edges: tuple[Edge, ...] = ()
    rules = [*found.rules, "node:title"]
    if declared == "bridge":
        tail, rule = find_tail(answer, groups, paragraphs)
        order = [n for n in range(len(nodes)) if n != tail] + [tail]
        edges = tuple(pairwise(order))
        rules.append(f"tail:{rule}")
    return ParsedRecord(
        key=key,
        question=question,
        answer=answer,
        aliases=(),
        declared_type=declared,
        expected=(f"{declared}_{len(nodes)}_1",),
        paragraphs=paragraphs,
        nodes=nodes,
        edges=edges,
        rules=tuple(rules),
        warnings=warnings,
    )


def find_tail(
    answer: str, groups: Sequence[tuple[Fact, ...]], paragraphs: Sequence[Paragraph]
) -> tuple[int, str]:
    """Which of the titles' groups of facts the reasoning ends in, and the rule that told so."""
    own = [paragraphs[group[0][0]] for group in groups]

    def supporting(number: int) -> str:
        return " ".join(paragraphs[place].sentences[sentence] for place, sentence in groups[number])

    places: dict[str, Callable[[int], str]] = {
        "answer_in_supporting_sentences": supporting,
        "answer_in_paragraph": lambda number: " ".join(own[number].sentences),
        "answer_in_title": lambda number: own[number].title,
    }
    for rule, text in places.items():
        holders = [number for number in range(len(groups)) if holds(text(number), answer)]
        if len(holders) == 1:
            return holders[0], rule
    return len(groups) - 1, "listed_last"


def holds(text: str, answer: str) -> bool:
    """Whether the text has the answer as whole words, case and Unicode forms apart."""
    wanted, plain = _plain(answer), _plain(text)
    if not wanted or wanted not in plain:
        return False
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", plain) is not None


def _plain(text: str) -> str:
    if "&" in text:
        text = html.unescape(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.casefold().split())
