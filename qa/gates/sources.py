"""Gates on what the path rests on: `evidence`, `distinct_sources`, `direction`."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from domain.identity import identity_key, names_in, normalise
from qa.gates.case import Case, Draft, Finding, Rules, Taken, keys


def evidence(case: Case, rules: Rules, taken: Taken) -> Finding | None:
    """The span of a hop does not contain both its entities, or the chunk is gone."""
    for hop, (stated, subject, obj) in enumerate(
        zip(case.evidence, case.entities[:-1], case.entities[1:], strict=True), 1
    ):
        if stated is None:
            return Finding(f"the relation {case.path.relation_ids[hop - 1]} or its chunk is gone", hop)
        if subject is None or obj is None:
            return Finding("an entity of the relation is gone", hop)
        sentence = stated.sentence
        for entity, surface in (
            (subject, stated.relation.subject_surface),
            (obj, stated.relation.object_surface),
        ):
            if not names_in(sentence, keys(entity) | {identity_key(surface)}):
                return Finding(f"{entity.name} is not in the stating span: {sentence!r}", hop)
    return None


def distinct_sources(case: Case, rules: Rules, taken: Taken) -> Finding | None:
    """A document, or a chunk content, is used twice, or one hop's text also holds another's sentence.

    The last is a paragraph that stands in two papers and was cut into chunks differently.
    """
    for what, used in (
        ("document", [each.relation.document_id for each in case.hops]),
        ("chunk content", [each.chunk_sha256 for each in case.hops]),
    ):
        twice = [value for value, times in Counter(used).items() if times > 1]
        if twice:
            hops = ", ".join(str(hop) for hop, value in enumerate(used, 1) if value == twice[0])
            return Finding(f"hops {hops} use one {what}: {twice[0]}")
    for (first, a), (second, b) in permutations(enumerate(case.hops, 1), 2):
        if normalise(a.sentence) in normalise(b.chunk_text):
            return Finding(f"the text of hop {second} also states hop {first}: {a.sentence!r}")
    return None


def direction(case: Case, draft: Draft) -> Finding | None:
    """A question asks for the wrong end of its relation.

    Question k must name entity k + 1 and be answered by entity k, along an edge k -> k + 1; the whole
    question must name the last entity and be answered by the first.
    """
    if len(draft.one_hops) != case.path.hops:
        return Finding(f"{len(draft.one_hops)} one-hop questions for {case.path.hops} hops")
    for hop in range(1, case.path.hops + 1):
        if (detail := _turned(case, draft, hop)) is not None:
            return Finding(detail, hop)
    if identity_key(draft.answer) not in keys(case.nodes[0]):
        return Finding(f"the answer is {draft.answer!r}, the path begins at {case.nodes[0].name!r}")
    if not names_in(draft.text, keys(case.nodes[-1])):
        return Finding(f"{draft.text!r} does not name {case.nodes[-1].name!r}, where the path ends")
    return None


def _turned(case: Case, draft: Draft, hop: int) -> str | None:
    """What is the wrong way round in one hop."""
    asked, stated = draft.one_hops[hop - 1], case.hops[hop - 1]
    subject, obj = case.nodes[hop - 1], case.nodes[hop]
    if (stated.relation.subject_id, stated.relation.object_id) != (subject.id, obj.id):
        return f"the edge {stated.relation.id} runs the other way"
    if asked.relation_id != stated.relation.id:
        return f"the question is about {asked.relation_id}, the hop about {stated.relation.id}"
    if identity_key(asked.answer) not in keys(subject):
        return f"the answer is {asked.answer!r}, the subject {subject.name!r}"
    if not names_in(asked.question, keys(obj)):
        return f"{asked.question!r} does not name {obj.name!r}, which it must ask from"
    return None
