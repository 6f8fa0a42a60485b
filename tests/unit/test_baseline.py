"""The extractive baseline: what it reads in a question, what it picks, when it refuses."""

from __future__ import annotations

import subprocess
import sys

import pytest

from evaluation import baseline
from evaluation.asked import understand
from evaluation.conditions import Context
from evaluation.spans import candidates, sentences, stem, words
from settings import REPOSITORY


def passages(*texts: str) -> Context:
    return Context("passages", "\n".join(texts), texts)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which oxide catalyses the oxidation of sulfur dioxide?", "thing"),
        ("Who directed the film?", "name"),
        ("In which country is the mine?", "name"),
        ("In what year was the firm founded?", "year"),
        ("When did she die?", "date"),
        ("How many legs does it have?", "number"),
        ("Are both salts soluble?", "yes_no"),
        ("Which boils higher, acetone or ethanol?", "choice"),
        ("Name the solvent.", "thing"),
    ],
)
def test_kinds_of_question(question: str, kind: str) -> None:
    assert understand(question).kind == kind


def test_the_noun_ends_before_the_verb() -> None:
    assert understand("Which solvent dissolves lithium salts?").noun == stem("solvent")
    assert understand("Which oxide catalyses the oxidation of ethanol?").noun == stem("oxide")
    assert understand("What metal is won from the ore?").noun == stem("metal")


def test_words_of_the_asking_clause_count_more() -> None:
    stems = understand("Which acid is made from the oxide that is formed by burning of sulfur?").stems
    assert stems[stem("made")] > stems[stem("burning")] == stems[stem("sulfur")]


def test_choices() -> None:
    assert understand("Who was born first, Ada Byron or Mary Shelley?").options == (
        "Ada Byron",
        "Mary Shelley",
    )
    assert understand("Which of the salts is red?").options is None


def test_words_keep_charges_brackets_and_locants() -> None:
    text = "(1,2-Dichloroethane), Fe3+, copper(II) oxide and “poly(lactic acid)”."
    assert [word.text for word in words(text)] == [
        "1,2-Dichloroethane",
        "Fe3+",
        "copper(II)",
        "oxide",
        "and",
        "poly(lactic",
        "acid",
    ]


def test_sentences_do_not_end_at_abbreviations() -> None:
    text = "Dr. Smith et al. found it, e.g. in Fig. 3. It was J. Doe who left. Nothing more."
    assert [sentence.text for sentence in sentences(text)] == [
        "Dr. Smith et al. found it, e.g. in Fig. 3.",
        "It was J. Doe who left.",
        "Nothing more.",
    ]
    cited = "It is made from benzene.[1,2] Aniline is basic. [3] It is oily [4]."
    assert [sentence.words[0].text for sentence in sentences(cited)] == ["It", "Aniline", "It"]


def test_candidates_are_phrases_names_and_numbers() -> None:
    (sentence,) = sentences(
        "In 1984 the firm Royal Dutch Shell made propylene carbonate from 3,500 tonnes of gas."
    )
    found = {(span.text, span.kind) for span in candidates(sentence, frozenset())}
    assert {
        ("1984", "date"),
        ("Royal Dutch Shell", "name"),
        ("propylene carbonate", "phrase"),
        ("3,500", "number"),
    } <= found


def test_it_picks_the_subject_of_the_shared_predicate() -> None:
    context = passages(
        "Vanadium pentoxide catalyses the oxidation of sulfur dioxide. Silver is a special case.",
        "Sulfur dioxide is formed by the burning of sulfur in air.",
    )
    assert (
        baseline.answer("Which oxide catalyses the oxidation of sulfur dioxide?", context)
        == "Vanadium pentoxide"
    )
    two_hops = "Which oxide catalyses the oxidation of the gas that is formed by the burning of sulfur?"
    assert baseline.answer(two_hops, context) == "Vanadium pentoxide"


def test_it_takes_the_kind_that_the_question_asks_for() -> None:
    context = passages("Marie Curie discovered radium with 2 assistants in Paris in December 1898.")
    assert baseline.answer("Who discovered radium?", context) == "Marie Curie"
    assert baseline.answer("In what year did Marie Curie discover radium?", context) == "1898"
    assert baseline.answer("When did Marie Curie discover radium?", context) == "December 1898"
    assert baseline.answer("How many assistants did Marie Curie have?", context) == "2"


def test_in_a_graph_it_prefers_the_steps_that_nothing_follows() -> None:
    steps = ("Zinc is made by the roasting of ore A.", "Brass is made by the melting of zinc.")
    question = "Which metal is made by processing?"

    def shown(*edges: tuple[int, int]) -> str | None:
        return baseline.answer(question, Context("graph", "", steps, edges))

    assert shown((0, 1)) == "Brass"
    assert shown((1, 0)) == "Zinc"


def test_yes_or_no() -> None:
    both = passages("Anatase is a mineral.", "Rutile is a mineral.")
    assert baseline.answer("Are anatase and rutile of one class?", both) == "yes"
    assert (
        baseline.answer(
            "Are anatase and silk of one class?", passages("Anatase is a mineral.", "Silk is a fibre.")
        )
        == "no"
    )


def test_a_choice_by_numbers() -> None:
    context = passages("Acetone boils at 56 degrees.", "Ethanol boils at 78 degrees.")
    assert baseline.answer("Which boils higher, acetone or ethanol?", context) == "ethanol"
    assert baseline.answer("Which boils lower, acetone or ethanol?", context) == "acetone"


def test_it_refuses_without_anything_to_choose_from() -> None:
    assert baseline.answer("Which oxide?", Context("none")) is None
    assert baseline.answer("Which oxide?", passages("and of the")) is None


def test_the_same_answer_in_every_process() -> None:
    code = (
        "from evaluation.baseline import answer; from evaluation.conditions import Context;"
        "t=('A is red, wet, old.','B is wet, old and red too.','C is old or red or wet.');"
        "print([answer(q, Context('passages', '', t)) for q in"
        "('Which thing is red?','Are A and B of one kind?','Which is older, A or C?')])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": str(seed), "PYTHONPATH": str(REPOSITORY)},
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2)
    }
    assert len(outputs) == 1
