"""Identity of names: what unifies and what stays apart (ARCHITECTURE, Chemical identity)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.composition import ELEMENTS
from domain.identity import display_name, identity_key, names_in, normalise

SAME = [
    ("CO₂", "CO2"),
    ("Fe³⁺", "Fe3+"),
    ("SO₄²⁻", "SO42-"),
    ("I₃⁻", "I3-"),
    ("1–butanol", "1-butanol"),
    ("1\u2011butanol", "1-Butanol"),
    ("µ-oxo", "μ-oxo"),
    ("𝛼-pinene", "α-pinene"),
    ("alpha-pinene", "α-pinene"),
    ("2,2′-bipyridine", "2,2'-bipyridine"),
    ("2,2’-bipyridine", "2,2'-Bipyridine"),
    ("2,2':6',2\"-terpyridine", "2,2′:6′,2″-terpyridine"),
    ("CuSO₄•5H₂O", "CuSO4·5H2O"),
    ("CuSO4 ⋅ 5H2O", "CuSO4.5H2O"),
    ("CaSO₄·0.5H₂O", "CaSO4.0.5H2O"),
    ("sodium\u2009chloride", "sodium chloride"),
    ("sodium\u00a0chloride", "Sodium Chloride"),
    ("meth\u00adanol", "methanol"),
    ("Schiffbase\u0301", "Schiffbasé"),
    ("Methanol", "methanol"),
    ("Iron(II) chloride", "iron (II) chloride"),
    ("¹³C", "13C"),
    ("graphene,", "graphene"),
    ("(methanol)", "methanol"),
]
APART = [
    ("Co", "CO"),
    ("Co", "co"),
    ("CO", "CO2"),
    ("H2O", "H2O2"),
    ("Li", "Li+"),
    ("Fe2+", "Fe3+"),
    ("1-butanol", "2-butanol"),
    ("12C", "13C"),
    ("(R)-BINAP", "(S)-BINAP"),
    ("cis-2-butene", "trans-2-butene"),
    ("D-glucose", "L-glucose"),
    ("d-glucose", "D-glucose"),
    ("2,2'-bipyridine", "2,2-bipyridine"),
    ("α-Fe2O3", "γ-Fe2O3"),
    ("α-Fe2O3", "Fe2O3"),
    ("CuSO4·5H2O", "CuSO4"),
    ("iron(II)", "iron(III)"),
    ("O₂⁻", "O²⁻"),  # superoxide and oxide, one string in careless ASCII
    ("N₃⁻", "N³⁻"),  # azide and nitride
    ("pH", "Ph"),
    ("NMC811", "NMC622"),
    ("In", "in"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_forms_of_writing_unify(one: str, other: str) -> None:
    assert identity_key(one) == identity_key(other)


@pytest.mark.parametrize(("one", "other"), APART)
def test_meaning_stays_apart(one: str, other: str) -> None:
    assert identity_key(one) != identity_key(other)


@pytest.mark.parametrize(
    ("surface", "name"),
    [
        ("CO₂", "CO2"),
        ("Ca²⁺", "Ca2+"),
        ("H⁻", "H-"),
        ("α‐Fe₂O₃", "α-Fe2O3"),
        ("CuSO₄ · 5 H₂O".replace("5 ", "5"), "CuSO4·5H2O"),
        ("Methanol", "Methanol"),
        ("spiro‑OMeTAD", "spiro-OMeTAD"),
    ],
)
def test_display_name(surface: str, name: str) -> None:
    assert display_name(surface) == name


# ---------------------------------------------------------------- properties

_TO_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_texts = st.text(
    alphabet=st.one_of(
        st.characters(blacklist_categories=("Cs", "Cc", "Co", "Cn")),
        st.sampled_from("CHNOFe0123456789₂³⁺⁻-–−'′·•(),αµ \u00a0\u00ad"),
    ),
    max_size=40,
)
_formulas = st.lists(
    st.tuples(st.sampled_from(sorted(ELEMENTS)), st.integers(2, 99) | st.none()), min_size=1, max_size=5
).map(lambda parts: "".join(f"{element}{number or ''}" for element, number in parts))
_words = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=12)


@given(_texts)
def test_normalise_is_idempotent_and_needs_no_second_pass(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert normalise(unicodedata.normalize("NFD", text)) == normalise(unicodedata.normalize("NFC", text))


@given(_formulas)
def test_subscripts_never_matter_in_a_formula(formula: str) -> None:
    assert identity_key(formula.translate(_TO_SUBSCRIPT)) == identity_key(formula)


@given(_formulas, _formulas)
def test_formulas_share_a_key_only_if_they_are_written_alike(one: str, other: str) -> None:
    assert (identity_key(one) == identity_key(other)) == (one == other)


@given(_words, st.integers(1, 9), st.integers(1, 9))
def test_words_fold_case_and_locants_count(word: str, one: int, other: int) -> None:
    assert identity_key(f"{one}-{word.capitalize()}") == identity_key(f"{one}–{word}")
    assert (identity_key(f"{one}-{word}") == identity_key(f"{other}-{word}")) == (one == other)


@given(_formulas, st.sampled_from(["+", "2+", "3+", "2-", "-"]))
def test_a_charge_always_counts(formula: str, charge: str) -> None:
    assert identity_key(formula + charge) != identity_key(formula)


@given(st.lists(_words, min_size=1, max_size=6, unique=True))
def test_every_name_of_a_plain_list_is_found(words: list[str]) -> None:
    # "lead" in "to lead" is the one word of prose that is kept apart by its context
    words = [word for word in words if word != "lead"]
    text = "The compounds " + ", ".join(words) + "."
    assert names_in(text, [identity_key(word) for word in words]) >= set(words)


# ---------------------------------------------------------------- names in a text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ZIF-8/graphene composites", "ZIF-8"),
        ("ZIF-8/graphene composites", "graphene"),
        ("the CaH₂(100)/H₂ interface", "CaH2"),
        ("the CaH₂(100)/H₂ interface", "H2"),
        ("such as LaH₁₀[5], which", "LaH10"),
        ("Methanol is a solvent", "methanol"),
        ("metal–organic frameworks", "metal-organic frameworks"),
        ("Fe2O3-based anodes", "Fe2O3"),
        ("N-doped graphene", "N"),
        ("methanol- and ethanol-water mixtures", "methanol"),
        ("CO+H2 is synthesis gas", "CO"),
        ("with Pd(PPh3)4. The", "Pd(PPh3)4"),
        ("benzene's ring", "benzene"),
        ("(methanol)", "methanol"),
        ("with 2,2′-Bipyridine", "2,2'-bipyridine"),
        ("Cs₂CO₃ as a base", "Cs2CO3"),
        ("doped with In and Sn", "In"),
        ("H2O(g) reacts", "H2O"),
        ("iron (III) oxide is red", "iron(III) oxide"),
        ("K and V are metals", "K"),
        ("CO2-to-methanol conversion", "methanol"),
        ("copper(II)-exchanged zeolite", "copper(II)"),
        ("lead-acid batteries", "lead"),
        ("Au@SiO2", "SiO2"),
    ],
)
def test_named(text: str, name: str) -> None:
    key = identity_key(name)
    assert names_in(text, {key}) == {key}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("CO2 reduction", "CO"),
        ("CO₂ reduction", "CO"),
        ("the environment", "iron"),
        ("Li⁺ ions", "Li"),
        ("Cl− ions", "Cl"),
        ("t-1-butanolx", "1-butanol"),
        ("1-butanol", "butanol"),
        ("butan-1-ol", "butan"),
        ("ZIF-8", "ZIF"),
        ("iron(III) oxide", "iron"),
        ("CuSO4·5H2O", "CuSO4"),
        ("CuSO4·5H2O", "H2O"),
        ("(R)-BINAP", "BINAP"),
        ("α-Fe2O3", "Fe2O3"),
        ("2-chloro-ethanol", "ethanol"),
        ("poly(methyl methacrylate)", "methyl methacrylate"),
        ("N-methylpyrrolidone", "N"),
        ("N,N-dimethylformamide", "N-dimethylformamide"),
        ("2,2'-bipyridine", "2'-bipyridine"),
        ("[Fe(CN)6]3-", "Fe"),
        ("[Fe(CN)6]3-", "CN"),
        ("H2O2", "H2O"),
        ("13C", "C"),
        ("Co is a metal", "CO"),
        ("In this study", "In"),
        ("it works. As shown", "As"),
        ("this may lead to", "lead"),
        ("Fe3+", "Fe"),
        ("1-butanol", "2-butanol"),
        ("at 25 °C", "C"),
        ("at 300 K and 1.5 V", "K"),
        ("at 300 K and 1.5 V", "V"),
        ("vitamin C", "C"),
        ("photosystem I", "I"),
        ("by J. S. Smith", "S"),
        ("TiO2(B)", "TiO2"),
        ("tris(2,2'-bipyridine)", "2,2'-bipyridine"),
        ("anything", ""),
    ],
)
def test_not_named(text: str, name: str) -> None:
    assert names_in(text, {identity_key(name)}) == set()


def test_many_keys_are_looked_up_without_reading_them_all() -> None:
    """A hundred thousand keys that share their longest word still cost one look at the text."""
    keys = frozenset(identity_key(f"{number}-compound-{number % 97}a") for number in range(100_000))
    text = "We made 12345-compound-26a from CO₂ and more. " * 200
    assert names_in(text, keys) == {"12345-compound-26a"}
