"""What a record becomes whose graph comes from triples: 2WikiMultiHopQA and ChemKGMultiHopQA."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from errors import RecordError
from qa.datasets import chemkg, wiki2
from qa.datasets.records import ParsedRecord, Skipped
from qa.reasoning.shapes import classify

Raw = dict[str, Any]


def made(found: ParsedRecord | Skipped) -> ParsedRecord:
    assert isinstance(found, ParsedRecord)
    return found


def graph_type(record: ParsedRecord) -> str:
    return classify(len(record.nodes), record.edges)


def titles(record: ParsedRecord) -> list[str]:
    return [record.paragraphs[node.paragraph].title for node in record.nodes]


# ---------------------------------------------------------------- 2WikiMultiHopQA


def wiki(kind: str, gold: list[Any], evidences: list[list[str]], **changes: Any) -> Raw:
    names = list(dict.fromkeys(title for title, _ in gold))
    return {
        "_id": "w1",
        "type": kind,
        "question": "Q?",
        "answer": "A",
        "supporting_facts": gold,
        "evidences": evidences,
        "evidences_id": [],
        "context": [[title, [f"{title} {n}." for n in range(4)]] for title in [*names, "Other"]],
        **changes,
    }


def test_2wiki_chains_evidences_whatever_their_order() -> None:
    gold = [["Son", 0], ["Film", 0]]
    evidences = [["Son", "born in", "Rome"], ["Film", "director", "Son"]]
    record = made(wiki2.parse(wiki("compositional", gold, evidences), "f", "1"))
    assert [titles(record)[end] for end in record.edges[0]] == ["Film", "Son"]
    assert "join:exact" in record.rules


@pytest.mark.parametrize(
    ("link", "rule"),
    [
        ("Film Director", "exact"),
        ("film  director!", "normalised"),
        ("Film Director (born 1900)", "without_parenthesis"),
    ],
)
def test_2wiki_joins_names_in_order_of_strictness(link: str, rule: str) -> None:
    evidences = [["Film", "director", link], ["Film Director", "born in", "Rome"]]
    record = made(
        wiki2.parse(wiki("compositional", [["Film", 0], ["Film Director", 1]], evidences), "f", "1")
    )
    assert record.edges == ((0, 1),)
    assert f"join:{rule}" in record.rules


def test_2wiki_joins_by_ids_last_and_leaves_out_what_does_not_chain() -> None:
    gold, evidences = [["Film", 0], ["Mum", 0]], [["Film", "director", "X. Y."], ["Mum", "born in", "Rome"]]
    ids = [["Q1", "director", "Q2"], ["Q2", "born in", "Q3"]]
    record = made(wiki2.parse(wiki("compositional", gold, evidences, evidences_id=ids), "f", "1"))
    assert "join:evidences_id" in record.rules
    found = wiki2.parse(wiki("compositional", gold, evidences), "f", "1")
    assert found == Skipped("w1", "evidences_do_not_chain", ("fewer_than_ten_paragraphs",))


def test_2wiki_subjects_that_are_no_title_are_found_by_elimination() -> None:
    gold = [["Shadows Unseen", 0], ["Camillo Bazzoni", 0]]
    evidences = [["Abuso di potere", "director", "Camillo Bazzoni"], ["Camillo Bazzoni", "born in", "Parma"]]
    record = made(wiki2.parse(wiki("compositional", gold, evidences), "f", "1"))
    assert [titles(record)[end] for end in record.edges[0]] == ["Shadows Unseen", "Camillo Bazzoni"]
    assert "subject:order_of_record" in record.rules


def test_2wiki_discards_a_cycle() -> None:
    evidences = [["A", "spouse", "B"], ["B", "spouse", "A"]]
    found = wiki2.parse(wiki("inference", [["A", 0], ["B", 0]], evidences), "f", "1")
    assert isinstance(found, Skipped)
    assert found.reason == "cycle_in_evidences"


def test_2wiki_types() -> None:
    """Comparisons count facts; bridges hang together; two bridges stay apart; branches show."""
    bridges = [["F1", "director", "D1"], ["F2", "director", "D2"], ["D1", "from", "X"], ["D2", "from", "Y"]]
    four = [["F1", 0], ["F2", 0], ["D1", 0], ["D2", 0]]
    cases = [
        ("comparison", [["A", 0], ["B", 0], ["B", 2], ["B", 3]], [["A", "is", "x"]], "comparison_4_1"),
        ("bridge_comparison", four, bridges, "bridge_comparison_4_1"),
        ("bridge_comparison", [*four, ["D1", 2]], bridges, "bridge_comparison_5_1"),
        ("compositional", [["A", 0], ["B", 0], ["B", 1]], [["A", "r", "B"], ["B", "r", "c"]], "bridge_3_1"),
        (
            "compositional",
            [["A", 0], ["B", 0], ["C", 0]],
            [["A", "r", "C"], ["B", "r", "C"], ["C", "r", "d"]],
            "compositional_3_2",
        ),
    ]
    for kind, gold, evidences, expected in cases:
        record = made(wiki2.parse(wiki(kind, gold, evidences), "f", "1"))
        assert graph_type(record) == expected
        assert expected in record.expected


def test_2wiki_keeps_a_record_that_lost_a_fact_and_says_that_its_type_differs() -> None:
    bridges = [["F1", "director", "D1"], ["F2", "director", "D2"], ["D1", "from", "X"], ["D2", "from", "Y"]]
    record = made(
        wiki2.parse(
            wiki("bridge_comparison", [["F1", 0], ["F2", 9], ["D1", 0], ["D2", 0]], bridges), "f", "1"
        )
    )
    assert titles(record) == ["F1", "D1", "D2"]
    assert record.edges == ((0, 1),)
    assert graph_type(record) not in record.expected


@pytest.mark.parametrize("evidences", [[["A", "r"]], [["A", "r", 7]], ["A r B"]])
def test_2wiki_evidences_of_another_shape_name_their_field(evidences: Any) -> None:
    with pytest.raises(RecordError) as caught:
        wiki2.parse(wiki("compositional", [["A", 0], ["B", 0]], evidences), "f", "1")
    assert caught.value.field == "evidences[0]"


# ---------------------------------------------------------------- ChemKGMultiHopQA


def hop(entity1: str, entity2: str, answer: str | None = None, **changes: Any) -> Raw:
    return {
        "entity1": entity1,
        "relation": "made from",
        "entity2": entity2,
        "text": f"{entity1} is made from {entity2}.",
        "meta1": "",
        "q": f"Which is made from {entity2}?",
        "a": entity1 if answer is None else answer,
        **changes,
    }


def test_chemkg_reasons_from_the_last_hop_to_the_first() -> None:
    path = [hop("salt", "Ammonia"), hop("ammonia", "hydrogen", meta1="A gas."), hop("hydrogen", "methane")]
    record = made(chemkg.parse({"q": "Which?", "a": "salt", "path": path}, "f", "1"))
    assert set(record.edges) == {(1, 0), (2, 1)}  # names compare without case
    assert graph_type(record) == "bridge_3_1"
    assert record.paragraphs[1].sentences == ("ammonia is made from hydrogen.", "A gas.")
    assert record.warnings == ()


def test_chemkg_faults_are_counted_and_only_true_links_are_edges() -> None:
    path = [hop("a stable support", "tio2", "tio2"), hop("tio2", "co2", "Titanium dioxide (TiO2)")]
    record = made(chemkg.parse({"q": "Which?", "a": "tio2", "path": path}, "f", "1"))
    assert record.edges == ()
    assert sorted(record.warnings) == [
        "answer_is_not_first_entity",
        "hop_answer_is_no_entity",
        "hops_do_not_connect",
        "reversed_hop",
    ]
    assert graph_type(record) not in record.expected


def test_chemkg_remarks_in_parentheses_do_not_count() -> None:
    record = made(
        chemkg.parse({"q": "W?", "a": "CC (Cholecalciferol)", "path": [hop("cc", "hydrogen")]}, "f", "1")
    )
    assert record.warnings == ()


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"q": "W?", "a": "x", "path": []}, "path"),
        ({"q": "W?", "a": "x", "path": ["x"]}, "path[0]"),
        ({"q": "W?", "a": "x", "path": [hop("x", "y", text=" ")]}, "path[0].text"),
        ({"q": "W?", "a": "x"}, "path"),
        ({"a": "x", "path": [hop("x", "y")]}, "q"),
    ],
)
def test_broken_chemkg_records_name_their_field(raw: Raw, field: str) -> None:
    with pytest.raises(RecordError) as caught:
        chemkg.parse(raw, "f", "1")
    assert caught.value.field == field


def test_chemkg_records_are_known_by_their_content() -> None:
    one = {"q": "W?", "a": "x", "path": [hop("x", "y")]}
    assert made(chemkg.parse(one, "f", "1")).key == made(chemkg.parse(deepcopy(one), "g", "9")).key
    other = {**one, "q": "Which?"}
    assert made(chemkg.parse(one, "f", "1")).key != made(chemkg.parse(other, "f", "1")).key
