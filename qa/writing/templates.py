"""Questions from templates, without a model.

The predicate becomes a clause by its form (domain.predicates), the kind of an entity gives the noun,
and the clauses nest from the answer to the one entity that is named:

    Which acid is made from the oxide that is formed by burning of sulfur?
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.identity import display_name, identity_key, names_in
from domain.packs import DomainPack
from domain.predicates import question_clause, relative_clause
from graph.models import EntityRecord, Evidence, OneHop, Spent
from qa.gates import Case, Draft, Finding
from qa.gates.case import keys
from qa.writing.shapes import Written


class TemplateWriter:
    """The offline writer: the same path, the same question."""

    backend = "offline"

    def __init__(self, pack: DomainPack) -> None:
        self._pack = pack

    async def write(self, case: Case) -> Written:
        """Always a draft."""
        return Written(self.draft(case), Spent())

    async def rewrite(self, case: Case, draft: Draft, reasons: Sequence[Finding]) -> Written | None:
        """There is no second way."""
        return None

    def draft(self, case: Case) -> Draft:
        """One question for each hop, and the whole one."""
        answers = case.nodes[:-1]
        nouns = self._nouns(answers)
        clauses = [stated.relation.predicate for stated in case.hops]
        objects = [spelled(obj, stated) for obj, stated in zip(case.nodes[1:], case.hops, strict=True)]
        one_hops = tuple(
            OneHop(
                question=_ask([nouns[hop]], [clauses[hop]], objects[hop]),
                answer=answers[hop].name,
                relation_id=case.hops[hop].relation.id,
            )
            for hop in range(case.path.hops)
        )
        return Draft(_ask(nouns, clauses, objects[-1]), answers[0].name, one_hops)

    def _nouns(self, answers: Sequence[EntityRecord]) -> list[str]:
        """A noun for each hop's answer: its kind's, or the general one where that is a name of an answer.

        Ethanol is called alcohol, so a question that asks for it cannot say "which alcohol".
        """
        called = frozenset().union(*(keys(entity) for entity in answers))
        general = self._pack.noun(self._pack.default_kind)
        nouns = [self._pack.noun(entity.kind) for entity in answers]
        return [general if names_in(noun, called) else noun for noun in nouns]


def _ask(nouns: Sequence[str], predicates: Sequence[str], named: str) -> str:
    """Which NOUN does this to the NOUN that does that to NAMED?"""
    parts = [f"Which {nouns[0]} {question_clause(predicates[0])}"]
    for noun, predicate in zip(nouns[1:], predicates[1:], strict=True):
        parts.append(f"the {noun} {relative_clause(predicate)}")
    return " ".join([*parts, named]) + "?"


def spelled(obj: EntityRecord, stated: Evidence) -> str:
    """How to write the object of a relation in the middle of a sentence.

    A name known from the head of a sentence has a capital that it may not keep elsewhere, and one
    like Kevlar keeps it: the sentence that states the relation shows which.
    """
    surface = display_name(stated.relation.object_surface)
    same = identity_key(surface) == identity_key(obj.name)
    at_head = stated.sentence.startswith(stated.relation.object_surface)
    return surface if same and not at_head else obj.name
