"""How the audit cuts texts into words."""

from __future__ import annotations

import pytest

from qa.audit import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which acid dissolves CO₂?", ["which", "acid", "dissolves", "CO2"]),
        ("Fe³⁺ and Fe2+", ["Fe3+", "and", "Fe2+"]),
        ("1‑Butanol, not 2-butanol;", ["1-butanol", "not", "2-butanol"]),
        ("(TiO2) [Fe(CN)6]3- Iron(III)", ["TiO2", "[Fe(CN)6]3-", "iron(III)"]),
        ("Tin, Co, CO and MgCl2", ["tin", "Co", "CO", "and", "MgCl2"]),
        ("N-doped ZIF-8/graphene", ["N", "ZIF-8", "graphene"]),
        ("ammonia's “water”", ["ammonia", "water"]),
        ("Co—CO", ["Co", "CO"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected
