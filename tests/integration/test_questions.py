"""Question sets in the graph: stored, listed, and made ready for evaluation."""

from __future__ import annotations

import pytest

from domain.packs import load_pack
from errors import InputError
from graph.models import ContextSentence, OneHop, QuestionRecord, Step
from graph.questions import question_properties, question_record
from graph.store import Graph
from qa.gates import load_cases
from qa.generate import generate_questions
from qa.reasoning.positive import Node, build_positive
from qa.sampling import sample_paths
from tests.support.facts import Row, bundles, store_facts

pytestmark = pytest.mark.engine

FACTS: list[Row] = [
    ("D1", "nitric acid", "is produced from", "nitrogen dioxide"),
    ("D2", "nitrogen dioxide", "is formed by the oxidation of", "nitric oxide"),
    ("D3", "acetone", "dissolves", "cellulose acetate"),
]


async def make(graph: Graph, name: str = "set", corpus: str | None = None) -> None:
    await generate_questions(
        graph, name=name, hops=[1, 2], count=5, seed=1, corpus=corpus, pack=load_pack("chemistry")
    )


def imported(number: int) -> QuestionRecord:
    return QuestionRecord(
        id=f"qst_i{number}",
        name=f"i{number}",
        text=f"Where was person {number} born?",
        answer="Graz",
        dataset="hotpot",
        source_format="hotpotqa",
        hops=2,
        graph_type="bridge_2_1",
        declared_type="bridge",
        one_hops=(OneHop(question="Who?", answer="A", relation_id=""),),
        notes=("head by list order",),
    )


def test_a_record_survives_the_node() -> None:
    record = imported(1)
    properties = question_properties(record)
    assert properties["sub_questions"] == ["Who?"]
    assert not any(isinstance(value, dict) for value in properties.values())
    assert question_record({**properties, "record_sha256": "x", "calls": 3}) == record
    bare = record.model_copy(update={"one_hops": (), "notes": ()})
    assert question_properties(bare)["sub_answers"] == []
    assert question_record(question_properties(bare)) == bare


async def test_items_of_an_own_set(graph: Graph) -> None:
    await store_facts(graph, FACTS, formulas={"nitric acid": "HNO3"}, kinds={"nitric acid": "acid"})
    await make(graph)
    items = await graph.questions.items("set")
    assert [item.question.id for item in items] == sorted(item.question.id for item in items)
    two = next(item for item in items if item.question.hops == 2)
    assert two.question.text == (
        "Which acid is produced from the compound that is formed by the oxidation of nitric oxide?"
    )
    # the named entity's hop first, as the graph flows; each with what is known of the hop's answer
    assert two.gold == (
        "Nitrogen dioxide is formed by the oxidation of nitric oxide.\n\nnitrogen dioxide: kind compound.",
        "Nitric acid is produced from nitrogen dioxide.\n\nnitric acid: kind acid; formula HNO3.",
    )
    assert two.cluster == "doc_D1"
    assert two.positive is not None
    assert [step.relation_id for step in two.positive.steps] == ["rel_D2_0", "rel_D1_0"]
    assert two.positive.edges == ((0, 1),)
    assert (two.negatives, two.context) == ((), ())
    assert [item.question.id for item in await graph.questions.items(ids=[two.question.id])] == [
        two.question.id
    ]
    assert await graph.questions.items("set", corpus="elsewhere") == []
    assert two.question == await graph.questions.get(two.question.id)


async def test_withdrawn_questions_are_left_out(graph: Graph) -> None:
    await store_facts(graph, FACTS)
    await make(graph)
    assert len(await graph.questions.items("set")) == 4
    await graph.documents.delete("doc_D1")
    left = await graph.questions.items("set")
    assert {item.question.answer for item in left} == {"nitrogen dioxide", "acetone"}
    assert await graph.questions.accepted_ids("set") == [item.question.id for item in left]
    withdrawn = (await graph.questions.list("set", status="withdrawn")).items
    assert {question.answer for question in withdrawn} == {"nitric acid"}
    assert len(withdrawn) == 2


async def test_items_of_an_imported_set(graph: Graph) -> None:
    record = imported(1)
    nodes = [Node(text="A is a person.", title="A"), Node(text="B lies in Graz.", title="B")]
    positive = build_positive(record.id, nodes, [(0, 1)])
    await graph.write("questions/merge", rows=[{"id": record.id, "properties": question_properties(record)}])
    await graph.reasoning.store([positive])
    items = await graph.questions.items("hotpot")
    assert [item.gold for item in items] == [("A is a person.", "B lies in Graz.")]
    assert items[0].cluster == "B"
    assert items[0].positive == positive
    assert items[0].question == record
    assert items[0].context == ()
    assert isinstance(positive.steps[0], Step)
    assert ContextSentence.model_fields  # contexts come from graph.reasoning, tested there


