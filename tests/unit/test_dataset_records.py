"""What one record of HotpotQA and of MuSiQue becomes, with its faults."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from errors import RecordError
from qa.datasets import hotpotqa, musique, wiki2
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
