"""Which compound a name means: curated names first, then the database of `chemicals`.

Synonyms in the database are not all true ones: polyethylene stands there for ethylene, adipate
for adipic acid, rutile for titanium dioxide. What could join two things is refused, so that a
missing answer is the worst that happens.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from domain.composition import ELEMENTS, parse_formula, split_charge
from domain.compound_database import Row, database
from domain.identity import display_name, identity_key, is_formula
from domain.packs.lexicon import Term, load_lexicon
from domain.packs.pack import load_pack


@dataclass(frozen=True)
class Compound:
    """A compound with its identifiers; what is not known is None.

    `formula` is written the usual way where the name is a curated one, else in Hill order.
    `weight` is in g/mol.
    """

    name: str
    formula: str | None
    smiles: str | None
    inchikey: str | None
    cid: int | None
    weight: float | None
    cas: str | None
    synonyms: tuple[str, ...]


def lookup(surface: str) -> Compound | None:
    """The compound that the surface names; None where it names none, or more than one."""
    found = candidates(surface)
    return found[0] if len(found) == 1 else None


def candidates(surface: str) -> list[Compound]:
    """All compounds that the surface may name, e.g. three for glutamic acid without a stereo label."""
    return list(_candidates(display_name(surface)))


def same_compound(a: str, b: str) -> bool:
    """Whether two names mean one compound: equal keys, one curated term, or one InChIKey.

    A SMILES string counts as a name of what it describes. Phases, polymorphs, hydrates and supported
    forms are apart from their compound, ions from their element, and isomers from each other.
    """
    if identity_key(a) == identity_key(b):
        return True
    lexicon = load_lexicon()
    first, second = lexicon.find(a), lexicon.find(b)
    if first and second:
        return first.name == second.name
    if (first and first.variant_of) or (second and second.variant_of):
        return False
    one, other = lookup(a), lookup(b)
    if one and other:
        return one.inchikey is not None and one.inchikey == other.inchikey
    if one or other:
        known, text = (one, b) if one else (other, a)
        return known is not None and known.smiles is not None and known.smiles == text.strip()
    return False


@lru_cache(maxsize=32768)
def _candidates(name: str) -> tuple[Compound, ...]:
    term = load_lexicon().find(name)
    if term is not None:
        return (_from_term(term),) if _has_structure(term) else ()
    rows = _by_formula(name) if is_formula(name) else _by_name(name)
    return tuple(_from_row(row) for row in rows)


def _has_structure(term: Term) -> bool:
    """Elements and compounds are curated with a formula or a CID; phases and materials are no compounds."""
    return term.variant_of is None and (term.cid is not None or term.formula is not None)


# ---------------------------------------------------------------- curated terms


@lru_cache(maxsize=4096)
def _from_term(term: Term) -> Compound:
    row = database().by_cid(term.cid) if term.cid else None
    own = tuple(surface for surface in term.surfaces if surface != term.name)
    return Compound(
        name=term.name,
        formula=term.formula or (row.formula if row else None),
        smiles=row.smiles if row else None,
        inchikey=row.inchikey if row else None,
        cid=term.cid,
        weight=row.weight if row else _weight(term.formula),
        cas=row.cas if row else None,
        synonyms=tuple(dict.fromkeys((*own, *(_true_synonyms(row) if row else ())))),
    )


def _weight(formula: str | None) -> float | None:
    """Molar mass from the atoms of the formula."""
    atoms = parse_formula(formula) if formula else None
    if not atoms:
        return None
    elements = load_lexicon().elements()
    weights = [(count, elements[symbol].weight) for symbol, count in atoms.items() if symbol in elements]
    if len(weights) < len(atoms):
        return None
    return round(sum(count * (weight or 0.0) for count, weight in weights), 4)


# ---------------------------------------------------------------- the database

_GREEK = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "epsilon",
    "ζ": "zeta",
    "η": "eta",
    "θ": "theta",
    "κ": "kappa",
    "λ": "lambda",
    "μ": "mu",
    "ω": "omega",
}
_GREEK_LETTER = re.compile("[" + "".join(_GREEK) + "]")


def database_name(name: str) -> str:
    """A name as the database spells it: lower case, Greek letters as words, American elements."""
    spelled = _GREEK_LETTER.sub(lambda match: _GREEK[match[0]], name).lower()
    return (
        spelled.replace("sulph", "sulf").replace("aluminium", "aluminum").replace("caesium", "cesium").strip()
    )


def _by_name(name: str) -> list[Row]:
    if len(name) < 3 or _is_abbreviation(name):
        return []
    spelled = database_name(name)
    rows = [row for row in database().by_name(spelled) if is_true_synonym(spelled, row)]
    distinct = {row.inchikey: row for row in rows}
    if len(distinct) > 1:
        # radicals carry the names of their molecules as synonyms: a first name beats those
        first = {
            key: row for key, row in distinct.items() if spelled in (row.iupac.lower(), row.common.lower())
        }
        if len(first) == 1:
            distinct = first
    return list(distinct.values())


def _is_abbreviation(name: str) -> bool:
    """Capitals with or without digits: DMF, NMC811, UiO-66. The database's ones are unsafe (FOR, IS, DFT)."""
    letters = re.sub(r"[^A-Za-z]", "", name)
    return sum(letter.isupper() for letter in letters) * 2 >= len(letters) or (
        " " not in name and name[1:] != name[1:].lower() and "-" not in name
    )


