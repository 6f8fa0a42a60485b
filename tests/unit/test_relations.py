"""Relations from sentence patterns: what is stated, and what is left alone."""

from __future__ import annotations

import random

import pytest

from domain.packs import load_pack
from domain.predicates import lemma
from ingest.entities import Resolver, make_recogniser, recognise_document
from ingest.models import Mention
from ingest.relations import RelationResult, extract_relations
from ingest.relations.grammar import (
    BE,
    CONDITIONAL,
    CONJUNCTIONS,
    DETERMINERS,
    HAVE,
    MODALS,
    NEGATIONS,
    PREPOSITIONS,
    RELATIVES,
)
from samples.facts import facts
from settings import REPOSITORY, Settings

PACK = load_pack()
UNION = make_recogniser("union", Settings(), PACK)
RESOLVER = Resolver(PACK)
Fact = tuple[str, str, str]


def extract(text: str, most: int = 12) -> tuple[list[Mention], RelationResult]:
    (mentions,), _ = recognise_document([text], UNION)
    return mentions, extract_relations(text, mentions, PACK, most)


def stated(text: str) -> set[Fact]:
    mentions, result = extract(text)
    return {
        (mentions[triple.subject].surface, triple.predicate, mentions[triple.object].surface)
        for triple in result.triples
    }


def labelled() -> list[tuple[str, frozenset[Fact]]]:
    path = REPOSITORY / "tests" / "data" / "relation_sentences.txt"
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    cases = []
    for block in blocks:
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            triples = (tuple(part.strip() for part in line.split("|")) for line in lines[1:])
            cases.append((lines[0], frozenset((s, p, o) for s, p, o in triples)))
    return cases


@pytest.mark.parametrize(("sentence", "expected"), labelled(), ids=lambda value: str(value)[:48])
def test_labelled_sentences(sentence: str, expected: frozenset[Fact]) -> None:
    assert stated(sentence) == expected


def test_the_hand_made_facts_of_the_bundled_papers() -> None:
    """Recall and precision, sentence by sentence, by entity and lemma."""
    by_sentence: dict[str, set[Fact]] = {}
    for fact in facts():
        triple = (RESOLVER.resolve(fact.subject).id, lemma(fact.predicate), RESOLVER.resolve(fact.object).id)
        by_sentence.setdefault(fact.sentence, set()).add(triple)
    correct = found = wanted = 0
    for sentence, expected in by_sentence.items():
        mentions, result = extract(sentence)
        got = {
            (
                RESOLVER.resolve(mentions[triple.subject].surface).id,
                lemma(triple.predicate),
                RESOLVER.resolve(mentions[triple.object].surface).id,
            )
            for triple in result.triples
        }
        correct, found, wanted = correct + len(got & expected), found + len(got), wanted + len(expected)
    assert correct / wanted >= 0.95
    assert correct / found >= 0.97


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Copper does not catalyse the oxidation of methane.", "negated"),
        ("Gold never reacts with nitric acid.", "negated"),
        ("Gold hardly dissolves in nitric acid.", "negated"),
        ("Copper cannot reduce zinc oxide.", "negated"),
        ("Iron may catalyse the synthesis of ammonia.", "speculative"),
        ("Platinum could perhaps catalyse the oxidation of methanol.", "speculative"),
        ("It has been proposed that silver catalyses the epoxidation of propylene.", "speculative"),
        ("Whether silver catalyses the epoxidation of propylene is not known.", "speculative"),
    ],
)
def test_what_is_denied_or_doubted_is_counted_and_not_kept(sentence: str, reason: str) -> None:
    _, result = extract(sentence)
    assert result.triples == ()
    assert result.rejected == {reason: 1}


def test_a_weak_predicate_is_counted() -> None:
    _, result = extract("Rutile is titanium dioxide, and steel has carbon.")
    assert result.triples == ()
    assert result.rejected["weak_predicate"] >= 1


def test_the_span_is_the_sentence_with_both_entities() -> None:
    text = "Some words first. Styrene is made by the dehydrogenation of ethylbenzene [3]. More words."
    mentions, result = extract(text)
    (triple,) = result.triples
    assert text[triple.start : triple.end] == "Styrene is made by the dehydrogenation of ethylbenzene [3]."
    for index in (triple.subject, triple.object):
        assert triple.start <= mentions[index].start and mentions[index].end <= triple.end


def test_no_more_than_asked_for() -> None:
    text = " ".join(f"{metal} dissolves in nitric acid." for metal in ("Copper", "Zinc", "Iron", "Nickel"))
    _, result = extract(text, most=3)
    assert len(result.triples) == 3
    assert result.rejected == {"max_facts": 1}


def test_one_fact_said_twice_in_a_chunk_is_one() -> None:
    _, result = extract("Zinc dissolves in nitric acid. Indeed, zinc dissolves in nitric acid.")
    assert len(result.triples) == 1


def test_no_relation_of_a_thing_with_itself() -> None:
    assert stated("Water reacts with water.") == set()


def test_predicates_read_as_english_and_hold_no_entity() -> None:
    for fact in facts()[:200]:
        for _, predicate, _ in stated(fact.sentence):
            assert len(predicate.split()) <= 9
            assert not UNION.recognise(predicate)
            assert predicate == " ".join(predicate.split())


def test_word_salad_breaks_nothing() -> None:
    """Any order of function words, verbs and mentions: no crash, and no predicate out of bounds."""
    words = sorted(
        DETERMINERS | PREPOSITIONS | CONJUNCTIONS | RELATIVES | BE | HAVE | MODALS | NEGATIONS | CONDITIONAL
    )
    words += [
        "does",
        "produced",
        "reduces",
        "used",
        "as",
        "oxidation",
        "solvent",
        "heating",
        ",",
        ";",
        "(",
        ")",
    ]
    names = ["copper", "CO2", "zinc oxide"]
    salad = random.Random(7)
    for _ in range(3000):
        text, mentions = "", []
        for _ in range(salad.randint(1, 16)):
            text += " " if text else ""
            word = salad.choice(names if salad.random() < 0.3 else words)
            if word in names:
                end = len(text) + len(word)
                mentions.append(Mention(start=len(text), end=end, surface=word, recogniser="test"))
            text += word
        for triple in extract_relations(text, mentions, PACK, 12).triples:
            assert triple.subject != triple.object
            assert 1 <= len(triple.predicate.split()) <= 10


@pytest.mark.parametrize(
    "text", ["", "Is copper reduced by hydrogen?", "copper zinc iron", "Copper. Zinc. Iron."]
)
def test_texts_without_facts(text: str) -> None:
    assert stated(text) == set()
