"""The gold list of facts (`facts.tsv`), and the paths that they make."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FACTS = Path(__file__).resolve().parent / "facts.tsv"

# Formulas that stand in the texts for a compound which has a name elsewhere.
SAME = {
    "CO": "carbon monoxide",
    "CO2": "carbon dioxide",
    "Co": "cobalt",
    "H2O": "water",
    "H2O2": "hydrogen peroxide",
    "MgCl2": "magnesium chloride",
    "Na2CO3": "sodium carbonate",
    "NaCl": "sodium chloride",
    "TiO2": "titanium dioxide",
}


@dataclass(frozen=True)
class Fact:
    """subject -[predicate]-> object, as they stand in `sentence` (ASCII formulas, no citations)."""

    paper: str
    subject: str
    predicate: str
    object: str
    sentence: str

    @property
    def ends(self) -> tuple[str, str]:
        """Subject and object as keys: names in lower case, codes and formulas as they are."""
        return entity_key(self.subject), entity_key(self.object)

    @property
    def sense(self) -> str:
        """The predicate without its verb of making: what must have one subject for an object."""
        text = re.sub(r"\b(usually|mainly|the)\b", "", self.predicate)
        text = re.sub(r"^is \w+ (?=by|from)", "", " ".join(text.split()))
        return " ".join(text.split())


def entity_key(name: str) -> str:
    """`Carbon monoxide`, `carbon monoxide` and `CO` are one; `Co` and `CO` are two."""
    if name in SAME:
        return SAME[name]
    return re.sub(r"[A-Z](?=[a-z]{2})", lambda first: first.group().lower(), name, count=1)


def facts() -> list[Fact]:
    """All facts, in the order of the papers."""
    with FACTS.open(encoding="utf-8", newline="") as lines:
        return [Fact(**row) for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def paths(known: list[Fact], hops: int) -> Iterator[tuple[Fact, ...]]:
    """Chains of facts in their direction, with distinct entities and distinct papers."""
    leaving: dict[str, list[Fact]] = defaultdict(list)
    for fact in known:
        leaving[fact.ends[0]].append(fact)

    def grow(chain: tuple[Fact, ...]) -> Iterator[tuple[Fact, ...]]:
        if len(chain) == hops:
            yield chain
            return
        seen = {chain[0].ends[0], *(fact.ends[1] for fact in chain)}
        papers = {fact.paper for fact in chain}
        for fact in leaving[chain[-1].ends[1]]:
            if fact.ends[1] not in seen and fact.paper not in papers:
                yield from grow((*chain, fact))

    for fact in known:
        yield from grow((fact,))


def survivors(known: list[Fact], hops: int) -> list[tuple[Fact, ...]]:
    """Paths whose hops have one subject for predicate and object, and over which no edge leaps."""
    holders: dict[tuple[str, str], set[str]] = defaultdict(set)
    joined = set()
    for fact in known:
        holders[fact.sense, fact.ends[1]].add(fact.ends[0])
        joined.add(frozenset(fact.ends))

    def fit(chain: tuple[Fact, ...]) -> bool:
        stops = [chain[0].ends[0], *(fact.ends[1] for fact in chain)]
        apart = ((i, j) for i in range(len(stops)) for j in range(i + 2, len(stops)))
        leaps = any(frozenset((stops[i], stops[j])) in joined for i, j in apart)
        return not leaps and all(len(holders[fact.sense, fact.ends[1]]) == 1 for fact in chain)

    return [chain for chain in paths(known, hops) if fit(chain)]
