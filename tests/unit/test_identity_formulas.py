"""Formulas: which tokens are one, and their atoms (counted by hand)."""

from __future__ import annotations

import pytest

from domain.composition import split_charge
from domain.identity import composition, is_formula


@pytest.mark.parametrize(
    ("formula", "atoms"),
    [
        ("CO", {"C": 1, "O": 1}),
        ("Co", {"Co": 1}),
        ("CaH₂", {"Ca": 1, "H": 2}),
        ("Cs₂CO₃", {"Cs": 2, "C": 1, "O": 3}),
        ("Fe³⁺", {"Fe": 1}),
        ("NO3-", {"N": 1, "O": 3}),
        ("SO42-", {"S": 1, "O": 4}),
        ("NH4+", {"N": 1, "H": 4}),
        ("O2-", {"O": 1}),
        ("I3-", {"I": 3}),
        ("CuSO4·5H2O", {"Cu": 1, "S": 1, "O": 9, "H": 10}),
        ("CuSO4.5H2O", {"Cu": 1, "S": 1, "O": 9, "H": 10}),
        ("CaSO4·0.5H2O", {"Ca": 1, "S": 1, "O": 4.5, "H": 1}),
        ("CaSO4.0.5H2O", {"Ca": 1, "S": 1, "O": 4.5, "H": 1}),
        ("Al2(SO4)3", {"Al": 2, "S": 3, "O": 12}),
        ("K4[Fe(CN)6]", {"K": 4, "Fe": 1, "C": 6, "N": 6}),
        ("LiNi0.8Co0.1Mn0.1O2", {"Li": 1, "Ni": 0.8, "Co": 0.1, "Mn": 0.1, "O": 2}),
        # bpy is C10H8N2
        ("[Ru(bpy)3]2+", {"Ru": 1, "C": 30, "H": 24, "N": 6}),
        # PPh3 is P and three C6H5
        ("Pd(PPh3)4", {"Pd": 1, "P": 4, "C": 72, "H": 60}),
        ("Pd(OAc)2", {"Pd": 1, "C": 4, "H": 6, "O": 4}),
        ("MeOH", {"C": 1, "H": 4, "O": 1}),
        ("D2O", {"D": 2, "O": 1}),
        ("13CO2", {"C": 1, "O": 2}),
        ("Fe(III)", {"Fe": 1}),
        ("FeIII", {"Fe": 1}),
    ],
)
def test_composition(formula: str, atoms: dict[str, float]) -> None:
    assert is_formula(formula)
    assert composition(formula) == atoms


@pytest.mark.parametrize("formula", ["La2-xSrxCuO4", "TiO2-x", "YBa2Cu3O7-δ", "LixCoO2"])
def test_a_formula_with_variables_has_no_composition(formula: str) -> None:
    assert is_formula(formula)
    assert composition(formula) is None


NO_FORMULAS = "PVC COF UV IV HeLa AuNP iron Iron Been P3HT THF DMF S1 ZIF-8 2 + methanol pH Ph ( H2)"


@pytest.mark.parametrize("token", [*NO_FORMULAS.split(), "", "x" * 500])
def test_no_formula(token: str) -> None:
    assert not is_formula(token)
    assert composition(token) is None


@pytest.mark.parametrize(
    ("formula", "body", "charge"),
    [
        ("Ca2+", "Ca", "2+"),
        ("NO3-", "NO3", "-"),
        ("SO42-", "SO4", "2-"),
        ("Hg22+", "Hg2", "2+"),
        ("[O2]-", "[O2]", "-"),
        ("[Fe(CN)6]4-", "[Fe(CN)6]", "4-"),
        ("Fe+++", "Fe", "+++"),
        ("NaCl", "NaCl", ""),
    ],
)
def test_charge(formula: str, body: str, charge: str) -> None:
    assert split_charge(formula) == (body, charge)
