"""The order of the gates, and running them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from qa.gates import answers, leaks, single, sources
from qa.gates.case import Case, Draft, Finding, Rules, Taken

PathGate = Callable[[Case, Rules, Taken], Finding | None]
TextGate = Callable[[Case, Draft], Finding | None]

PATH_GATES: Mapping[str, PathGate] = {
    "evidence": sources.evidence,  # first: the others rely on everything being there
    "distinct_sources": sources.distinct_sources,
    "duplicate": single.duplicate,
    "generic": answers.generic,
    "short_answer": answers.short_answer,
    "unique": single.unique,
    "shortcut": single.shortcut,
}
TEXT_GATES: Mapping[str, TextGate] = {
    "direction": sources.direction,
    "answer_leak": leaks.answer_leak,
    "bridge_leak": leaks.bridge_leak,
}


class Refusal(NamedTuple):
    """The gate that refused, and its evidence."""

    gate: str
    finding: Finding

    @property
    def detail(self) -> str:
        """The evidence as one sentence."""
        return str(self.finding)


def check_path(case: Case, rules: Rules, taken: Taken) -> Refusal | None:
    """The first gate that refuses the path, before anything is written."""
    for name, gate in PATH_GATES.items():
        if (finding := gate(case, rules, taken)) is not None:
            return Refusal(name, finding)
    return None


def check_text(case: Case, draft: Draft, taken: Taken) -> Refusal | None:
    """The first gate that refuses the written question."""
    for name, gate in TEXT_GATES.items():
        if (finding := gate(case, draft)) is not None:
            return Refusal(name, finding)
    if (finding := single.same_text(case, draft, taken)) is not None:
        return Refusal("duplicate", finding)
    return None
