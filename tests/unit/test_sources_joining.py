"""Hyphens at line ends: joined only where a word was cut."""

from __future__ import annotations

import pytest

from ingest.sources.joining import Vocabulary, join_lines

NOTHING = Vocabulary()


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        ("the synthe-", "sis of", "the synthesis of"),
        ("by hydro-", "genation", "by hydrogenation"),
        ("cata-", "lysed by", "catalysed by"),
        ("hydrogen-", "ation of", "hydrogenation of"),
        ("a metal-", "organic framework", "a metal-organic framework"),
        ("a metal-", "lic bond", "a metallic bond"),
        ("use 1-", "butanol", "use 1-butanol"),
        ("use 1,2-", "dichloroethane", "use 1,2-dichloroethane"),
        ("3-methyl-", "butanol", "3-methylbutanol"),
        ("use 1,2-dichloro-", "ethane", "use 1,2-dichloroethane"),
        ("with tert-", "butanol", "with tert-butanol"),
        ("4-tert-", "butylphenol", "4-tert-butylphenol"),
        ("the trans-", "formation", "the transformation"),
        ("an iso-", "mer", "an isomer"),
        ("an Fe-", "based catalyst", "an Fe-based catalyst"),
        ("a ZIF-", "8 film", "a ZIF-8 film"),
        ("of α-", "Fe₂O₃", "of α-Fe₂O₃"),
        ("with (R)-", "BINAP", "with (R)-BINAP"),
        ("the Cl-", "ions", "the Cl- ions"),
        ("a Li-", "ion cell", "a Li-ion cell"),
        ("metal–", "organic", "metal–organic"),
        ("2-chloroeth\u00ad", "anol", "2-chloroethanol"),
        ("a temperature -", "time curve", "a temperature - time curve"),
        ("in N,N-", "dimethylformamide", "in N,N-dimethylformamide"),
        ("Pd/", "C catalyst", "Pd/C catalyst"),
        ("plain", "words", "plain words"),
        ("coeﬃcient of", "diﬀusion", "coefficient of diffusion"),
    ],
)
def test_two_lines(one: str, other: str, joined: str) -> None:
    assert join_lines([one, other], NOTHING) == joined


def test_the_document_is_the_best_witness() -> None:
    """What it writes elsewhere decides, against any list."""
    hyphenated = Vocabulary.of(["the side-chain is long"])
    whole = Vocabulary.of(["the sidechain is long"])
    assert join_lines(["a side-", "chain"], hyphenated) == "a side-chain"
    assert join_lines(["a side-", "chain"], whole) == "a sidechain"
    both = Vocabulary.of(["the side of a chain is long"])
    assert join_lines(["a side-", "chain"], both) == "a side-chain"


def test_halves_of_cut_words_are_no_witness() -> None:
    lines = ["of the oxida-", "tion and the oxida-", "tion again"]
    assert Vocabulary.of(lines).keeps_hyphen("oxida", "tion") is False
    assert join_lines(lines, Vocabulary.of(lines)) == "of the oxidation and the oxidation again"
