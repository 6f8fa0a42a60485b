"""MuSiQue, -Ans and -Full (Trivedi et al. 2022).

A node is the paragraph that supports a sub-question, with the sub-question and its answer; the
records have no sentences. An edge leads from sub-question k to sub-question i where i names `#k`
and k is smaller than i (a literal "#1" occurs in real questions). The id begins with the shape
the source claims, against which the graph's is checked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from qa.datasets.records import Fields, Paragraph, ParsedRecord, Skipped, SourceNode
from qa.reasoning.shapes import Edge

PREFIXES = {
    "2hop": "bridge_2_1",
    "3hop1": "bridge_3_1",
    "3hop2": "compositional_3_2",
    "4hop1": "bridge_4_1",
    "4hop2": "compositional_4_2",
    "4hop3": "compositional_4_3",
}
_REFERENCE = re.compile(r"#(\d+)")


def parse(raw: Any, source: str, position: str) -> ParsedRecord | Skipped:
    """One record; raises `RecordError` where it cannot be read."""
    fields = Fields(raw, source, position)
    key = fields.text("id", "_id")
    if fields.raw.get("answerable") is False:
        return Skipped(key, "unanswerable")
    if not fields.has("answer") and not fields.has("question_decomposition"):
        return Skipped(key, "unlabelled")
    question, answer = fields.text("question"), fields.text("answer")
    paragraphs, places = _paragraphs(fields)
    nodes = _nodes(fields, places)
    edges = tuple(edge for number, node in enumerate(nodes) for edge in _references(number, node))
    prefix = key.partition("__")[0]
    return ParsedRecord(
        key=key,
        question=question,
        answer=answer,
        aliases=_aliases(fields),
        declared_type=prefix if prefix in PREFIXES else None,
        expected=(PREFIXES[prefix],) if prefix in PREFIXES else (),
        paragraphs=paragraphs,
        nodes=nodes,
        edges=edges,
        rules=("node:paragraph_of_sub_question", "edge:reference_to_earlier_sub_question"),
        warnings=_warnings(paragraphs, nodes),
    )


def _paragraphs(fields: Fields) -> tuple[tuple[Paragraph, ...], dict[int, int]]:
    """The paragraphs in order, and where each `idx` stands."""
    paragraphs, places = [], {}
    for number, item in enumerate(fields.list("paragraphs")):
        place = f"paragraphs[{number}]"
        if not isinstance(item, Mapping):
            raise fields.wrong(place, "expected an object with title and paragraph_text")
        title, text, index = item.get("title"), item.get("paragraph_text"), item.get("idx", number)
        if not isinstance(title, str) or not isinstance(text, str):
            raise fields.wrong(place, "title or paragraph_text is missing or not text")
        if not isinstance(index, int) or index in places:
            raise fields.wrong(f"{place}.idx", "is no whole number, or occurs twice")
        places[index] = number
        paragraphs.append(Paragraph(title, (text,)))
    if not paragraphs:
        raise fields.wrong("paragraphs", "is empty")
    return tuple(paragraphs), places


def _nodes(fields: Fields, places: Mapping[int, int]) -> tuple[SourceNode, ...]:
    nodes = []
    for number, item in enumerate(fields.list("question_decomposition")):
        place = f"question_decomposition[{number}]"
        if not isinstance(item, Mapping):
            raise fields.wrong(place, "expected an object with question, answer and paragraph_support_idx")
        question, answer = item.get("question"), item.get("answer")
        if not isinstance(question, str) or not isinstance(answer, str):
            raise fields.wrong(place, "question or answer is missing or not text")
        index = item.get("paragraph_support_idx")
        if not isinstance(index, int) or index not in places:
            raise fields.wrong(f"{place}.paragraph_support_idx", f"is {index!r}, which is no paragraph's idx")
        nodes.append(SourceNode(places[index], (0,), question, answer))
    if not nodes:
        raise fields.wrong("question_decomposition", "is empty")
    return tuple(nodes)


def _references(number: int, node: SourceNode) -> list[Edge]:
    """Edges into sub-question `number` (from 0): `#k` counts from 1."""
    named = {int(found) - 1 for found in _REFERENCE.findall(node.sub_question or "")}
    return [(earlier, number) for earlier in sorted(named) if 0 <= earlier < number]


def _aliases(fields: Fields) -> tuple[str, ...]:
    aliases = fields.listed("answer_aliases", fields.raw.get("answer_aliases") or [])
    if not all(isinstance(alias, str) for alias in aliases):
        raise fields.wrong("answer_aliases", "expected a list of texts")
    return tuple(dict.fromkeys(aliases))


def _warnings(paragraphs: tuple[Paragraph, ...], nodes: tuple[SourceNode, ...]) -> tuple[str, ...]:
    titles = [paragraph.title for paragraph in paragraphs]
    found = []
    if len(set(titles)) < len(titles):
        found.append("duplicate_title")
    if len({node.paragraph for node in nodes}) < len(nodes):
        found.append("paragraph_supports_two_sub_questions")
    return tuple(found)
