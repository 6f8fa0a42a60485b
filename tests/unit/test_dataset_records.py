"""What one record of each source format becomes, with its faults."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from errors import RecordError
from qa.datasets import chemkg, hotpotqa, musique, wiki2
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


# ---------------------------------------------------------------- HotpotQA

HOTPOT: Raw = {
    "_id": "h1",
    "question": "Where did the man die who brought the Haber process to industrial scale?",
    "answer": "Heidelberg",
    "type": "bridge",
    "level": "hard",
    "supporting_facts": [["Haber process", 1], ["Carl Bosch", 0], ["Carl Bosch", 2]],
    "context": [
        ["Dry ice", ["Dry ice is solid carbon dioxide."]],
        ["Carl Bosch", ["Carl Bosch was an engineer.", "He liked stars.", "He died in Heidelberg."]],
        ["Haber process", ["It makes ammonia.", "Carl Bosch brought it to industrial scale."]],
    ],
}


def hotpot(**changes: Any) -> Raw:
    return {**deepcopy(HOTPOT), **changes}


def test_hotpotqa_merges_the_sentences_of_a_title_and_ends_where_the_answer_is() -> None:
    record = made(hotpotqa.parse(HOTPOT, "f", "1"))
    assert titles(record) == ["Haber process", "Carl Bosch"]
    assert [node.sentences for node in record.nodes] == [(1,), (0, 2)]
    assert record.edges == ((0, 1),)
    assert "tail:answer_in_supporting_sentences" in record.rules
    assert record.expected == ("bridge_2_1",)


def test_hotpotqa_hub_form_is_read_to_the_same_record() -> None:
    hub = hotpot(
        id="h1",
        supporting_facts={"title": ["Haber process", "Carl Bosch", "Carl Bosch"], "sent_id": [1, 0, 2]},
        context={
            "title": [title for title, _ in HOTPOT["context"]],
            "sentences": [sentences for _, sentences in HOTPOT["context"]],
        },
    )
    del hub["_id"]
    assert hotpotqa.parse(hub, "f", "1") == hotpotqa.parse(HOTPOT, "f", "1")


@pytest.mark.parametrize(
    ("answer", "facts", "rule", "tail"),
    [
        # Only the paragraph of the first title has it, in a sentence that does not support.
        ("stars", [["Carl Bosch", 0], ["Haber process", 1]], "answer_in_paragraph", "Carl Bosch"),
        # Only the first title is it.
        ("Haber", [["Haber process", 0], ["Carl Bosch", 1]], "answer_in_title", "Haber process"),
        # Both supporting sentences name him, both paragraphs too, but only one title.
        ("Carl Bosch", [["Carl Bosch", 0], ["Haber process", 1]], "answer_in_title", "Carl Bosch"),
        # Nobody has it: the second listed.
        ("no such thing", [["Carl Bosch", 0], ["Haber process", 0]], "listed_last", "Haber process"),
        # "engine" is no whole word of "engineer".
        ("engine", [["Carl Bosch", 0], ["Haber process", 0]], "listed_last", "Haber process"),
        # An answer of which the scripts leave nothing.
        ("!!!", [["Haber process", 0], ["Carl Bosch", 0]], "listed_last", "Carl Bosch"),
    ],
)
def test_hotpotqa_rules_for_the_tail(answer: str, facts: list[Any], rule: str, tail: str) -> None:
    record = made(hotpotqa.parse(hotpot(answer=answer, supporting_facts=facts), "f", "1"))
    assert f"tail:{rule}" in record.rules
    assert titles(record)[record.edges[0][1]] == tail


def test_hotpotqa_comparison_has_no_edges() -> None:
    record = made(hotpotqa.parse(hotpot(type="comparison", answer="yes"), "f", "1"))
    assert graph_type(record) == "comparison_2_1"


def test_a_fact_past_the_paragraph_is_dropped_and_counted() -> None:
    facts = [["Haber process", 1], ["Carl Bosch", 902], ["Carl Bosch", 2]]
    record = made(hotpotqa.parse(hotpot(supporting_facts=facts), "f", "1"))
    assert record.nodes[1].sentences == (2,)
    assert record.warnings.count("supporting_fact_out_of_range") == 1
    lost = hotpotqa.parse(hotpot(supporting_facts=[["Haber process", 1], ["Carl Bosch", 902]]), "f", "1")
    assert isinstance(lost, Skipped)
    assert lost.reason == "fewer_than_two_facts"
    assert "supporting_fact_out_of_range" in lost.warnings


def test_a_gold_title_that_is_not_there_makes_a_record_unusable() -> None:
    found = hotpotqa.parse(hotpot(supporting_facts=[["Nitrogen", 0], ["Carl Bosch", 0]]), "f", "1")
    assert found == Skipped("h1", "missing_gold_title")


def test_entities_in_titles_match_and_the_text_stays() -> None:
    raw = hotpot(supporting_facts=[["R&D at BASF", 0], ["Carl Bosch", 2]])
    raw["context"].append(["R&amp;D at BASF", ["Carl Bosch &amp; others worked there.", ""]])
    record = made(hotpotqa.parse(raw, "f", "1"))
    assert titles(record)[0] == "R&amp;D at BASF"
    assert record.paragraphs[-1].sentences[0] == "Carl Bosch &amp; others worked there."
    assert "title:normalised" in record.rules
    assert {"html_entity_in_title", "empty_sentence", "fewer_than_ten_paragraphs"} <= set(record.warnings)


def test_of_two_paragraphs_of_one_title_the_one_with_the_facts_is_taken() -> None:
    raw = hotpot()
    raw["context"].insert(0, ["Carl Bosch", ["Another man of that name."]])
    record = made(hotpotqa.parse(raw, "f", "1"))
    assert [node.paragraph for node in record.nodes] == [3, 2]
    assert "duplicate_title" in record.warnings


def test_test_records_without_labels_are_left_out() -> None:
    raw = {key: HOTPOT[key] for key in ("_id", "question", "context")}
    assert hotpotqa.parse(raw, "f", "1") == Skipped("h1", "unlabelled")
    blank = {**HOTPOT, "answer": "", "supporting_facts": []}
    assert wiki2.parse(blank, "f", "1") == Skipped("h1", "unlabelled")


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"context": None}, "context", "expected a list, found null"),
        ({"context": [["t"]]}, "context[0]", "pair"),
        ({"context": [["t", "text"]]}, "context[0]", "list of texts"),
        ({"context": {"title": ["t"], "sentences": []}}, "context", "one length"),
        ({"context": "once upon a time"}, "context", "found text"),
        ({"supporting_facts": [["Carl Bosch", "2"]]}, "supporting_facts[0]", "whole number"),
        ({"question": ["a", "b"]}, "question", "expected text, found a list"),
        ({"question": " "}, "question", "empty"),
        ({"type": "hard"}, "type", "bridge or comparison"),
        ({"_id": 7}, "_id", "expected text, found a number"),
    ],
)
def test_reshaped_hotpotqa_records_name_their_field(changes: Raw, field: str, words: str) -> None:
    with pytest.raises(RecordError) as caught:
        hotpotqa.parse(hotpot(**changes), "dev.json", "17")
    assert caught.value.field == field
    assert words in caught.value.reason
    assert str(caught.value).startswith("dev.json, record 17")


def test_a_missing_field_says_so_and_a_wrong_format_is_recognised() -> None:
    raw = hotpot()
    del raw["context"]
    with pytest.raises(RecordError, match=r"record 3 \(h1\), field context: is missing$"):
        hotpotqa.parse(raw, "f", "3")
    with pytest.raises(RecordError, match="looks like hotpotqa"):
        musique.parse({**HOTPOT, "id": "h1"}, "f", "1")
    with pytest.raises(RecordError, match="expected a JSON object, found a list"):
        hotpotqa.parse([HOTPOT], "f", "1")


# ---------------------------------------------------------------- MuSiQue

HOPS, SUPPORT = "question_decomposition", "paragraph_support_idx"


def musique_record(prefix: str, questions: list[str], **changes: Any) -> Raw:
    count = len(questions)
    return {
        "id": f"{prefix}__{'_'.join(str(100 + n) for n in range(count))}",
        "paragraphs": [
            {"idx": n, "title": f"T{n % 2}", "paragraph_text": f"Text {n}.", "is_supporting": n < count}
            for n in range(count + 2)
        ],
        "question": "All in one?",
        "question_decomposition": [
            {"id": 100 + n, "question": text, "answer": f"a{n}", "paragraph_support_idx": n}
            for n, text in enumerate(questions)
        ],
        "answer": f"a{count - 1}",
        "answer_aliases": ["alias", "alias"],
        "answerable": True,
        **changes,
    }


@pytest.mark.parametrize(
    ("prefix", "questions", "expected"),
    [
        ("2hop", ["Who?", "Where is #1 ?"], "bridge_2_1"),
        ("3hop1", ["Who?", "Where is #1 ?", "When was #2 ?"], "bridge_3_1"),
        ("3hop2", ["Who?", "Where?", "Is #1 in #2?"], "compositional_3_2"),
        ("4hop1", ["Who?", "#1 of?", "#2 of?", "#3 of?"], "bridge_4_1"),
        ("4hop2", ["Who?", "Where?", "#1 at #2?", "#3 of?"], "compositional_4_2"),
        ("4hop3", ["Who?", "#1 of?", "Where?", "#2 at #3?"], "compositional_4_3"),
    ],
)
def test_musique_edges_are_references_and_agree_with_the_id(
    prefix: str, questions: list[str], expected: str
) -> None:
    record = made(musique.parse(musique_record(prefix, questions), "f", "1"))
    assert graph_type(record) == expected
    assert record.expected == (expected,)
    assert record.declared_type == prefix
    assert record.nodes[0].sub_answer == "a0"
    assert record.aliases == ("alias",)


def test_musique_numbers_that_are_no_references_make_no_edge() -> None:
    questions = ["Which song was #1 in 1999?", "Who sang #1 ?", "Was #2 a #1 or #9 hit?"]
    record = made(musique.parse(musique_record("3hop1", questions), "f", "1"))
    assert record.edges == ((0, 1), (0, 2), (1, 2))  # "#1" in the third is taken for one: k < i


def test_musique_unanswerable_and_unlabelled_records_are_left_out() -> None:
    raw = musique_record("2hop", ["Who?", "Where is #1 ?"])
    assert musique.parse({**raw, "answerable": False}, "f", "1") == Skipped(raw["id"], "unanswerable")
    bare = {key: raw[key] for key in ("id", "paragraphs", "question")}
    assert musique.parse(bare, "f", "1") == Skipped(raw["id"], "unlabelled")


@pytest.mark.parametrize(
    ("where", "value", "field"),
    [
        ((HOPS, 1, SUPPORT), None, f"{HOPS}[1].{SUPPORT}"),
        ((HOPS, 1, SUPPORT), 99, f"{HOPS}[1].{SUPPORT}"),
        ((HOPS, 0, "answer"), None, f"{HOPS}[0]"),
        (("paragraphs", 1, "idx"), 0, "paragraphs[1].idx"),
        (("paragraphs", 0, "title"), None, "paragraphs[0]"),
    ],
)
def test_broken_musique_records_name_their_field(where: tuple[str, int, str], value: Any, field: str) -> None:
    raw = musique_record("2hop", ["Who?", "Where is #1 ?"])
    raw[where[0]][where[1]][where[2]] = value
    with pytest.raises(RecordError) as caught:
        musique.parse(raw, "f", "line 5")
    assert caught.value.field == field


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
