"""Predicates as English: what is equal, and how they stand in a question."""

from __future__ import annotations

import pytest

from domain.packs import load_pack
from domain.predicates import is_weak, lemma, question_clause, relative_clause

PACK = load_pack()


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("is produced from", "was produced from"),
        ("is produced from", "are produced from"),
        ("is produced from", "can be produced from"),
        ("is produced from", "has been produced from"),
        ("is produced from", "is usually produced from"),
        ("is produced from", "produced from"),
        ("catalyzes", "catalyses"),
        ("catalyzes the oxidation of", "catalysed the selective oxidation of"),
        ("is won by the electrolysis of", "was won by electrolysis of"),
        ("supplies", "supplied"),
        ("splits", "split"),
        ("act as catalysts for", "acts as a catalyst for"),
        ("is a precursor of", "precursor of"),
        ("is soluble in", "soluble in"),
        ("is polymerized to", "is polymerised to"),
        ("recycles", "recycled"),  # a verb that nobody listed
    ],
)
def test_forms_of_one_predicate(a: str, b: str) -> None:
    assert lemma(a) == lemma(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("reduces", "is reduced by"),
        ("produces", "is produced from"),
        ("is produced from", "is produced by"),
        ("is made by the oxidation of", "is made by the reduction of"),
        ("catalyses the oxidation of", "is made by the oxidation of"),
        ("is converted to", "converts"),
        ("is found in", "found"),
    ],
)
def test_different_predicates(a: str, b: str) -> None:
    assert lemma(a) != lemma(b)


def test_the_lemma_says_voice_and_drops_modifiers() -> None:
    assert lemma("is produced from") == "produce from (passive)"
    assert lemma("catalyzes the selective oxidation of") == "catalyse oxidation of"


@pytest.mark.parametrize(
    ("predicate", "clause"),
    [
        ("is produced from", "is produced from"),
        ("are produced from", "is produced from"),
        ("were isolated from", "was isolated from"),
        ("produced from", "is produced from"),
        ("catalyse the oxidation of", "catalyses the oxidation of"),
        ("catalyses the oxidation of", "catalyses the oxidation of"),
        ("react with", "reacts with"),
        ("supply", "supplies"),
        ("quench", "quenches"),
        ("undergo", "undergoes"),
        ("containing", "contains"),
        ("a precursor of", "is a precursor of"),
        ("precursor of", "is a precursor of"),
        ("ore of", "is an ore of"),
        ("soluble in", "is soluble in"),
        ("can be depolymerised to", "can be depolymerised to"),
        ("have been reduced to", "has been reduced to"),
        ("has been reduced to", "has been reduced to"),
        ("reduced", "reduced"),
        ("also catalyses", "catalyses"),
        ("act as catalysts for", "acts as a catalyst for"),
        ("to oxidise", "oxidises"),
    ],
)
def test_clauses_agree_with_a_singular_subject(predicate: str, clause: str) -> None:
    assert question_clause(predicate) == clause
    assert relative_clause(predicate) == f"that {clause}"


@pytest.mark.parametrize(
    "predicate",
    [
        "is",
        "are",
        "has",
        "have",
        "relates to",
        "is related to",
        "was associated with",
        "is part of",
        "affects",
        "",
    ],
)
def test_weak_predicates(predicate: str) -> None:
    assert is_weak(predicate, PACK)


@pytest.mark.parametrize(
    "predicate",
    ["is produced from", "reduces", "is a precursor of", "is soluble in", "dissolves", "binds to"],
)
def test_predicates_that_say_something(predicate: str) -> None:
    assert not is_weak(predicate, PACK)
