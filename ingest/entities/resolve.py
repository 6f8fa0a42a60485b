"""Which entity a mention is: by identifier, else by its name's identity key, never by likeness.

A phase, a hydrate, a supported or a nanosized form shares formula and identifiers with its
compound and is another thing: it gets its own entity that points to the compound.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from domain.composition import ELEMENTS
from domain.compounds import Compound, lookup
from domain.identity import display_name, identity_key, is_formula
from domain.ids import stable_id
from domain.packs.lexicon import Term
from domain.packs.pack import DomainPack
from graph.models import EntityRecord
from ingest.entities.abbreviations import Definitions

_MOST_ALIASES = 6  # others are hardly ever written, and each costs a node
_PHASE = re.compile(r"(?P<prefix>[α-ω][′″']{0,2}|[htmcgl]|[1-4][THR]['′]?)-(?P<base>[A-Z].*)")
_SUPPORTED = re.compile(r"(?P<metal>[A-Z][a-z]?)[\w.-]*/.+")
_HYDRATE_NAME = re.compile(
    r"(?P<base>.+) (?:(?:hemi|mono|sesqui|di|tri|tetra|penta|hexa|hepta|octa|nona|deca|dodeca)?hydrate)"
)
_FIRST_WORD = re.compile(r"[^A-Za-z]*([A-Z][a-z]{2,})(?![A-Za-z]*[A-Z])")
_ISOTOPE = re.compile(r"(?P<base>[A-Za-z]{3,})-\d{1,3}")
_HYDRATE_FORMULA = re.compile(r"(?P<base>.+?)·.*H2O")


class Resolver:
    """Entities by surface, for one pack. One instance serves any number of documents."""

    def __init__(self, pack: DomainPack) -> None:
        self._pack = pack
        self._resolve = lru_cache(maxsize=32768)(self._resolve_uncached)

    def resolve(self, surface: str, known: Definitions | None = None) -> EntityRecord:
        """The entity that the surface names, in a document that defines the abbreviations `known`."""
        return self._resolve(self.written_out(surface, known or {}))

    @staticmethod
    def written_out(surface: str, known: Mapping[str, str]) -> str:
        return known.get(surface, surface)

    def _resolve_uncached(self, surface: str) -> EntityRecord:
        pack = self._pack
        term = self._term(surface)
        compound = None if self._has_parent(surface, term) else self._compound(surface, term)
        name = _name(surface, term, compound)
        parent = self._parent_name(name)
        return EntityRecord(
            id=stable_id("ent", _identity(name, compound)),
            name=name,
            kind=term.kind if term else pack.kind_of(name, compound),
            key=identity_key(name),
            aliases=_aliases(name, surface, term, compound),
            inchikey=compound.inchikey if compound else None,
            cid=compound.cid if compound else None,
            smiles=compound.smiles if compound else None,
            formula=compound.formula if compound else (term.formula if term else _own_formula(name)),
            weight=compound.weight if compound else None,
            variant_of=self._resolve(parent).id if parent else None,
            generic=pack.is_generic(name),
        )

    def _term(self, surface: str) -> Term | None:
        term = self._pack.lexicon.find(surface)
        if term is None and surface.endswith("s"):
            term = self._pack.lexicon.find(surface[:-1])
        return term

    def _compound(self, surface: str, term: Term | None) -> Compound | None:
        name = surface.lower()
        if term is None and (name in self._pack.ambiguous_names or name in self._pack.stop_names):
            return None
        return lookup(term.name if term else surface)

    def _has_parent(self, surface: str, term: Term | None) -> bool:
        return bool(term and term.variant_of) or (term is None and self._parent_name(surface) is not None)

    def _is_element(self, name: str) -> bool:
        term = self._pack.lexicon.find(name)
        return term is not None and term.symbol is not None

    def _parent_name(self, name: str) -> str | None:  # noqa: PLR0911 - one way of writing a form a line
        """Surface of the compound that the name is a form of."""
        term = self._pack.lexicon.find(name)
        if term is not None:
            return term.variant_of
        shown = display_name(name)
        if (phase := _PHASE.fullmatch(shown)) and is_formula(phase["base"]):
            return phase["base"]
        if (supported := _SUPPORTED.fullmatch(shown)) and supported["metal"] in ELEMENTS:
            return supported["metal"]
        if (hydrate := _HYDRATE_FORMULA.fullmatch(shown)) and is_formula(hydrate["base"]):
            return hydrate["base"]
        if hydrate := _HYDRATE_NAME.fullmatch(shown):
            return hydrate["base"]
        if (isotope := _ISOTOPE.fullmatch(shown)) and self._is_element(isotope["base"]):
            return isotope["base"]
        base, _, last = shown.rpartition(" ")
        return base if base and last.lower() in self._pack.form_words else None


def _identity(name: str, compound: Compound | None) -> str:
    """What the entity's id is made of: InChIKey, else PubChem CID, else the identity key."""
    if compound and compound.inchikey:
        return compound.inchikey
    if compound and compound.cid:
        return f"cid:{compound.cid}"
    return identity_key(name)


def _name(surface: str, term: Term | None, compound: Compound | None) -> str:
    """The usual name: as curated, else the database's, else the surface with its sentence case taken off."""
    if term:
        return term.name
    if compound:
        return compound.name
    shown = display_name(surface)
    first = _FIRST_WORD.match(shown)
    if first and not is_formula(shown):
        return shown[: first.start(1)] + shown[first.start(1)].lower() + shown[first.start(1) + 1 :]
    return shown


def _own_formula(name: str) -> str | None:
    return name if is_formula(name) else None


def _aliases(name: str, surface: str, term: Term | None, compound: Compound | None) -> tuple[str, ...]:
    """Other names worth knowing: the surface, curated ones, then what the database adds."""
    names = [display_name(surface)]
    if term:
        names += [term.symbol] if term.symbol and len(term.symbol) > 1 else []
        names += term.aliases
        if term.formula and not term.variant_of:
            names.append(term.formula)
    if compound:
        names += compound.synonyms
    own = identity_key(name)
    distinct = {identity_key(alias): alias for alias in reversed(names) if identity_key(alias) != own}
    return tuple(reversed([*distinct.values()]))[:_MOST_ALIASES]
