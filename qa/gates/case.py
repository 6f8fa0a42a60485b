"""What the gates look at: a path with all that the graph says about it, and the written question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from domain.identity import identity_key
from domain.packs import DomainPack
from graph.models import EntityRecord, Evidence, OneHop, PathRecord

Fact = tuple[str, str, str]  # subject id, lemma, object id


class Finding(NamedTuple):
    """The evidence against a question, and the hop that it concerns where it is not the whole."""

    detail: str
    hop: int | None = None

    def __str__(self) -> str:
        return self.detail if self.hop is None else f"hop {self.hop}: {self.detail}"


class Rival(NamedTuple):
    """Another subject that holds the same relation to the same object."""

    entity_id: str
    name: str
    relation_id: str
    document_id: str


class Link(NamedTuple):
    """A relation between two entities of the path."""

    subject_id: str
    object_id: str
    predicate: str
    relation_id: str


@dataclass(frozen=True)
class Case:
    """A path of K hops as the graph holds it now.

    evidence: K, in hop order; None where the relation or its chunk is gone.
    entities: K + 1, in path order; None where one is gone.
    rivals: K, for each hop the other subjects of its fact.
    links: relations between entities that are not neighbours on the path.
    together: a chunk that mentions both ends, and how many such chunks there are.
    spread: for the two ends, (documents, predicates) they occur in.
    documents: how many documents the corpus has.
    """

    path: PathRecord
    evidence: tuple[Evidence | None, ...]
    entities: tuple[EntityRecord | None, ...]
    rivals: tuple[tuple[Rival, ...], ...] = ()
    links: tuple[Link, ...] = ()
    together: tuple[str, int] | None = None
    spread: dict[str, tuple[int, int]] = field(default_factory=dict)
    documents: int = 0

    @cached_property
    def hops(self) -> tuple[Evidence, ...]:
        """The evidence, once the `evidence` gate has found all of it there."""
        return tuple(each for each in self.evidence if each is not None)

    @cached_property
    def nodes(self) -> tuple[EntityRecord, ...]:
        """The entities, once the `evidence` gate has found all of them there."""
        return tuple(each for each in self.entities if each is not None)

    @cached_property
    def facts(self) -> frozenset[Fact]:
        """What the path states, apart from where it is stated."""
        return frozenset(
            (each.relation.subject_id, each.relation.lemma, each.relation.object_id) for each in self.hops
        )

    @property
    def shortcuts(self) -> int:
        """Pairs of entities that are not neighbours on the path and yet share an edge (Table 1a)."""
        return len({frozenset((link.subject_id, link.object_id)) for link in self.links})


@dataclass(frozen=True)
class Draft:
    """A written question. `one_hops` are in hop order: the first one's answer is the answer."""

    text: str
    answer: str
    one_hops: tuple[OneHop, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rules:
    """What the gates are told to allow."""

    pack: DomainPack
    allow_shortcuts: bool = False


@dataclass
class Taken:
    """What the accepted questions of the set already ask."""

    facts: set[tuple[str, frozenset[Fact]]] = field(default_factory=set)  # answer entity, facts
    texts: set[str] = field(default_factory=set)

    def add(self, case: Case, text: str) -> None:
        """Count an accepted question."""
        self.facts.add((case.path.entity_ids[0], case.facts))
        self.texts.add(text)

    def know(self, entity_ids: Sequence[str], lemmas: Sequence[str], text: str) -> None:
        """Count a question accepted in an earlier run, from its path."""
        facts = frozenset(zip(entity_ids, lemmas, entity_ids[1:], strict=False))
        self.facts.add((entity_ids[0], facts))
        self.texts.add(text)

    def holds(self, case: Case, text: str) -> bool:
        """Whether the same is asked already."""
        return (case.path.entity_ids[0], case.facts) in self.facts or text in self.texts


def names(entity: EntityRecord) -> tuple[str, ...]:
    """Everything that would give the entity away: name, aliases, formula, identifiers."""
    found = [entity.name, *entity.aliases, entity.formula, entity.inchikey, entity.smiles]
    return tuple(dict.fromkeys(name for name in found if name))


def keys(entity: EntityRecord) -> frozenset[str]:
    """Identity keys of all its names."""
    return frozenset(identity_key(name) for name in names(entity))
