"""The curated names of a domain pack: elements, compounds and materials by their usual names.

A structure database knows far more compounds, but not which of their names people use, nor
materials that have no structure. What stands here is checked by hand and goes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from domain.composition import parse_formula
from domain.identity import identity_key

CHEMISTRY = Path(__file__).parent / "chemistry"


@dataclass(frozen=True, slots=True)
class Term:
    """One substance or material.

    `formula` is written the usual way (CaCO3); `cid` is PubChem's. `variant_of` names the term that
    this is a phase, polymorph, hydrate or supported form of: one composition, another thing.
    """

    name: str
    kind: str
    formula: str | None = None
    cid: int | None = None
    variant_of: str | None = None
    aliases: tuple[str, ...] = ()
    symbol: str | None = None  # of an element
    weight: float | None = None  # of an atom of that element, g/mol

    @property
    def surfaces(self) -> tuple[str, ...]:
        """All ways to write it that stand here, the name first."""
        return (self.name, *([self.symbol] if self.symbol else []), *self.aliases)


@dataclass(frozen=True)
class Lexicon:
    """Terms by name and by every way to write them (identity keys)."""

    terms: dict[str, Term]
    by_key: dict[str, Term]

    def find(self, surface: str) -> Term | None:
        """The term that the surface names, spelling differences between British and American aside."""
        key = identity_key(surface)
        return self.by_key.get(key) or self.by_key.get(spelling(key))

    def elements(self) -> dict[str, Term]:
        """Elements by symbol."""
        return {term.symbol: term for term in self.terms.values() if term.symbol}


_SPELLINGS = (
    ("sulph", "sulf"),
    ("aluminum", "aluminium"),
    ("cesium", "caesium"),
    ("disulphide", "disulfide"),
    ("stabilized", "stabilised"),
    ("fiber", "fibre"),
    ("haem", "hem"),
)


def spelling(key: str) -> str:
    """One spelling for the words that British and American chemists write differently."""
    for other, ours in _SPELLINGS:
        if other in key:
            key = key.replace(other, ours)
    return key


def read_table(path: Path) -> Iterator[dict[str, str]]:
    """Rows of a tab-separated file: lines that begin with `# ` are comments, the first other is the head."""
    lines = (line.rstrip("\n") for line in path.read_text(encoding="utf-8").split("\n"))
    kept = [line for line in lines if line and not line.startswith("# ")]
    head = kept[0].split("\t")
    for line in kept[1:]:
        yield dict(zip(head, line.split("\t"), strict=True))


def _term(row: dict[str, str]) -> Term:
    return Term(
        name=row["name"],
        kind=row["kind"],
        formula=row["formula"] or None,
        cid=int(row["cid"]) if row.get("cid") else None,
        variant_of=row.get("variant_of") or None,
        aliases=tuple(alias for alias in row["aliases"].split("|") if alias),
        symbol=row.get("symbol") or None,
        weight=float(row["weight"]) if row.get("weight") else None,
    )


@lru_cache(maxsize=8)
def load_lexicon(folder: Path = CHEMISTRY) -> Lexicon:
    """Read `elements.tsv`, `compounds.tsv` and `materials.tsv` of a pack's folder, those that there are.

    Raises ValueError if one name stands for two terms, or a variant for nothing.
    """
    terms: dict[str, Term] = {}
    by_key: dict[str, Term] = {}
    for table in ("elements.tsv", "compounds.tsv", "materials.tsv"):
        path = folder / table
        for row in read_table(path) if path.exists() else ():
            term = _term(row)
            terms[term.name] = term
            for surface in term.surfaces:
                for key in {identity_key(surface), spelling(identity_key(surface))}:
                    if by_key.setdefault(key, term) is not term:
                        raise ValueError(f"{path.name}: {surface!r} names {term.name} and {by_key[key].name}")
    for term in terms.values():
        if term.variant_of and term.variant_of not in terms:
            raise ValueError(f"{term.name} is a variant of {term.variant_of}, which is no term")
    _add_formulas(terms, by_key)
    return Lexicon(terms, by_key)


def _add_formulas(terms: dict[str, Term], by_key: dict[str, Term]) -> None:
    """A formula is a name too, where exactly one term has it and it is no mere molecular formula.

    C4H10O says nothing about which of seven compounds is meant, so formulas with hydrogen and two
    carbon atoms or more are left out. A phase shares its formula with the compound, which it then names.
    """
    owners: dict[str, list[Term]] = {}
    for term in terms.values():
        if term.formula and not term.variant_of and not _is_molecular(term.formula):
            owners.setdefault(identity_key(term.formula), []).append(term)
    for key, found in owners.items():
        if len(found) == 1:
            by_key.setdefault(key, found[0])


def _is_molecular(formula: str) -> bool:
    atoms = parse_formula(formula) or {}
    return atoms.get("C", 0) >= 2 and "H" in atoms
