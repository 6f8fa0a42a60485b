"""What HotpotQA and 2WikiMultiHopQA share: titled paragraphs and supporting facts.

Both come in the official form (lists of pairs) and in a hub's (an object of two lists).
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from qa.datasets.records import Fields, Paragraph, Skipped, matched

Fact = tuple[int, int]  # paragraph, sentence


@dataclass
class Located:
    """Supporting facts found in the context, grouped by title in the source's order.

    `groups[i]` are the usable facts of the i-th gold title `titles[i]`, in order of sentence; none
    where all were dropped.
    """

    titles: list[str] = field(default_factory=list)
    groups: list[tuple[Fact, ...]] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def usable(self) -> list[tuple[Fact, ...]]:
        """The groups that hold a fact."""
        return [group for group in self.groups if group]


def unlabelled(fields: Fields) -> bool:
    """Whether this is a test record, from which answer and supporting facts were taken out."""
    facts = fields.raw.get("supporting_facts")
    if isinstance(facts, Mapping):
        facts = facts.get("title")
    return not fields.has("answer") and not facts


def read_context(fields: Fields) -> tuple[Paragraph, ...]:
    """The paragraphs in order; either form."""
    pairs = _pairs(fields, "context", "sentences")
    paragraphs = []
    for number, (title, sentences) in enumerate(pairs):
        place = f"context[{number}]"
        if not isinstance(title, str):
            raise fields.wrong(place, "the title is not text")
        if not isinstance(sentences, list) or not {*map(type, sentences)} <= {str}:
            raise fields.wrong(place, "the sentences are not a list of texts")
        paragraphs.append(Paragraph(title, tuple(sentences)))
    if not paragraphs:
        raise fields.wrong("context", "is empty")
    return tuple(paragraphs)


def read_facts(fields: Fields) -> list[tuple[str, int]]:
    """The supporting facts as (title, sentence), repetitions left out; either form."""
    facts: dict[tuple[str, int], None] = {}
    for number, (title, sentence) in enumerate(_pairs(fields, "supporting_facts", "sent_id")):
        place = f"supporting_facts[{number}]"
        if not isinstance(title, str):
            raise fields.wrong(place, "the title is not text")
        if not isinstance(sentence, int) or isinstance(sentence, bool):
            raise fields.wrong(place, "the sentence is not a whole number")
        facts[title, sentence] = None
    return list(facts)


def _pairs(fields: Fields, name: str, second: str) -> list[tuple[Any, Any]]:
    """A field of pairs, in the official form, the hub's, or either of them as JSON in a text."""
    if name not in fields.raw:
        raise fields.missing(name)
    value = fields.raw[name]
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            raise fields.wrong(name, "expected a list of pairs, found text") from None
    if isinstance(value, Mapping):
        titles, others = value.get("title"), value.get(second)
        if not isinstance(titles, list) or not isinstance(others, list) or len(titles) != len(others):
            raise fields.wrong(name, f"expected an object of two lists of one length, title and {second}")
        return list(zip(titles, others, strict=True))
    pairs = fields.listed(name, value)
    for number, pair in enumerate(pairs):
        if not isinstance(pair, list) or len(pair) != 2:
            raise fields.wrong(f"{name}[{number}]", f"expected a pair of title and {second}")
    return [(pair[0], pair[1]) for pair in pairs]


def locate(key: str, facts: Sequence[tuple[str, int]], paragraphs: Sequence[Paragraph]) -> Located | Skipped:
    """Find each fact in the context.

    A title is matched as it is, else with HTML entities, case and punctuation unified. Of several
    paragraphs of one title the one that has most of the facts is taken, the first of equals.
    A fact past the end of its paragraph, or an empty one, is dropped and counted; a title that
    is not there at all makes the record unusable.
    """
    found = Located()
    by_title: dict[str, list[int]] = {}
    for title, sentence in facts:
        by_title.setdefault(title, []).append(sentence)
    for title, sentences in by_title.items():
        places = [n for n, paragraph in enumerate(paragraphs) if paragraph.title == title]
        if not places:
            places = [n for n, p in enumerate(paragraphs) if matched(p.title) == matched(title)]
            if not places:
                return Skipped(key, "missing_gold_title")
            found.rules.append("title:normalised")
        place = places[0]
        if len(places) > 1:
            found.rules.append("title:best_of_duplicates")
            usable = {n: sum(_usable(paragraphs[n], s) for s in sentences) for n in places}
            place = max(places, key=usable.__getitem__)
        kept = sorted(s for s in sentences if _usable(paragraphs[place], s))
        past = sum(not 0 <= s < len(paragraphs[place].sentences) for s in sentences)
        found.warnings += ["supporting_fact_out_of_range"] * past
        found.warnings += ["empty_supporting_sentence"] * (len(sentences) - len(kept) - past)
        found.titles.append(title)
        found.groups.append(tuple((place, sentence) for sentence in kept))
    return found


def _usable(paragraph: Paragraph, sentence: int) -> bool:
    return 0 <= sentence < len(paragraph.sentences) and bool(paragraph.sentences[sentence].strip())


def context_warnings(paragraphs: Sequence[Paragraph]) -> list[str]:
    """Oddities of the context that change nothing but are counted, each once a record."""
    found = []
    if len({paragraph.title for paragraph in paragraphs}) < len(paragraphs):
        found.append("duplicate_title")
    if any("&" in p.title and html.unescape(p.title) != p.title for p in paragraphs):
        found.append("html_entity_in_title")
    if not all(all(map(str.strip, paragraph.sentences)) for paragraph in paragraphs):
        found.append("empty_sentence")
    if len(paragraphs) < 10:  # both sources give ten paragraphs in the distractor setting
        found.append("fewer_than_ten_paragraphs")
    return found


class Opening(NamedTuple):
    """What a HotpotQA and a 2WikiMultiHopQA record have in common, checked and located."""

    key: str
    question: str
    answer: str
    declared: str
    paragraphs: tuple[Paragraph, ...]
    found: Located
    warnings: tuple[str, ...]


def read_opening(fields: Fields, types: Sequence[str], expected: str) -> Opening | Skipped:
    """The shared part of a record whose `type` is one of `types`; `expected` names them in the error."""
    key = fields.text("_id", "id")
    if unlabelled(fields):
        return Skipped(key, "unlabelled")
    question, answer, declared = fields.text("question"), fields.text("answer"), fields.text("type")
    if declared not in types:
        raise fields.wrong("type", f"is {declared!r}, expected {expected}")
    paragraphs = read_context(fields)
    found = locate(key, read_facts(fields), paragraphs)
    if isinstance(found, Skipped):
        return found
    warnings = (*found.warnings, *context_warnings(paragraphs))
    return Opening(key, question, answer, declared, paragraphs, found, warnings)
