"""Questions from templates, without a model.

The predicate becomes a clause by its form (domain.predicates), the kind of an entity gives the noun,
and the clauses nest from the answer to the one entity that is named:

    Which acid is made from the oxide that is formed by burning of sulfur?
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.identity import display_name, identity_key
from domain.packs import DomainPack
from domain.predicates import question_clause, relative_clause
from graph.models import EntityRecord, Evidence, OneHop, Spent
from qa.gates import Case, Draft, Finding
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
        one_hops = tuple(
            OneHop(
                question=self._ask(subject, [stated.relation.predicate], [], spelled(obj, stated)),
                answer=subject.name,
                relation_id=stated.relation.id,
            )
            for stated, subject, obj in zip(case.hops, case.nodes[:-1], case.nodes[1:], strict=True)
        )
        text = self._ask(
            case.nodes[0],
            [stated.relation.predicate for stated in case.hops],
            case.nodes[1:-1],
            spelled(case.nodes[-1], case.hops[-1]),
        )
        return Draft(text, case.nodes[0].name, one_hops)

    def _ask(
        self, answer: EntityRecord, predicates: Sequence[str], bridges: Sequence[EntityRecord], named: str
    ) -> str:
        """Which NOUN does this to the NOUN that does that to NAMED?"""
        parts = [f"Which {self._pack.noun(answer.kind)} {question_clause(predicates[0])}"]
        for bridge, predicate in zip(bridges, predicates[1:], strict=True):
            parts.append(f"the {self._pack.noun(bridge.kind)} {relative_clause(predicate)}")
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
