"""Gates on what is asked for: `generic`, `short_answer`."""

from __future__ import annotations

import re

from graph.models import EntityRecord
from qa.gates.case import Case, Finding, Rules, Taken

LONGEST_ANSWER = 8  # words

# An entity without any identity as a substance that stands in a quarter of the documents and with a
# dozen predicates is a word of the field, not a thing.
SPREAD_SHARE = 0.25
SPREAD_DOCUMENTS = 8
SPREAD_PREDICATES = 12

_SENTENCE = re.compile(r"[.!?]$|[.!?] +[A-Z]|\b(?:is|are|was|were|has|have|can|which|that)\b")


def generic(case: Case, rules: Rules, taken: Taken) -> Finding | None:
    """The answer, or the one entity that the question names, is no specific thing."""
    for role, entity in (("answer", case.nodes[0]), ("anchor", case.nodes[-1])):
        if entity.generic or rules.pack.is_generic(entity.name):
            return Finding(f"the {role} {entity.name!r} is no specific thing")
        documents, predicates = case.spread.get(entity.id, (0, 0))
        if (
            not _is_substance(entity)
            and documents >= max(SPREAD_DOCUMENTS, SPREAD_SHARE * case.documents)
            and predicates >= SPREAD_PREDICATES
        ):
            return Finding(
                f"the {role} {entity.name!r} stands in {documents} documents with {predicates} predicates"
            )
    return None


def short_answer(case: Case, rules: Rules, taken: Taken) -> Finding | None:
    """The answer is longer than 8 words, or a sentence (S7.2.5: answers are short)."""
    answer = case.nodes[0].name
    words = len(answer.split())
    if words > LONGEST_ANSWER:
        return Finding(f"the answer has {words} words: {answer!r}")
    if words > 2 and _SENTENCE.search(answer):
        return Finding(f"the answer is a sentence: {answer!r}")
    return None


def _is_substance(entity: EntityRecord) -> bool:
    return bool(entity.inchikey or entity.cid or entity.smiles or entity.formula)
