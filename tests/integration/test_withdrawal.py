"""A question is withdrawn when a relation its path rests on goes, and only then."""

from __future__ import annotations

import pytest

from domain.ids import stable_id
from graph.models import PathRecord, QuestionRecord, Spent
from graph.questions import Attempt
from graph.store import Graph
from tests.integration.bundles import bundle, entity_id

pytestmark = pytest.mark.engine

FIRST = bundle("A", [[("CaO", "absorbs", "CO2")]])
SECOND = bundle("B", [[("CO2", "dissolves in", "water")], [("KOH", "dissolves in", "water")]])


async def ask(graph: Graph, *relation_ids: str) -> str:
    """A question whose path has these relations and whose answer is CaO; returns its id."""
    path = PathRecord(
        id=stable_id("pth", *relation_ids),
        hops=len(relation_ids),
        entity_ids=tuple(entity_id(name) for name in ("CaO", "CO2", "water")[: len(relation_ids) + 1]),
        relation_ids=relation_ids,
        seed=1,
        corpus="default",
    )
    question = QuestionRecord(
        id=stable_id("qst", "set", path.id),
        name="q",
        text="Which oxide?",
        answer="CaO",
        dataset="set",
        source_format="catenane",
        corpus="default",
        hops=path.hops,
        graph_type="bridge_2_1",
        path_id=path.id,
        answer_entity_id=entity_id("CaO"),
    )
    await graph.questions.save([Attempt(path, "path", ("absorb",), Spent(), question=question)])
    return question.id


async def status(graph: Graph, question_id: str) -> str:
    found = await graph.questions.get(question_id)
    assert found is not None
    return found.status


async def test_deleting_a_source_withdraws_the_questions_that_rest_on_it(graph: Graph) -> None:
    await graph.documents.store(FIRST)
    await graph.documents.store(SECOND)
    both = await ask(graph, FIRST.relations[0].id, SECOND.relations[0].id)
    one = await ask(graph, FIRST.relations[0].id)
    assert await graph.stats.counts() == (await graph.stats.counts()).model_copy(
        update={"questions": 2, "paths": 2}
    )
    await graph.documents.store(SECOND)  # the same again: nothing rests on sand
    assert [await status(graph, each) for each in (both, one)] == ["accepted", "accepted"]
    await graph.documents.delete(SECOND.document.id)
    assert [await status(graph, each) for each in (both, one)] == ["withdrawn", "accepted"]
    assert (await graph.stats.counts()).questions == 1


async def test_replacing_withdraws_only_what_rests_on_a_relation_that_went(graph: Graph) -> None:
    await graph.documents.store(FIRST)
    await graph.documents.store(SECOND)
    both = await ask(graph, FIRST.relations[0].id, SECOND.relations[0].id)
    shorter = SECOND.model_copy(
        update={
            "chunks": SECOND.chunks[:1],
            "mentions": tuple(m for m in SECOND.mentions if m.chunk_id == SECOND.chunks[0].id),
            "relations": SECOND.relations[:1],
        }
    )
    await graph.documents.store(shorter)  # the KOH sentence is gone, the one in use is not
    assert await status(graph, both) == "accepted"
    other = shorter.model_copy(update={"relations": ()})
    await graph.documents.store(other)
    assert await status(graph, both) == "withdrawn"


async def test_the_answer_of_a_question_keeps_its_entity(graph: Graph) -> None:
    await graph.documents.store(FIRST)
    question = await ask(graph, FIRST.relations[0].id)
    await graph.documents.delete(FIRST.document.id)
    assert await status(graph, question) == "withdrawn"
    kept = (await graph.entities.list()).items
    assert [(each.name, each.aliases) for each in kept] == [("CaO", ())]
