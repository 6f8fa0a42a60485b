"""ChemKGMultiHopQA: `[{q, a, path: [{entity1, relation, entity2, text, meta1, q, a}]}]`.

The files of the chemistry paper. A hop's question asks for its `entity1`; the first hop answers
the whole question, and its `entity2` is what the second hop answers. So the reasoning begins at
the last hop, and an edge leads from hop i+1 to hop i where the answer of i+1 is `entity2` of i.
Names are lower-cased in parts of the files (`tio2`, `co`), so they compare without case. A node
is the hop's text; the metadata of its answer entity (`meta1`) stands beside it as a second
sentence. The records have no ids: one is made of the content.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from domain.ids import sha256
from qa.datasets.records import Fields, Paragraph, ParsedRecord, Skipped, SourceNode
from qa.reasoning.shapes import Edge

_TEXTS = ("entity1", "relation", "entity2", "text", "q", "a")


def parse(raw: Any, source: str, position: str) -> ParsedRecord | Skipped:
    """One record; raises `RecordError` where it cannot be read."""
    fields = Fields(raw, source, position)
    question, answer = fields.text("q"), fields.text("a")
    path = [_hop(fields, number, hop) for number, hop in enumerate(fields.list("path"))]
    if not path:
        raise fields.wrong("path", "is empty")
    paragraphs = tuple(
        Paragraph(hop["entity1"], tuple(text for text in (hop["text"], hop["meta1"]) if text.strip()))
        for hop in path
    )
    nodes = tuple(
        SourceNode(number, tuple(range(len(paragraphs[number].sentences))), hop["q"], hop["a"])
        for number, hop in enumerate(path)
    )
    edges: list[Edge] = [
        (number + 1, number)
        for number in range(len(path) - 1)
        if _same(path[number + 1]["a"], path[number]["entity2"])
    ]
    return ParsedRecord(
        key=sha256(json.dumps(raw, sort_keys=True))[:32],
        question=question,
        answer=answer,
        aliases=(),
        declared_type=None,
        expected=(f"bridge_{len(path)}_1",),  # every path of the paper is a chain
        paragraphs=paragraphs,
        nodes=nodes,
        edges=tuple(edges),
        rules=("node:hop", "edge:answer_is_entity2_of_hop_before"),
        warnings=_warnings(answer, path, edges),
    )


def _hop(fields: Fields, number: int, hop: Any) -> dict[str, str]:
    place = f"path[{number}]"
    if not isinstance(hop, Mapping):
        raise fields.wrong(place, "expected an object with entity1, relation, entity2, text, q and a")
    for name in _TEXTS:
        if not isinstance(hop.get(name), str) or not hop[name].strip():
            raise fields.wrong(f"{place}.{name}", "is missing, empty or not text")
    return {**{name: hop[name] for name in _TEXTS}, "meta1": str(hop.get("meta1") or "")}


def _warnings(answer: str, path: list[dict[str, str]], edges: list[Edge]) -> tuple[str, ...]:
    found = []
    for hop in path:
        if not _same(hop["a"], hop["entity1"]):
            found.append("reversed_hop" if _same(hop["a"], hop["entity2"]) else "hop_answer_is_no_entity")
    if not _same(answer, path[0]["entity1"]):
        found.append("answer_is_not_first_entity")
    found += ["hops_do_not_connect"] * (len(path) - 1 - len(edges))
    return tuple(found)


def _same(one: str, other: str) -> bool:
    """Whether two names are one, without case and without a remark in parentheses at the end."""
    return _bare(one) == _bare(other)


def _bare(name: str) -> str:
    return re.sub(r" \([^()]*\)$", "", " ".join(name.casefold().split()))