_SUPPORTED = re.compile(r"\b(?:on|with|in|and|supported|mixture|solution|powder|nano\w*|black)\b|/")
_HYDRATE = re.compile(r"hydrate\b")
_GREEK_WORD = re.compile(r"^\.?(?:alpha|beta|gamma|delta|epsilon|eta|theta|kappa)\b")


def is_true_synonym(name: str, row: Row) -> bool:
    """Whether the row's synonym `name` (lower case) can be trusted to mean the row's compound."""
    first = (row.iupac.lower(), row.common.lower())
    if name in first:
        return True
    inorganic = not (_hill_atoms(row.formula).get("C") and _hill_atoms(row.formula).get("H"))
    untrue = (
        name.startswith("poly") and not any(known.startswith("poly") for known in first),
        name.endswith(("ate", "ite")) and any(known.endswith("acid") for known in first),
        name.endswith("acid") and row.formula[-1:] in "+-",
        bool(_HYDRATE.search(name)) and not any("hydrate" in known for known in first),
        bool(_SUPPORTED.search(name)),
        inorganic and bool(_GREEK_WORD.match(name)),
        inorganic and " " not in name and name.endswith("ite"),  # a mineral
        inorganic and name.endswith(("ide", "ates")) and " " not in name and row.formula[-1:] not in "+-",
        bool(re.search(r"\d{4,}", name)),  # registry and trade numbers
    )
    return not any(untrue)


def _by_formula(formula: str) -> list[Row]:
    """Compounds of an inorganic formula, or an ion's. An organic molecular formula names nothing."""
    body, charge = split_charge(formula)
    atoms = parse_formula(formula)
    if not atoms or ("C" in atoms and "H" in atoms) or (len(atoms) == 1 and not charge and body in ELEMENTS):
        return []
    if "·" in formula or any(count != int(count) for count in atoms.values()):
        return []
    rows = database().by_formula(_hill(atoms, charge))
    return rows if len(rows) == 1 else []


def _hill(atoms: Mapping[str, float], charge: str) -> str:
    """Hill order as the database writes it: C, H, then the alphabet; charge as in Fe+3, O4S-2, Na+."""
    order = (
        sorted(atoms)
        if "C" not in atoms
        else ["C", *(["H"] if "H" in atoms else []), *sorted(set(atoms) - {"C", "H"})]
    )
    body = "".join(f"{symbol}{int(atoms[symbol]) if atoms[symbol] != 1 else ''}" for symbol in order)
    if not charge:
        return body
    sign = charge.strip("0123456789")[0]
    size = charge.strip("+-") or (str(len(charge)) if len(charge) > 1 else "")
    return f"{body}{sign}{size if size != '1' else ''}"


@lru_cache(maxsize=4096)
def _hill_atoms(formula: str) -> dict[str, int]:
    return {symbol: int(count or 1) for symbol, count in re.findall(r"([A-Z][a-z]?)(\d*)", formula)}


def _true_synonyms(row: Row) -> tuple[str, ...]:
    """Synonyms worth keeping as names: no registry numbers, nothing that means another thing.

    Nickel carries "nickel compounds" and "raney nickel" in the database, methane "biogas".
    """
    lexicon, pack = load_lexicon(), load_pack()
    own = {term.name for known in (row.iupac, row.common) if (term := lexicon.find(known))}
    kept = []
    for name in row.synonyms:
        if not _READABLE.fullmatch(name) or _is_word(name) or _OTHER_THING.search(name):
            continue
        if name.lower() in pack.stop_names or pack.is_generic(name):  # "alcohol" of ethanol
            continue
        term = lexicon.find(name)
        if is_true_synonym(name.lower(), row) and (term is None or term.name in own or term.cid == row.cid):
            kept.append(name)
    return tuple(kept[:24])


