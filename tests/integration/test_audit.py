"""The audit finds what is planted in a stored question set, and nothing in a clean one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from domain.packs import load_pack
from errors import NotFoundError
from graph.models import PathRecord, QuestionRecord, Spent
from graph.questions import Attempt
from graph.store import Graph
from qa import audit as module
from qa.audit import audit
from qa.generate import generate_questions
from tests.support.facts import Row, entity_id, store_facts

pytestmark = pytest.mark.engine

FACTS: list[Row] = [
    ("D1", "nitric acid", "is produced from", "nitrogen dioxide"),
    ("D2", "nitrogen dioxide", "is formed by the oxidation of", "nitric oxide"),
    ("D1", "nitrogen dioxide", "oxidises", "sulfur dioxide"),
    ("D3", "nitrogen dioxide", "nitrates", "benzene"),
    ("D4", "nitrogen dioxide", "reacts with", "toluene"),
]
CLEAN = "Which acid is produced from the gas that is formed by the oxidation of nitric oxide?"
# D3's chunk has the words of D1's first chunk with other marks and spaces; D4's also holds its sentence.
TEXTS = {
    0: "Nitric acid is produced from nitrogen dioxide. Nitrogen dioxide nitrates benzene.",
    3: "Nitric acid is produced from nitrogen dioxide; nitrogen dioxide nitrates  Benzene. "
    "Nitrogen dioxide nitrates benzene.",
    4: "Nitrogen dioxide reacts with toluene. Nitric acid is produced from nitrogen  dioxide.",
}


async def plant(graph: Graph, text: str, *relations: str, name: str = "planted") -> None:
    """Store an accepted question over these relations, whatever the gates would say."""
    rows = await graph.relations.by_ids(relations)
    hops = [rows[each].relation for each in relations]
    path = PathRecord(
        id="pth_" + "_".join(relations) + str(len(text)),
        hops=len(hops),
        entity_ids=(hops[0].subject_id, *(hop.object_id for hop in hops)),
        relation_ids=relations,
        seed=1,
    )
    question = QuestionRecord(
        id=f"qst_{path.id}",
        name="planted",
        text=text,
        answer=rows[relations[0]].subject_name,
        dataset=name,
        source_format="catenane",
        hops=len(hops),
        graph_type=f"bridge_{len(hops)}_1",
        path_id=path.id,
    )
    attempt = Attempt(path, "planted", tuple(hop.lemma for hop in hops), Spent(), question=question)
    await graph.questions.save([attempt])


@pytest.fixture
async def facts(graph: Graph) -> Graph:
    aliases = {"nitric acid": ["HNO3", "aqua fortis"], "nitrogen dioxide": ["NO2"]}
    await store_facts(graph, FACTS, aliases=aliases, texts=TEXTS)
    return graph


async def test_a_clean_set(facts: Graph) -> None:
    await plant(facts, CLEAN, "rel_D1_0", "rel_D2_0")
    assert await audit(facts, "planted") == (1, 0, 0, ())
    made = await generate_questions(
        facts, name="made", hops=[1, 2], count=9, seed=1, pack=load_pack("chemistry")
    )
    found = await audit(facts, "made")
    assert found.questions == made.accepted > 0
    assert (found.reused_sources, found.leaks) == (0, 0)


@pytest.mark.parametrize(
    ("relation", "says"),
    [
        ("rel_D1_1", "stand in document doc_D1"),
        ("rel_D3_0", "the text of hop 2 also states hop 1"),
        ("rel_D4_0", "the text of hop 2 also states hop 1"),
    ],
)
async def test_reused_sources(facts: Graph, relation: str, says: str) -> None:
    await plant(facts, "Which acid is produced from the gas that does this?", "rel_D1_0", relation)
    found = await audit(facts, "planted")
    assert (found.questions, found.reused_sources, found.leaks) == (1, 1, 0)
    assert says in found.details[0].detail


async def test_the_same_words_in_two_documents(graph: Graph) -> None:
    pair: list[Row] = [("D1", "p1x", "yields", "q1x"), ("D2", "q1x", "yields", "r1x")]
    await store_facts(
        graph, pair, texts={0: "P1x yields q1x. Q1x yields r1x.", 1: "P1x yields q1x! Q1x yields r1x."}
    )
    await plant(graph, "Which one yields the one that yields r1x?", "rel_D1_0", "rel_D2_0")
    found = await audit(graph, "planted")
    assert found.reused_sources == 1
    assert "stand in the same words in two documents" in found.details[0].detail


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Is it nitric acid that is formed by the oxidation of nitric oxide?", "nitric acid"),
        ("Is Nitric Acid formed?", "nitric acid"),
        ("Which acid (HNO₃) is formed?", "HNO3"),
        ("What is aqua  fortis?", "aqua fortis"),
        ("What is made of “NO2”?", "NO2"),
        ("What is made of nitrogen dioxide's dimer?", "nitrogen dioxide"),
        ("What is NO2-derived?", "NO2"),
        ("Which NO2/N2O4 mixture?", "NO2"),
    ],
)
async def test_leaks(facts: Graph, text: str, name: str) -> None:
    await plant(facts, text, "rel_D1_0", "rel_D2_0")
    found = await audit(facts, "planted")
    assert (found.questions, found.reused_sources, found.leaks) == (1, 0, 1)
    assert any(repr(name) in fault.detail for fault in found.details)


async def test_questions_are_counted_once(facts: Graph) -> None:
    await plant(facts, "Is NO2 or nitrogen dioxide in HNO3?", "rel_D1_0", "rel_D2_0")
    await plant(facts, CLEAN, "rel_D1_0", "rel_D2_0")
    await plant(facts, "Which acid of NO2?", "rel_D1_0", "rel_D1_1")
    found = await audit(facts, "planted")
    assert (found.questions, found.reused_sources, found.leaks) == (3, 1, 2)
    assert len(found.details) > 3


async def test_the_named_entity_is_no_leak(facts: Graph) -> None:
    await plant(facts, "Which acid is produced from nitrogen dioxide, that is NO2?", "rel_D1_0")
    assert (await audit(facts, "planted")).leaks == 0


async def test_a_path_that_is_not_whole(facts: Graph) -> None:
    await plant(facts, CLEAN, "rel_D1_0", "rel_D2_0")
    # a path that jumps: its second relation does not begin where the first one ends
    await plant(facts, "Which one?", "rel_D2_0", "rel_D1_0")
    found = await audit(facts, "planted")
    assert [fault.kind for fault in found.details] == ["broken_path"]
    assert (found.questions, found.reused_sources, found.leaks) == (2, 0, 0)


async def test_a_set_without_questions(graph: Graph) -> None:
    with pytest.raises(NotFoundError, match="no questions from paths"):
        await audit(graph, "nothing")
    assert entity_id("nitric acid") == "ent_nitric_acid"


def test_it_shares_no_code_with_the_gates() -> None:
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    imported = {
        name.split(".")[0] if name.startswith("qa") else name
        for node in ast.walk(ast.parse(source))
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else []
        )
    }
    assert not imported & {"qa", "domain.identity", "domain.composition"}
    assert "questions/gates" not in source
