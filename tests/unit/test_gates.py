"""Each gate on cases made for it. Facts are chemistry, so that a reader can judge each refusal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.packs import load_pack
from graph.models import OneHop
from qa.gates import PATH_GATES, TEXT_GATES, Case, Draft, Rival, Rules, Taken, check_path, check_text
from qa.gates.case import Link
from tests.support.cases import case, draft
from tests.support.facts import Row

RULES = Rules(load_pack("chemistry"))
FACTS: list[Row] = [
    ("D1", "nitric acid", "is produced from", "nitrogen dioxide"),
    ("D2", "nitrogen dioxide", "is formed by oxidation of", "nitric oxide"),
]
NAMES = {"nitric acid": ("HNO3",), "nitrogen dioxide": ("NO2",), "nitric oxide": ("NO",)}
TEXT = "Which acid is produced from the gas that is formed by oxidation of nitric oxide?"
ONE = "Which acid is produced from nitrogen dioxide?"
TWO = "Which gas is formed by oxidation of nitric oxide?"


@pytest.fixture
def good() -> Case:
    return case(FACTS, aliases=NAMES)


def refused(of: Case, rules: Rules = RULES, taken: Taken | None = None) -> tuple[str, str] | None:
    refusal = check_path(of, rules, taken or Taken())
    return (refusal.gate, refusal.detail) if refusal else None


def refused_text(of: Case, written: Draft) -> tuple[str, str] | None:
    refusal = check_text(of, written, Taken())
    return (refusal.gate, refusal.detail) if refusal else None


def test_the_table_is_complete() -> None:
    wanted = {
        *("direction", "evidence", "distinct_sources", "answer_leak", "bridge_leak"),
        *("unique", "shortcut", "generic", "short_answer", "duplicate"),
    }
    assert {*PATH_GATES, *TEXT_GATES} == wanted


def test_a_good_question_passes(good: Case) -> None:
    assert refused(good) is None
    assert refused_text(good, draft(good, TEXT, ONE, TWO)) is None


# ---------------------------------------------------------------- evidence


def test_evidence_that_is_gone(good: Case) -> None:
    gone = replace(good, evidence=(good.evidence[0], None))
    assert refused(gone) == ("evidence", "hop 2: the relation rel_D2_0 or its chunk is gone")
    assert refused(replace(good, entities=(None, *good.entities[1:]))) == (
        "evidence",
        "hop 1: an entity of the relation is gone",
    )


def test_a_span_without_one_of_the_entities(good: Case) -> None:
    first = good.hops[0]
    shorter = first.model_copy(
        update={"relation": first.relation.model_copy(update={"end": len("Nitric acid is produced")})}
    )
    outcome = refused(replace(good, evidence=(shorter, good.evidence[1])))
    assert outcome is not None
    assert outcome[0] == "evidence"
    assert "nitrogen dioxide is not in the stating span: 'Nitric acid is produced'" in outcome[1]


def test_an_alias_in_the_span_is_the_entity() -> None:
    by_formula = case(
        [("D1", "nitric acid", "is produced from", "NO2")], aliases={"NO2": ("nitrogen dioxide",)}
    )
    assert refused(by_formula) is None


# ---------------------------------------------------------------- distinct_sources


def test_one_document_for_two_hops() -> None:
    one = case([("D1", *FACTS[0][1:]), ("D1", *FACTS[1][1:])])
    assert refused(one) == ("distinct_sources", "hops 1, 2 use one document: doc_D1")


def test_one_content_for_two_hops(good: Case) -> None:
    second = good.hops[1].model_copy(update={"chunk_sha256": good.hops[0].chunk_sha256})
    outcome = refused(replace(good, evidence=(good.evidence[0], second)))
    assert outcome is not None
    assert outcome[0] == "distinct_sources"
    assert "hops 1, 2 use one chunk content" in outcome[1]


def test_a_paragraph_that_was_cut_in_two_ways() -> None:
    both = (
        "Nitrogen dioxide is formed by oxidation of nitric oxide. "
        "Nitric acid is produced from nitrogen dioxide."
    )
    shared = case(FACTS, aliases=NAMES, texts={0: both})
    outcome = refused(shared)
    assert outcome is not None
    assert outcome[0] == "distinct_sources"
    assert outcome[1].startswith("the text of hop 1 also states hop 2: 'Nitrogen dioxide is formed")


# ---------------------------------------------------------------- unique, shortcut, duplicate


@pytest.mark.parametrize("hop", [1, 2])
def test_another_subject_fits(good: Case, hop: int) -> None:
    rival = Rival("ent_other", "other", "rel_9", "doc_D9")
    rivals = ((rival,), ()) if hop == 1 else ((), (rival, Rival("ent_more", "more", "rel_8", "doc_D8")))
    outcome = refused(replace(good, rivals=rivals))
    assert outcome is not None
    assert outcome[0] == "unique"
    assert outcome[1].startswith(f"hop {hop}: 'other'" + ("" if hop == 1 else " and 1 more"))
    assert outcome[1].endswith("(rel_9 in doc_D9)")


def test_an_edge_past_the_bridge(good: Case) -> None:
    jump = replace(good, links=(Link("ent_nitric_oxide", "ent_nitric_acid", "gives", "rel_7"),))
    assert refused(jump) == ("shortcut", "edge: 'nitric oxide' gives 'nitric acid' (rel_7)")
    assert jump.shortcuts == 1
    both_ways = replace(
        good,
        links=(
            Link("ent_nitric_oxide", "ent_nitric_acid", "gives", "rel_7"),
            Link("ent_nitric_acid", "ent_nitric_oxide", "is reduced to", "rel_6"),
        ),
    )
    assert both_ways.shortcuts == 1  # one pair, as the paper's Table 1a counts
    assert refused(jump, Rules(RULES.pack, allow_shortcuts=True)) is None


def test_one_text_with_both_ends(good: Case) -> None:
    together = replace(good, together=("chk_D5_0", 2))
    assert refused(together) == (
        "shortcut",
        "one text: 'nitric acid' and 'nitric oxide' are both in chk_D5_0 and 1 more",
    )


def test_one_hop_has_no_shortcut() -> None:
    single = case(FACTS[:1], together=("chk_D1_0", 1))
    assert refused(single) is None


def test_the_same_facts_twice(good: Case) -> None:
    taken = Taken()
    taken.add(good, TEXT)
    assert refused(good, taken=taken) == (
        "duplicate",
        "the set already asks for 'nitric acid' by these facts",
    )
    # Facts, not evidence: the same from other documents.
    moved = case([("D8", *FACTS[0][1:]), ("D9", *FACTS[1][1:])])
    assert refused(moved, taken=taken) is not None
    # The way back of what a ledger keeps gives the same.
    known = Taken()
    known.know(good.path.entity_ids, [each.relation.lemma for each in good.hops], TEXT)
    assert known == taken


def test_the_same_words_twice(good: Case) -> None:
    taken = Taken(texts={TEXT})
    refusal = check_text(good, draft(good, TEXT, ONE, TWO), taken)
    assert refusal is not None
    assert refusal.gate == "duplicate"


# ---------------------------------------------------------------- generic, short_answer


@pytest.mark.parametrize(
    ("facts", "detail"),
    [
        ([("D1", "catalyst", "is made from", "platinum")], "the answer 'catalyst' is no specific thing"),
        ([("D1", "platinum", "dissolves in", "aqueous solution")], "the anchor 'aqueous solution' is no"),
    ],
)
def test_words_that_name_no_thing(facts: list[Row], detail: str) -> None:
    outcome = refused(case(facts))
    assert outcome is not None
    assert outcome[0] == "generic"
    assert detail in outcome[1]


def test_generic_as_the_recogniser_marked_it() -> None:
    outcome = refused(case([("D1", "Bakelite", "is made from", "phenol")], generic=["Bakelite"]))
    assert outcome == ("generic", "the answer 'Bakelite' is no specific thing")


def test_a_word_that_is_everywhere() -> None:
    spread = {"ent_frobnicate": (10, 14)}
    facts: list[Row] = [("D1", "frobnicate", "is made from", "phenol")]
    outcome = refused(case(facts, spread=spread, documents=40))
    assert outcome == ("generic", "the answer 'frobnicate' stands in 10 documents with 14 predicates")
    # in a larger collection ten documents are not many; nor is anything with a formula only a word
    assert refused(case(facts, spread=spread, documents=41)) is None
    assert refused(case(facts, spread=spread, documents=40, formulas={"frobnicate": "C6H6"})) is None
    assert refused(case(facts, spread={"ent_frobnicate": (10, 11)}, documents=40)) is None


def test_answers_are_short() -> None:
    long = "poly one two three four five six seven eight"
    assert refused(case([("D1", long, "is made from", "phenol")])) == (
        "short_answer",
        f"the answer has 9 words: {long!r}",
    )
    sentence = "zinc which is a metal"
    assert refused(case([("D1", sentence, "reacts with", "phenol")])) == (
        "short_answer",
        f"the answer is a sentence: {sentence!r}",
    )


# ---------------------------------------------------------------- direction


def test_a_question_for_the_wrong_end(good: Case) -> None:
    turned = "Which gas is nitric acid produced from?"
    outcome = refused_text(good, draft(good, TEXT, turned, TWO))
    assert outcome is not None
    assert outcome[0] == "direction"
    assert outcome[1].startswith(f"hop 1: {turned!r} does not name 'nitrogen dioxide'")


def test_an_answer_from_the_wrong_end(good: Case) -> None:
    wrong = OneHop(question=TWO, answer="nitric oxide", relation_id="rel_D2_0")
    written = draft(good, TEXT, ONE, TWO)
    outcome = refused_text(good, replace(written, one_hops=(written.one_hops[0], wrong)))
    assert outcome == ("direction", "hop 2: the answer is 'nitric oxide', the subject 'nitrogen dioxide'")


def test_an_edge_that_runs_the_other_way(good: Case) -> None:
    first = good.hops[0]
    relation = first.relation.model_copy(
        update={"subject_id": first.relation.object_id, "object_id": first.relation.subject_id}
    )
    turned = replace(good, evidence=(first.model_copy(update={"relation": relation}), good.evidence[1]))
    assert refused_text(turned, draft(good, TEXT, ONE, TWO)) == (
        "direction",
        "hop 1: the edge rel_D1_0 runs the other way",
    )


def test_the_whole_question_has_both_ends_right(good: Case) -> None:
    outcome = refused_text(good, draft(good, TEXT, ONE, TWO, answer="nitric oxide"))
    assert outcome == ("direction", "the answer is 'nitric oxide', the path begins at 'nitric acid'")
    elsewhere = "Which acid is produced from the gas that is formed by oxidation of ammonia?"
    outcome = refused_text(good, draft(good, elsewhere, ONE, TWO))
    assert outcome is not None
    assert outcome[0] == "direction"
    assert "does not name 'nitric oxide', where the path ends" in outcome[1]


def test_a_question_about_another_relation(good: Case) -> None:
    written = draft(good, TEXT, ONE, TWO)
    other = written.one_hops[0].model_copy(update={"relation_id": "rel_D2_0"})
    outcome = refused_text(good, replace(written, one_hops=(other, written.one_hops[1])))
    assert outcome == ("direction", "hop 1: the question is about rel_D2_0, the hop about rel_D1_0")
    assert refused_text(good, draft(good, TEXT, ONE)) == ("direction", "1 one-hop questions for 2 hops")


# ---------------------------------------------------------------- leaks


@pytest.mark.parametrize(
    "text",
    [
        "Which acid, HNO3, is produced from the gas that is formed by oxidation of nitric oxide?",
        "Which acid (nitric acid) is produced from the gas that is formed by oxidation of nitric oxide?",
        "Which acid, HNO₃, is produced from the gas that is formed by oxidation of NO?",
        "Is Nitric Acid produced from the gas that is formed by oxidation of nitric oxide?",
    ],
)
def test_the_answer_in_the_question(good: Case, text: str) -> None:
    outcome = refused_text(good, draft(good, text, ONE, TWO))
    assert outcome is not None
    assert outcome[0] == "answer_leak"


def test_the_answer_in_a_one_hop_question(good: Case) -> None:
    leaking = "Which gas, NO2, is formed by oxidation of nitric oxide?"
    outcome = refused_text(good, draft(good, TEXT, ONE, leaking))
    assert outcome is not None
    assert outcome[0] == "answer_leak"
    assert outcome[1].startswith("hop 2: 'NO2' names its answer 'nitrogen dioxide'")


@pytest.mark.parametrize("bridge", ["nitrogen dioxide", "NO2", "NO₂", "Nitrogen dioxide"])
def test_a_bridge_in_the_question(good: Case, bridge: str) -> None:
    text = f"Which acid is produced from {bridge}, which is formed by oxidation of nitric oxide?"
    outcome = refused_text(good, draft(good, text, ONE, TWO))
    assert outcome is not None
    assert outcome[0] == "bridge_leak"


def test_formula_and_identifiers_give_away_too() -> None:
    made = case([("D1", "ethanol", "dissolves", "iodine")], formulas={"ethanol": "C2H6O"})
    subject = made.nodes[0].model_copy(update={"inchikey": "LFQSCWFLJHTTHZ-UHFFFAOYSA-N"})
    made = replace(made, entities=(subject, made.entities[1]))
    for name in ("C2H6O", "LFQSCWFLJHTTHZ-UHFFFAOYSA-N"):
        question = f"Which liquid ({name}) dissolves iodine?"
        outcome = refused_text(made, draft(made, question, question))
        assert outcome is not None
        assert outcome[0] == "answer_leak"


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        # names inside other names or words are no leak
        ("CO", "Which gas is made from CO2?"),
        ("iron", "Which metal is released to the environment from CO2?"),
        ("lead", "Which metal do reactions that lead to CO2 need?"),
        ("Co", "Which metal turns CO into CO2?"),
        ("1-butanol", "Which alcohol, unlike 2-butanol, is made from CO2?"),
        ("Li", "Which metal becomes Li+ beside CO2?"),
        ("H2O", "What is made from H2O2 and CO2?"),
    ],
)
def test_what_is_no_leak(answer: str, question: str) -> None:
    made = case([("D1", answer, "is made from", "CO2")])
    assert refused_text(made, draft(made, question, question)) is None
