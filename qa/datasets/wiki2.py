"""2WikiMultiHopQA, official and hub form (Ho et al. 2020).

A node is one supporting fact, that is one sentence of one gold title. A comparison has no edges.
Elsewhere the evidences (subject, relation, object) are chained: where the object of one is the
subject of another, an edge leads from the last fact of the first's title to the first fact of the
second's; facts of one title follow each other, in order of sentence.

Names of evidences and titles differ often ("La Bohème", "La Boheme (film)"), so they are joined
exactly, else without case and punctuation, else without a parenthesis at the end, else by
`evidences_id`; the weakest rule that was needed is kept with the graph. A record whose evidences
chain by none of them is left out and counted, as the reasoning-graph paper did with 4,507 of
167,454 (appendix A.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from qa.datasets.records import Fields, ParsedRecord, Skipped, SourceNode, matched, stripped
from qa.datasets.titled import Located, read_opening
from qa.reasoning.shapes import Edge, topological_order

TYPES = ("comparison", "inference", "compositional", "bridge_comparison")


def _as_is(text: str) -> str:
    return text


# The joins in order; `ids` is tried after these.
_JOINS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("exact", _as_is),
    ("normalised", matched),
    ("without_parenthesis", stripped),
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One triple, with the ids of its subject and object where the record has them."""

    subject: str
    object: str
    subject_id: str | None = None
    object_id: str | None = None


def parse(raw: Any, source: str, position: str) -> ParsedRecord | Skipped:
    """One record; raises `RecordError` where it cannot be read."""
    fields = Fields(raw, source, position)
    opening = read_opening(fields, TYPES, f"one of {', '.join(TYPES)}")
    if isinstance(opening, Skipped):
        return opening
    key, question, answer, declared, paragraphs, found, warnings = opening
    nodes = [SourceNode(place, (sentence,)) for group in found.groups for place, sentence in group]
    if len(nodes) < 2:
        return Skipped(key, "fewer_than_two_facts", warnings)
    edges: tuple[Edge, ...] = ()
    rules = [*found.rules, "node:supporting_fact"]
    if declared != "comparison":
        chained = chain(read_evidences(fields), found, parts=2 if declared == "bridge_comparison" else 1)
        if isinstance(chained, str):
            return Skipped(key, chained, warnings)
        edges, joins = chained
        rules += joins
    return ParsedRecord(
        key=key,
        question=question,
        answer=answer,
        aliases=(),
        declared_type=declared,
        expected=_expected(declared, len(nodes)),
        paragraphs=paragraphs,
        nodes=tuple(nodes),
        edges=edges,
        rules=tuple(rules),
        warnings=warnings,
    )


def _expected(declared: str, n: int) -> tuple[str, ...]:
    if declared in ("comparison", "bridge_comparison"):
        return (f"{declared}_{n}_1",)
    return (f"bridge_{n}_1", "compositional_3_2") if n == 3 else (f"bridge_{n}_1",)


def read_evidences(fields: Fields) -> list[Evidence]:
    """The triples, with their ids where `evidences_id` has as many."""
    triples = fields.list("evidences")
    ids = fields.raw.get("evidences_id")
    aligned = ids if isinstance(ids, list) and len(ids) == len(triples) else [None] * len(triples)
    evidences = []
    for number, (item, its_ids) in enumerate(zip(triples, aligned, strict=True)):
        hub = isinstance(item, Mapping)
        parts = [item.get(name) for name in ("fact", "relation", "entity")] if hub else item
        if not isinstance(parts, list) or len(parts) != 3 or not all(isinstance(one, str) for one in parts):
            raise fields.wrong(f"evidences[{number}]", "expected subject, relation and object")
        known = its_ids if isinstance(its_ids, list) and len(its_ids) == 3 else [None] * 3
        evidences.append(Evidence(parts[0], parts[2], known[0] or None, known[2] or None))
    return evidences