_OTHER_THING = re.compile(
    r"\b(?:compounds?|gas(?:es)?|\w*diesels?|mixtures?|dusts?|fumes?|ores?|powders?|catalysts?|black|sponge|flakes?|leaf|"
    r"colloidal|salts?|alloys?|waste|ash|mist|vapou?rs?|grade|technical|elemental|"
    r"standard|reagent|electronic|metallic|pure)\b|\[[A-Za-z-]+\]|, ",
    re.IGNORECASE,
)
_READABLE = re.compile(r"(?=.*[a-z]{3})[\w(\[][\w ,'()\[\]+-]{2,59}")


def _is_word(name: str) -> bool:
    return name.isalpha() and len(name) < 4


def _usual_charge(hill: str) -> str:
    """O4S-2 -> O4S(2-), Fe+3 -> Fe3+, Na+ as it is."""
    match = re.fullmatch(r"(.+?)([+-])(\d+)", hill)
    if not match:
        return hill
    body, sign, size = match.groups()
    return f"{body}{size}{sign}" if re.fullmatch(r"[A-Z][a-z]?", body) else f"{body}({size}{sign})"


_REGISTRY = re.compile(
    r"[\d-]+|(?:ac1\w*|nsc|brn|ccris|st|mls|unii|hsdb|einecs|zinc|schembl|chembl|ai3|caswell|epa|un|fema)"
    r"[- ]?\w*\d[\w.]*",
    re.IGNORECASE,
)


def _from_row(row: Row) -> Compound:
    return Compound(
        name=readable_name(row),
        formula=_usual_charge(row.formula),
        smiles=row.smiles,
        inchikey=row.inchikey,
        cid=row.cid,
        weight=row.weight,
        cas=row.cas,
        synonyms=_true_synonyms(row),
    )


_PLAIN_INORGANIC = re.compile(
    r"(?P<cation>[a-z]+)(?P<state>\([ivx]+\))? (?:mono|di|tri|tetra|penta|hexa|hepta)?"
    r"(?:oxide|fluoride|chloride|bromide|iodide|sulfide|selenide|nitride|phosphide|carbide|hydride|azide|hydroxide|sulfate|nitrate|carbonate|phosphate)"
)
# Metals of which a name should say the oxidation state.
_SEVERAL_STATES = frozenset(
    """chromium manganese iron cobalt nickel copper vanadium molybdenum tungsten tin lead mercury cerium
    thallium platinum palladium gold ruthenium rhodium iridium titanium antimony""".split()  # noqa: SIM905
)


def _inorganic_name(row: Row) -> str | None:
    """A plainly built name where the common one is none: uranium trioxide, not trioxouranium."""
    atoms = _hill_atoms(row.formula)
    if ("C" in atoms and "H" in atoms) or len(atoms) < 2 or row.formula[-1:] in "+-":
        return None
    if len(row.common.split()) > 1 and not re.search(r"[\d(]", row.common):
        return None
    elements = {term.name for term in load_lexicon().elements().values()} | {"aluminum", "cesium", "ammonium"}
    plain = [
        ((match["state"] is None) == (match["cation"] in _SEVERAL_STATES), len(name), name)
        for synonym in row.synonyms
        if (match := _PLAIN_INORGANIC.fullmatch(name := synonym.lower())) and match["cation"] in elements
    ]
    return _british(min(plain)[2]) if plain else None


def _british(name: str) -> str:
    return name.replace("aluminum", "aluminium").replace("cesium", "caesium").replace("sulph", "sulf")


def readable_name(row: Row) -> str:
    """The name to show for a compound nobody curated: the common one, unless it is a registry number."""
    chosen = _inorganic_name(row) or next(
        (name for name in (row.common, row.iupac, *row.synonyms) if name and not _REGISTRY.fullmatch(name)),
        row.iupac,
    )
    ion = re.fullmatch(r"([A-Z][a-z]?)([+-])(\d?)", row.formula)
    if ion:
        return f"{ion[1]}{ion[3]}{ion[2]}"
    chosen = re.sub(r"\((i{1,3}|iv|vi{0,3})\)", lambda match: match[0].upper(), chosen)
    name = re.sub(r"^(\(?)([dl]|dl|r|s|e|z|n,n|n|o)(?=[-)])", lambda m: m[1] + m[2].upper(), chosen)
    name = re.sub(r"(?<![A-Za-z])[A-Z](?=[a-z]{2})", lambda match: match[0].lower(), name)
    return _british(re.sub(r"^O-", "o-", re.sub(r" \((?:[a-z]+\d*)+\)$", "", name)))