async def test_lists_filters_and_pages(graph: Graph) -> None:
    await store_facts(graph, FACTS, corpus="mine")
    await make(graph, corpus="mine")
    await make(graph, name="other")
    rows = [{"id": each.id, "properties": question_properties(each)} for each in map(imported, range(3))]
    await graph.write("questions/merge", rows=rows)
    everything = (await graph.questions.list()).items
    assert [(each.dataset, each.hops) for each in everything] == (
        [("hotpot", 2)] * 3 + [("other", 1)] * 3 + [("other", 2)] + [("set", 1)] * 3 + [("set", 2)]
    )
    paged, cursor = [], None
    while True:
        page = await graph.questions.list(limit=4, cursor=cursor)
        paged += page.items
        if (cursor := page.next) is None:
            break
        assert len(page.items) == 4
    assert paged == everything

    async def count(**filters: object) -> int:
        return len((await graph.questions.list(**filters)).items)  # type: ignore[arg-type]

    assert await count(dataset="set", hops=2) == 1
    assert await count(corpus="mine") == 4
    assert await count(graph_type="bridge_1_1") == 6
    assert await count(text="BORN") == 3
    assert await count(text="acetone") == 2  # in the answers
    assert await count(status="withdrawn") == 0
    assert await count(backend="offline", dataset="hotpot") == 3
    assert await count(split="test") == 0
    with pytest.raises(InputError, match="no cursor"):
        await graph.questions.list(cursor="nonsense")
    assert await graph.questions.get("qst_none") is None
    assert await graph.questions.accepted_ids(corpus="mine") == sorted(
        each.id for each in everything if each.dataset == "set"
    )


async def test_the_sets_there_are(graph: Graph) -> None:
    assert await graph.questions.names() == []
    await store_facts(graph, FACTS)
    await make(graph)
    await graph.documents.delete("doc_D3")
    await graph.write(
        "questions/merge", rows=[{"id": "qst_i1", "properties": question_properties(imported(1))}]
    )
    assert await graph.questions.names() == [
        {
            "name": "hotpot",
            "source_format": "hotpotqa",
            "questions": 1,
            "accepted": 1,
            "by_hops": {"2": 1},
            "by_structure": {"bridge_2_1": 1},
        },
        {
            "name": "set",
            "source_format": "catenane",
            "questions": 4,
            "accepted": 3,
            "by_hops": {"1": 2, "2": 1},
            "by_structure": {"bridge_1_1": 2, "bridge_2_1": 1},
        },
    ]


async def test_the_ledger_in_pages(graph: Graph) -> None:
    facts: list[Row] = [(f"D{n}", f"acid{n}x", "dissolves", "silver") for n in range(5)]
    await store_facts(graph, facts)
    await make(graph)
    whole = (await graph.questions.rejections("set")).items
    assert [entry.reason for entry in whole] == ["unique"] * 5
    assert all(entry.path_id and entry.hops == 1 and not entry.failed for entry in whole)
    first = await graph.questions.rejections("set", limit=3)
    rest = await graph.questions.rejections("set", limit=3, cursor=first.next)
    assert first.items + rest.items == whole
    assert rest.next is None
    assert (await graph.questions.rejections("set", reason="generic")).items == []
    assert (await graph.questions.rejections("set", hops=2)).items == []
    assert len((await graph.questions.rejections()).items) == 5
    # A rejection hangs on the path it is about, which can be looked at.
    path = await graph.paths.get(whole[0].path_id or "")
    assert path is not None
    assert (await graph.paths.tell([path]))[0]["relations"][0]["predicate"] == "dissolves"


async def test_what_the_gates_are_told(graph: Graph) -> None:
    facts: list[Row] = [
        ("D1", "nitric acid", "is produced from", "nitrogen dioxide"),
        ("D2", "nitrogen dioxide", "is formed by the oxidation of", "nitric oxide"),
        ("D4", "peroxynitrite", "was produced from", "nitrogen dioxide"),
        ("D5", "nitric oxide", "reduces", "nitric acid"),
    ]
    await store_facts(graph, facts, corpus="mine", aliases={"nitric acid": ["HNO3"]})
    mentions = bundles([("D6", "nitric acid", "is no", "nitric oxide")], corpus="theirs")[0]
    await graph.documents.store(mentions.model_copy(update={"relations": ()}))
    options = {"hops": 2, "count": 9, "seed": 1}
    paths = (await sample_paths(graph, **options)).paths  # type: ignore[arg-type]
    path = next(each for each in paths if each.entity_ids[0] == "ent_nitric_acid")
    (case,) = await load_cases(graph, [path])
    assert [each.subject_name for each in case.hops] == ["nitric acid", "nitrogen dioxide"]
    assert "HNO3" in case.nodes[0].aliases
    # by lemma, "was produced from" is "is produced from"
    assert [[rival.name for rival in rivals] for rivals in case.rivals] == [["peroxynitrite"], []]
    assert [(link.subject_id, link.object_id) for link in case.links] == [
        ("ent_nitric_oxide", "ent_nitric_acid")
    ]
    assert case.together == ("chk_D5_0", 2)
    # nitric acid: D1 and D5, two predicates; nitric oxide: D2 and D5, two predicates
    assert case.spread == {"ent_nitric_acid": (2, 2), "ent_nitric_oxide": (2, 2)}
    assert case.documents == 5
    (mine,) = await load_cases(graph, [path], "mine")
    assert (mine.together, mine.documents) == (("chk_D5_0", 1), 4)
    (theirs,) = await load_cases(graph, [path], "theirs")
    assert (theirs.links, theirs.together, theirs.spread) == ((), ("chk_D6_0", 1), {})
    assert theirs.rivals == ((), ())
    assert await load_cases(graph, []) == []
    await graph.documents.delete("doc_D1")
    (gone,) = await load_cases(graph, [path])
    assert gone.evidence[0] is None
