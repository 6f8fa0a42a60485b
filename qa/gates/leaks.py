"""Gates on what the question gives away: `answer_leak`, `bridge_leak`.

Names are compared by the chemical identity key, as whole names: CO is not in CO2, iron is not in
environment, the verb lead is not Pb.
"""

from __future__ import annotations

from domain.identity import names_in
from graph.models import EntityRecord
from qa.gates.case import Case, Draft, Finding, keys


def _named(entity: EntityRecord, text: str) -> str | None:
    found = names_in(text, keys(entity))
    return min(found) if found else None


def answer_leak(case: Case, draft: Draft) -> Finding | None:
    """The answer, or any name of it, is in its question; one-hop questions are held to it as well."""
    if leak := _named(case.nodes[0], draft.text):
        return Finding(f"{leak!r} names the answer {case.nodes[0].name!r} in: {draft.text}")
    for hop, (asked, answer) in enumerate(zip(draft.one_hops, case.nodes, strict=False), 1):
        if leak := _named(answer, asked.question):
            return Finding(f"{leak!r} names its answer {answer.name!r} in: {asked.question}", hop)
    return None


def bridge_leak(case: Case, draft: Draft) -> Finding | None:
    """An entity between the two ends, or any name of it, is in the multi-hop question."""
    for hop, bridge in enumerate(case.nodes[1:-1], 2):
        if leak := _named(bridge, draft.text):
            return Finding(f"{leak!r} names {bridge.name!r}, the answer of hop {hop}, in: {draft.text}")
    return None
