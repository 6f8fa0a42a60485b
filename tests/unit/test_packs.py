"""The chemistry pack: kinds a chemist agrees with, generic words, prompts, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.compounds import lookup
from domain.identity import identity_key
from domain.packs import load_pack
from domain.packs.lexicon import load_lexicon
from errors import InputError, NotFoundError

PACK = load_pack()


@pytest.mark.parametrize(
    ("name", "noun"),
    [
        ("carbon monoxide", "gas"),
        ("Pd", "metal"),
        ("titanium dioxide", "oxide"),
        ("neodymium oxide", "oxide"),
        ("propylene oxide", "epoxide"),  # no oxide in a chemist's mouth
        ("sodium hydroxide", "hydroxide"),
        ("acetic acid", "acid"),
        ("lithium bromide", "salt"),
        ("titanium tetrachloride", "compound"),  # a liquid of molecules, no salt
        ("ethanol", "alcohol"),
        ("1-nonanol", "alcohol"),
        ("phenol", "compound"),
        ("DMF", "solvent"),
        ("polystyrene", "polymer"),
        ("polyvinyl butyral", "polymer"),
        ("ZIF-90", "metal-organic framework"),
        ("SSZ-39", "zeolite"),
        ("LaH10", "hydride"),
        ("CaH4", "hydride"),
        ("La3+", "ion"),
        ("rutile", "mineral"),
        ("graphite", "material"),
        ("Pt/CeO2", "catalyst"),
        ("hexamethylbenzene", "hydrocarbon"),
        ("decanal", "aldehyde"),
        ("2-nonanone", "ketone"),
        ("ethyl formate", "ester"),
        ("pyruvate decarboxylase", "enzyme"),
        ("uranium-238", "isotope"),
        ("(R)-BINAP", "ligand"),
        ("potassium manganate", "salt"),
        ("gold nanoparticles", "material"),
        ("2-naphthol", "compound"),
    ],
)
def test_nouns(name: str, noun: str) -> None:
    assert PACK.noun(PACK.kind_of(name, lookup(name))) == noun


def test_a_noun_never_names_a_member_of_its_kind() -> None:
    """ "Which phenol is made from cumene?" would give the answer away."""
    for term in load_lexicon().terms.values():
        noun = identity_key(PACK.noun(term.kind))
        assert noun not in {identity_key(surface) for surface in term.surfaces}, term.name


def test_an_unknown_kind_gets_the_default_noun() -> None:
    assert PACK.noun("no such kind") == "compound"


@pytest.mark.parametrize(
    "name",
    [
        "catalyst",
        "Catalysts",
        "aqueous solution",
        "metal oxides",
        "Lewis acid",
        "transition metal complexes",
        "zeolite",
    ],
)
def test_generic_names(name: str) -> None:
    assert PACK.is_generic(name)


@pytest.mark.parametrize("name", ["hydrogen", "ZSM-5", "sulfuric acid", "graphite", "Raney nickel", "MXene"])
def test_specific_names(name: str) -> None:
    assert not PACK.is_generic(name)


def test_curated_names_are_not_stopped() -> None:
    stopped = [key for key in load_lexicon().by_key if key in PACK.stop_names]
    assert stopped == []


def test_prompts_have_the_hash_of_their_text() -> None:
    prompt = PACK.prompt("extract_relations")
    assert "{{entities}}" in prompt.text and "{{text}}" in prompt.text
    assert len(prompt.sha256) == 64
    with pytest.raises(NotFoundError, match="no prompt 'nothing'"):
        PACK.prompt("nothing")


@pytest.mark.parametrize("name", ["nothing", "../chemistry", ""])
def test_a_missing_pack_is_refused_with_those_that_there_are(name: str) -> None:
    with pytest.raises(InputError, match="chemistry"):
        load_pack(name)


def test_one_name_for_two_terms_is_refused(tmp_path: Path) -> None:
    (tmp_path / "compounds.tsv").write_text(
        "name\tformula\tkind\tcid\taliases\nwater\tH2O\tcompound\t962\toxidane\nice\t\tcompound\t\toxidane\n"
    )
    with pytest.raises(ValueError, match="'oxidane' names ice and water"):
        load_lexicon(tmp_path)


def test_attributes_for_comparison_are_named_with_their_unit() -> None:
    assert {attribute.name: attribute.unit for attribute in PACK.attributes}["weight"] == "g/mol"