def chain(
    evidences: Sequence[Evidence], found: Located, *, parts: int
) -> tuple[tuple[Edge, ...], list[str]] | str:
    """Edges between facts and the rules that were needed, or the reason why there are none.

    `parts` is the number of connected parts that the source's type calls for: every title must
    take part in a chain, and the chains must hang together in that many parts.
    """
    places, rules = _titles_of(evidences, found.titles)
    cyclic = False
    arrows: set[Edge] = set()
    for name, joined in _joins():
        arrows |= {
            (places[one.subject], places[other.subject])
            for one in evidences
            for other in evidences
            if one is not other and joined(one, other)
        }
        arrows = {(source, target) for source, target in arrows if source != target}
        cyclic = _is_cyclic(len(found.titles), arrows)
        if not cyclic and _parts(len(found.titles), arrows) == parts:
            return _between_facts(found, arrows), [*rules, f"join:{name}"]
    return "cycle_in_evidences" if cyclic else "evidences_do_not_chain"


def _joins() -> list[tuple[str, Callable[[Evidence, Evidence], bool]]]:
    """Whether one evidence's object is another's subject, by each rule."""

    def by(form: Callable[[str], str]) -> Callable[[Evidence, Evidence], bool]:
        return lambda one, other: form(one.object) == form(other.subject) != ""

    def by_id(one: Evidence, other: Evidence) -> bool:
        return one.object_id is not None and one.object_id == other.subject_id

    return [*((name, by(form)) for name, form in _JOINS), ("evidences_id", by_id)]


def _titles_of(evidences: Sequence[Evidence], titles: Sequence[str]) -> tuple[dict[str, int], list[str]]:
    """Which gold title each evidence's subject stands for, and the rules needed beyond equality.

    Subjects are taken to titles by the same forms of their names, else by the id they share with
    one that was found; what is then left on both sides is paired in the order of the record.
    """
    subjects = list(dict.fromkeys(evidence.subject for evidence in evidences))
    places: dict[str, int] = {}
    rules: list[str] = []
    for name, form in _JOINS:
        forms = {form(title): place for place, title in reversed(list(enumerate(titles)))}
        for subject in subjects:
            if subject not in places and form(subject) in forms:
                places[subject] = forms[form(subject)]
                rules += [f"subject:{name}"] if name != "exact" else []
    ids = {e.subject: e.subject_id for e in evidences if e.subject_id}
    for subject in [one for one in subjects if one not in places]:
        twin = next((s for s in places if ids.get(subject) and ids.get(s) == ids[subject]), None)
        if twin is not None:
            places[subject] = places[twin]
            rules.append("subject:evidences_id")
    free = [place for place in range(len(titles)) if place not in places.values()]
    met: dict[str, int] = {}  # by id, or by the name where there is none
    for subject in [one for one in subjects if one not in places]:
        same = ids.get(subject, subject)
        if same not in met:
            met[same] = free.pop(0) if free else len(titles) - 1
        places[subject] = met[same]
        rules.append("subject:order_of_record")
    return places, list(dict.fromkeys(rules))


def _between_facts(found: Located, arrows: set[Edge]) -> tuple[Edge, ...]:
    """Edges between facts, numbered as the nodes are, from edges between titles.

    A title whose facts were all dropped has no node, and its edges go with it.
    """
    numbers: list[list[int]] = []
    for group in found.groups:
        start = sum(len(others) for others in numbers)
        numbers.append(list(range(start, start + len(group))))
    within = [edge for group in numbers for edge in pairwise(group)]
    between = [
        (numbers[source][-1], numbers[target][0])
        for source, target in arrows
        if numbers[source] and numbers[target]
    ]
    return tuple(sorted({*within, *between}))


def _is_cyclic(n: int, arrows: set[Edge]) -> bool:
    try:
        topological_order(n, arrows)
    except ValueError:
        return True
    return False


def _parts(n: int, arrows: set[Edge]) -> int:
    """Connected parts of at least two titles; 0 where a title stands alone."""
    part = list(range(n))
    for source, target in arrows:
        old, new = part[target], part[source]
        part = [new if one == old else one for one in part]
    return 0 if any(part.count(one) < 2 for one in part) else len(set(part))
