"""Names of compounds: the curated tables against the database, and what may be joined."""

from __future__ import annotations

import re

import pytest

from domain.compound_database import database
from domain.compounds import candidates, lookup, same_compound
from domain.identity import composition
from domain.packs.lexicon import Term, load_lexicon

TERMS = load_lexicon().terms
WITH_CID = [term for term in TERMS.values() if term.cid]


def _atoms(formula: str) -> dict[str, float]:
    """Atoms of a formula in Hill order, which `composition` may take for an abbreviation (HKO)."""
    body = re.sub(r"[+-]\d*$|\(\d+[+-]\)$", "", formula)
    if re.fullmatch(r"(?:[A-Z][a-z]?\d*)+", body):
        counts: dict[str, float] = {}
        for symbol, number in re.findall(r"([A-Z][a-z]?)(\d*)", body):
            counts[symbol] = counts.get(symbol, 0.0) + float(number or 1)
        return counts
    return composition(formula) or {}


def test_every_curated_identifier_belongs_to_a_compound_of_that_formula() -> None:
    wrong: list[tuple[str, object, str]] = []
    for term in WITH_CID:
        row = database().by_cid(term.cid or 0)
        if row is None:
            wrong.append((term.name, term.cid, "not in the database"))
        elif term.formula and term.kind != "ion":
            theirs, ours = _atoms(row.formula), _atoms(term.formula)
            if ours != theirs and not _is_allotrope(term, ours, theirs):
                wrong.append((term.name, term.formula, row.formula))
    assert wrong == []


def _is_allotrope(term: Term, ours: dict[str, float], theirs: dict[str, float]) -> bool:
    """P4O10 and P2O5, S and S8: the same proportions."""
    return set(ours) == set(theirs) and len({ours[symbol] / theirs[symbol] for symbol in ours}) == 1


def test_no_two_curated_terms_share_an_identifier() -> None:
    seen: dict[int, str] = {}
    for term in WITH_CID:
        assert term.cid is not None
        assert seen.setdefault(term.cid, term.name) == term.name


def test_every_element_to_californium_stands_in_the_table() -> None:
    elements = load_lexicon().elements()
    assert len(elements) == 98
    assert elements["Co"].name == "cobalt"
    assert elements["Fe"].weight == pytest.approx(55.845)  # IUPAC standard atomic weight


@pytest.mark.parametrize(
    ("surface", "name"),
    [
        ("MeOH", "methanol"),
        ("Methanol", "methanol"),
        ("DMF", "N,N-dimethylformamide"),
        ("CO", "carbon monoxide"),
        ("Co", "cobalt"),
        ("CO₂", "carbon dioxide"),
        ("carbon dioxide", "carbon dioxide"),
        ("Ca²⁺", "Ca2+"),
        ("Fe3+", "Fe3+"),
        ("sulphuric acid", "sulfuric acid"),
        ("H2SO4", "sulfuric acid"),
        ("Aluminum oxide", "aluminium oxide"),
        ("Fe2O3", "iron(III) oxide"),
        ("2-butanol", "2-butanol"),
        ("butan-2-ol", "2-butanol"),
        ("haloperidol", "haloperidol"),
        ("phthalonitrile", "phthalonitrile"),
        ("La3+", "La3+"),
        ("uranyl nitrate", "uranyl nitrate"),
    ],
)
def test_names_that_mean_one_compound(surface: str, name: str) -> None:
    found = lookup(surface)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    "surface",
    [
        "polyethylene",  # the database has it as a synonym of ethylene
        "poly(vinyl chloride)",
        "rutile",  # a phase
        "palladium on carbon",
        "FOR",  # an abbreviation of formaldehyde in the database
        "C4H10O",  # seven compounds
        "graphite",
        "",
        "and",
    ],
)
def test_names_that_mean_no_compound(surface: str) -> None:
    assert lookup(surface) is None


def test_an_ambiguous_name_gives_its_candidates_and_no_compound() -> None:
    assert lookup("borneol") is None or len(candidates("borneol")) == 1
    several = candidates("alanine")
    assert len(several) > 1
    assert lookup("alanine") is None


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("CO2", "carbon dioxide", True),
        ("CO₂", "CO2", True),
        ("Methanol", "MeOH", True),
        ("MAPbI3", "methylammonium lead iodide", True),
        ("ethanol", "CCO", True),  # a SMILES string
        ("water", "steam", True),
        ("sulfuric acid", "sulphuric acid", True),
        ("CO", "Co", False),
        ("1-butanol", "2-butanol", False),
        ("H2O", "H2O2", False),
        ("Li", "Li+", False),
        ("rutile", "TiO2", False),
        ("rutile", "anatase", False),
        ("α-Fe2O3", "γ-Fe2O3", False),
        ("Pd/C", "palladium", False),
        ("gypsum", "calcium sulfate", False),
        ("CuSO4", "CuSO4·5H2O", False),
        ("adipic acid", "adipate", False),
        ("polystyrene", "styrene", False),
        ("maleic acid", "fumaric acid", False),
    ],
)
def test_same_compound(a: str, b: str, same: bool) -> None:
    assert same_compound(a, b) is same
    assert same_compound(b, a) is same


def test_weights_come_from_the_database_or_the_atoms() -> None:
    salt, hydride = lookup("NaCl"), lookup("LaH10")
    assert salt is not None and salt.weight == pytest.approx(58.443, abs=0.001)
    # La 138.90547 + 10 H 1.00794
    assert hydride is not None and hydride.weight == pytest.approx(148.985, abs=0.001)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("methane", "biogas"),
        ("methane", "natural gas"),
        ("carbon monoxide", "flue gas"),
        ("nickel", "raney nickel"),
        ("nickel", "nickel compounds"),
        ("iron", "carbonyl iron"),
        ("titanium dioxide", "rutile"),
    ],
)
def test_synonyms_that_are_other_things_are_left_out(name: str, other: str) -> None:
    found = lookup(name)
    assert found is not None
    assert other not in {synonym.lower() for synonym in found.synonyms}


def test_synonyms_hold_no_registry_numbers_and_no_polymers() -> None:
    ethylene = lookup("ethylene")
    assert ethylene is not None
    assert "ethene" in ethylene.synonyms
    assert not any(name.lower().startswith("poly") or re.search(r"\d{4}", name) for name in ethylene.synonyms)
