"""Template questions: read them aloud. Expected texts were written by hand from the facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.packs import load_pack
from qa.gates import Rules, Taken, check_path, check_text
from qa.writing import TemplateWriter, positive_graph
from tests.support.cases import case
from tests.support.facts import Row

PACK = load_pack("chemistry")
WRITER = TemplateWriter(PACK)
KINDS = {
    "nitric acid": "acid",
    "nitrogen dioxide": "gas",
    "nitric oxide": "gas",
    "ammonia": "gas",
    "vanadium pentoxide": "oxide",
    "sulfur dioxide": "gas",
    "titanium tetrachloride": "compound",
    "rutile": "mineral",
    "Kevlar": "polymer",
    "acetone": "ketone",
    "cellulose acetate": "polymer",
}
CHAIN: list[Row] = [
    ("D1", "nitric acid", "is produced from", "nitrogen dioxide"),
    ("D2", "nitrogen dioxide", "is formed by the oxidation of", "nitric oxide"),
    ("D3", "nitric oxide", "was obtained by the catalytic oxidation of", "ammonia"),
    ("D4", "ammonia", "dissolves readily in", "water"),
]


@pytest.mark.parametrize(
    ("fact", "question"),
    [
        (CHAIN[0], "Which acid is produced from nitrogen dioxide?"),
        (CHAIN[2], "Which gas was obtained by the catalytic oxidation of ammonia?"),
        (CHAIN[3], "Which gas dissolves readily in water?"),
        (
            ("D", "vanadium pentoxide", "catalyses the oxidation of", "sulfur dioxide"),
            "Which oxide catalyses the oxidation of sulfur dioxide?",
        ),
        # plural subjects, bare participles and bare nouns agree with the singular noun
        (
            ("D", "vanadium pentoxide", "are used as a catalyst for the oxidation of", "sulfur dioxide"),
            "Which oxide is used as a catalyst for the oxidation of sulfur dioxide?",
        ),
        (
            ("D", "vanadium pentoxide", "catalyse the oxidation of", "sulfur dioxide"),
            "Which oxide catalyses the oxidation of sulfur dioxide?",
        ),
        (
            ("D", "titanium tetrachloride", "produced by the carbochlorination of", "rutile"),
            "Which compound is produced by the carbochlorination of rutile?",
        ),
        (("D", "acetone", "is soluble in", "water"), "Which ketone is soluble in water?"),
        (("D", "acetone", "soluble in", "water"), "Which ketone is soluble in water?"),
        (
            ("D", "rutile", "is an important source of", "titanium"),
            "Which mineral is an important source of titanium?",
        ),
        (
            ("D", "ammonia", "can be oxidised to", "nitric oxide"),
            "Which gas can be oxidised to nitric oxide?",
        ),
        (
            ("D", "nitric oxide", "reacts with", "ozone to form nitrogen dioxide"),
            "Which gas reacts with ozone to form nitrogen dioxide?",
        ),
    ],
)
def test_one_hop(fact: Row, question: str) -> None:
    written = WRITER.draft(case([fact], kinds=KINDS))
    assert written.text == question
    assert [hop.question for hop in written.one_hops] == [question]
    assert written.answer == fact[1]


@pytest.mark.parametrize(
    ("hops", "question"),
    [
        (2, "Which acid is produced from the gas that is formed by the oxidation of nitric oxide?"),
        (
            3,
            "Which acid is produced from the gas that is formed by the oxidation of the gas that was "
            "obtained by the catalytic oxidation of ammonia?",
        ),
        (
            4,
            "Which acid is produced from the gas that is formed by the oxidation of the gas that was "
            "obtained by the catalytic oxidation of the gas that dissolves readily in water?",
        ),
    ],
)
def test_nested(hops: int, question: str) -> None:
    written = WRITER.draft(case(CHAIN[:hops], kinds=KINDS))
    assert written.text == question
    assert written.answer == "nitric acid"
    assert [hop.answer for hop in written.one_hops] == [fact[1] for fact in CHAIN[:hops]]
    assert [hop.relation_id for hop in written.one_hops] == [f"rel_D{n}_0" for n in range(1, hops + 1)]


def test_a_noun_that_is_a_name_of_the_answer_is_not_used() -> None:
    facts: list[Row] = [
        ("D1", "acetaldehyde", "is made by the oxidation of", "ethanol"),
        ("D2", "ethanol", "is made by the fermentation of", "glucose"),
    ]
    made = case(
        facts, kinds={"ethanol": "alcohol", "acetaldehyde": "aldehyde"}, aliases={"ethanol": ("alcohol",)}
    )
    written = WRITER.draft(made)
    assert written.text == (
        "Which aldehyde is made by the oxidation of the compound that is made by the fermentation of glucose?"
    )
    assert check_text(made, written, Taken()) is None


async def test_what_it_writes_passes_the_gates() -> None:
    made = case(CHAIN, kinds=KINDS)
    written = await WRITER.write(made)
    assert written.draft is not None
    assert written.spent.calls == 0
    assert check_path(made, Rules(PACK), Taken()) is None
    assert check_text(made, written.draft, Taken()) is None
    assert await WRITER.rewrite(made, written.draft, []) is None


def test_names_are_spelled_as_in_the_middle_of_a_sentence() -> None:
    made = case([("D", "acetone", "dissolves", "cellulose acetate")], kinds=KINDS)
    capital = made.nodes[1].model_copy(update={"name": "Cellulose acetate"})
    made = replace(made, entities=(made.entities[0], capital))
    assert WRITER.draft(made).text == "Which ketone dissolves cellulose acetate?"
    proper = case([("D", "acetone", "swells", "Kevlar")], kinds=KINDS)
    assert WRITER.draft(proper).text == "Which ketone swells Kevlar?"
    formula = case([("D", "acetone", "is made from", "CO₂")], kinds=KINDS)
    assert WRITER.draft(formula).text == "Which ketone is made from CO2?"


def test_the_positive_graph_flows_to_the_answer() -> None:
    made = case(CHAIN[:3], kinds=KINDS)
    graph = positive_graph(made, WRITER.draft(made), "qst_1")
    assert graph.graph_type == "bridge_3_1"
    assert graph.edges == ((0, 1), (1, 2))
    assert [step.text for step in graph.steps] == [
        "Nitric oxide was obtained by the catalytic oxidation of ammonia.",
        "Nitrogen dioxide is formed by the oxidation of nitric oxide.",
        "Nitric acid is produced from nitrogen dioxide.",
    ]
    assert [step.title for step in graph.steps] == ["On D3", "On D2", "On D1"]
    assert [step.sub_answer for step in graph.steps] == ["nitric oxide", "nitrogen dioxide", "nitric acid"]
    assert graph.steps[0].sub_question == "Which gas was obtained by the catalytic oxidation of ammonia?"
    assert [step.relation_id for step in graph.steps] == ["rel_D3_0", "rel_D2_0", "rel_D1_0"]
    assert [step.chunk_id for step in graph.steps] == ["chk_D3_0", "chk_D2_0", "chk_D1_0"]
    assert (graph.polarity, graph.question_id) == ("positive", "qst_1")
    single = case(CHAIN[:1], kinds=KINDS)
    assert positive_graph(single, WRITER.draft(single), "qst_2").graph_type == "bridge_1_1"
