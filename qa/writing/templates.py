"""Questions from templates, without a model.

The predicate becomes a clause by its form (domain.predicates), the kind of an entity gives the noun,
and the clauses nest from the answer to the one entity that is named:

    Which acid is made from the oxide that is formed by burning of sulfur?
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.packs import DomainPack
from domain.predicates import question_clause, relative_clause
from graph.models import EntityRecord, OneHop, Spent
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
                question=self._ask(subject, [stated.relation.predicate], [], obj.name),
                answer=subject.name,
                relation_id=stated.relation.id,
            )
            for stated, subject, obj in zip(case.hops, case.nodes[:-1], case.nodes[1:], strict=True)
        )
        text = self._ask(
            case.nodes[0],
            [stated.relation.predicate for stated in case.hops],
            case.nodes[1:-1],
            case.nodes[-1].name,
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
