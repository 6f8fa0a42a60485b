"""What documents say: stored, stored again, replaced, attached, removed. Counts are derived by hand.

Paper A, chunk 0: "CaO reacts with water. CaO absorbs CO2."   chunk 1: "water dissolves NaCl."
Paper B, chunk 0: "CaO absorbs CO2."                          chunk 1: "NaCl melts slowly in KCl."
A alone has 2 chunks, 6 mentions, 3 relations, 3 facts, 4 entities (CaO, water, CO2, NaCl).
B alone has 2 chunks, 4 mentions, 2 relations, 2 facts, 4 entities (CaO, CO2, NaCl, KCl).
Together: 4 chunks, 10 mentions, 5 relations, 4 facts ("CaO absorbs CO2" is in both), 5 entities.
"""

from __future__ import annotations

import pytest

from errors import InputError, NotFoundError
from graph.models import Counts, DocumentBundle
from graph.store import Graph
from tests.integration.bundles import AT, bundle, entity_id, relation_id

pytestmark = pytest.mark.engine

A_CHUNKS = [[("CaO", "reacts with", "water"), ("CaO", "absorbs", "CO2")], [("water", "dissolves", "NaCl")]]
B_CHUNKS = [[("CaO", "absorbs", "CO2")], [("NaCl", "melts slowly in", "KCl")]]
A_COUNTS = Counts(documents=1, chunks=2, mentions=6, entities=4, relations=3, facts=3)
B_COUNTS = Counts(documents=1, chunks=2, mentions=4, entities=4, relations=2, facts=2)
BOTH = Counts(documents=2, chunks=4, mentions=10, entities=5, relations=5, facts=4)


def paper_a(**options: str) -> DocumentBundle:
    return bundle("A", A_CHUNKS, **options)  # type: ignore[arg-type]


def paper_b(**options: str) -> DocumentBundle:
    return bundle("B", B_CHUNKS, **options)  # type: ignore[arg-type]


async def everything(graph: Graph) -> dict[str, object]:
    """All there is, as records, to compare before and after."""
    documents = (await graph.documents.list()).items
    return {
        "documents": documents,
        "chunks": [await graph.documents.chunks(each.id) for each in documents],
        "entities": (await graph.entities.list()).items,
        "relations": (await graph.relations.list()).items,
        "edges": sorted(map(str, await graph.read("stats/counts.edges", corpus=None))),
    }


async def test_counts_of_one_and_two_papers(graph: Graph) -> None:
    await graph.documents.store(paper_a())
    assert await graph.stats.counts() == A_COUNTS
    await graph.documents.store(paper_b())
    assert await graph.stats.counts() == BOTH
    assert [each.name for each in (await graph.entities.list()).items] == [
        "CO2",
        "CaO",
        "KCl",
        "NaCl",
        "water",
    ]


async def test_storing_again_changes_nothing(graph: Graph) -> None:
    await graph.documents.store(paper_a())
    await graph.documents.store(paper_b())
    before = await everything(graph)
    await graph.documents.store(paper_a())
    assert await everything(graph) == before
    assert await graph.stats.counts() == BOTH


async def test_a_relation_comes_back_with_its_text(graph: Graph) -> None:
    paper = paper_a()
    await graph.documents.store(paper)
    found = await graph.relations.by_ids([paper.relations[1].id])
    evidence = found[paper.relations[1].id]
    assert evidence.relation == paper.relations[1]
    assert evidence.relation.at == AT
    assert evidence.sentence == "CaO absorbs CO2."
    assert (evidence.subject_name, evidence.object_name) == ("CaO", "CO2")
    assert evidence.chunk_sha256 == paper.chunks[0].content_sha256
    assert evidence.document_title == "On A"
    row = (await graph.read("entities/relations.by_ids", ids=[paper.relations[1].id]))[0]["relation"]
    assert row["corpora"] == ["default"]
    assert 0 <= row["draw"] < 1


async def test_records_come_back_equal(graph: Graph) -> None:
    paper = paper_a()
    await graph.documents.store(paper)
    assert await graph.documents.get(paper.document.id) == paper.document
    assert await graph.documents.chunks(paper.document.id) == list(paper.chunks)
    assert await graph.documents.fingerprints([paper.document.id, "doc_none"]) == {paper.document.id: "f1"}
    assert await graph.documents.at_source("default", "/papers/A.txt") == [paper.document.id]
    assert await graph.documents.at_source("other", "/papers/A.txt") == []
    mentions = await graph.entities.mentions(entity_id("water"))
    assert [(each.start, each.end, each.surface) for each in mentions] == [(16, 21, "water"), (0, 5, "water")]
    assert (await graph.entities.by_ids([entity_id("CaO")]))[entity_id("CaO")].aliases == ("CaO",)


async def test_another_place_and_extractor_are_sightings_of_one_edge(graph: Graph) -> None:
    paper = paper_a()
    second = paper.relations[1].model_copy(
        update={"extractor": "model", "model": "m", "prompt_sha256": "p", "start": 0}
    )
    await graph.documents.store(paper.model_copy(update={"relations": (*paper.relations, second)}))
    assert (await graph.stats.counts()).relations == 3
    sightings = await graph.look.evidence(second.id)
    assert [(each.relation.start, each.relation.extractor, each.relation.model) for each in sightings] == [
        (0, "model", "m"),
        (23, "pattern", None),
    ]
    assert len(await graph.entities.evidence(entity_id("CO2"))) == 2


async def test_replacing_takes_back_only_what_it_said_before(graph: Graph) -> None:
    await graph.documents.store(paper_a())
    await graph.documents.store(paper_b())
    changed = bundle("A", [A_CHUNKS[0]], fingerprint="f2")  # chunk 1, and with it water-NaCl, is gone
    await graph.documents.store(changed)
    assert await graph.stats.counts() == Counts(
        documents=2, chunks=3, mentions=8, entities=5, relations=4, facts=3
    )  # NaCl stays: B has it
    assert await graph.documents.fingerprints([changed.document.id]) == {changed.document.id: "f2"}
    await graph.documents.store(bundle("A", [[("KOH", "absorbs", "CO2")]]))
    assert await graph.stats.counts() == Counts(
        documents=2, chunks=3, mentions=6, entities=5, relations=3, facts=3
    )  # water is gone, CaO stays by B, KOH is new
    assert not await graph.entities.find("water")


async def test_deleting_removes_what_only_it_supported(graph: Graph) -> None:
    await graph.documents.store(paper_a())
    await graph.documents.store(paper_b())
    before = await everything(graph)
    assert await graph.documents.delete(paper_a().document.id) is True
    assert await graph.stats.counts() == B_COUNTS
    left = await everything(graph)
    await graph.empty()
    await graph.documents.store(paper_b())
    assert await everything(graph) == left  # as if A had never been there
    await graph.documents.store(paper_a())
    assert await everything(graph) == before
    assert await graph.documents.delete(paper_a().document.id) is True
    assert await graph.documents.delete(paper_b().document.id) is True
    assert await graph.stats.counts() == Counts()
    assert await graph.documents.delete(paper_b().document.id) is False
    assert await graph.stats.labels() == {"Corpus": 1, "SchemaVersion": 1}


async def test_a_document_in_two_corpora_only_leaves_the_one_named(graph: Graph) -> None:
    a, b = paper_a(), paper_b(corpus="other")
    await graph.documents.store(a)
    await graph.documents.store(b)
    await graph.documents.attach("other", a.document.id)
    assert await graph.documents.corpora_of(a.document.id) == ["default", "other"]
    assert await graph.stats.counts("default") == A_COUNTS
    assert await graph.stats.counts("other") == BOTH
    assert len((await graph.relations.list("default")).items) == 3
    assert len((await graph.relations.list("other")).items) == 5
    assert len((await graph.entities.list("default")).items) == 4

    assert await graph.documents.delete(a.document.id, corpus="other") is True
    assert await graph.documents.delete(a.document.id, corpus="other") is False
    assert await graph.stats.counts("other") == B_COUNTS
    assert await graph.stats.counts("default") == A_COUNTS
    assert await graph.stats.counts() == BOTH
    await graph.documents.store(a)  # stored again in "default", it is still in "default" alone
    assert await graph.documents.corpora_of(a.document.id) == ["default"]


async def test_storing_in_a_second_corpus_keeps_the_first(graph: Graph) -> None:
    await graph.documents.store(paper_a())
    await graph.documents.store(paper_a(corpus="other"))
    assert await graph.stats.counts("default") == A_COUNTS
    assert await graph.stats.counts("other") == A_COUNTS
    assert await graph.stats.counts() == A_COUNTS


async def test_corpora(graph: Graph) -> None:
    await graph.corpora.ensure("empty")
    await graph.documents.store(paper_a())
    await graph.documents.store(paper_b(corpus="other"))
    await graph.documents.attach("other", paper_a().document.id)
    assert await graph.corpora.list() == [
        {"name": "default", "documents": 1, "chunks": 2},
        {"name": "empty", "documents": 0, "chunks": 0},
        {"name": "other", "documents": 2, "chunks": 4},
    ]
    assert await graph.corpora.delete("other") == 2
    assert await graph.stats.counts() == A_COUNTS
    assert [each["name"] for each in await graph.corpora.list()] == ["default", "empty"]
    with pytest.raises(NotFoundError):
        await graph.corpora.delete("other")
    with pytest.raises(NotFoundError):
        await graph.documents.attach("other", "doc_none")


async def test_lists_come_in_pages(graph: Graph) -> None:
    await graph.documents.store(paper_a())
    await graph.documents.store(paper_b())
    for read in (graph.entities.list, graph.relations.list, graph.documents.list):
        whole = (await read()).items
        paged: list[object] = []
        cursor = None
        while True:
            page = await read(limit=2, cursor=cursor)
            assert len(page.items) <= 2
            paged += page.items
            if (cursor := page.next) is None:
                break
        assert paged == whole
    with pytest.raises(InputError):
        await graph.entities.list(cursor="nonsense")


async def test_an_incoherent_bundle_is_refused(graph: Graph) -> None:
    paper = paper_a()
    with pytest.raises(InputError, match="entities it does not hold"):
        await graph.documents.store(paper.model_copy(update={"entities": paper.entities[:1]}))
    assert await graph.stats.counts() == Counts()


async def test_awkward_characters_are_only_data(graph: Graph) -> None:
    name, predicate = "a`b'c\"d\\e{f}$g", "reacts`\n}) DETACH DELETE n //"
    await graph.documents.store(bundle("odd", [[(name, predicate, "wa\nter")]]))
    found = (await graph.relations.list()).items
    assert [(each.subject_name, each.relation.predicate, each.object_name) for each in found] == [
        (name, predicate, "wa\nter")
    ]


async def test_a_variant_points_to_its_compound_in_either_order(graph: Graph) -> None:
    rutile = bundle("R", [[("rutile", "absorbs", "light")]], variant_of={"rutile": "TiO2"})
    oxide = bundle("T", [[("TiO2", "absorbs", "light")]])
    for papers in ((rutile, oxide), (oxide, rutile)):
        await graph.empty()
        for paper in papers:
            await graph.documents.store(paper)
        found = await graph.entities.variants([entity_id("TiO2")])
        assert found == {entity_id("TiO2"): [entity_id("rutile")]}


async def test_what_questions_ask_of_relations(graph: Graph) -> None:
    await graph.documents.store(paper_a())
    await graph.documents.store(bundle("C", [[("KOH", "absorbs", "CO2")]], corpus="other"))
    rel = relation_id("KOH", "absorbs", "CO2", (await graph.documents.chunks(_doc("C")))[0].id)
    ask = ("absorb", entity_id("CO2"), entity_id("CaO"))
    assert await graph.relations.rivals(*ask) == [(entity_id("KOH"), "KOH", rel)]
    assert await graph.relations.rivals(*ask, corpus="default") == []
    between = await graph.relations.between([entity_id("CaO"), entity_id("CO2"), entity_id("NaCl")])
    assert [(each.subject_surface, each.object_surface) for each in between] == [("CaO", "CO2")]
    chunks = await graph.documents.chunks(_doc("A"))
    assert await graph.relations.co_mentions(entity_id("CO2"), entity_id("water")) == [chunks[0].id]
    assert await graph.relations.co_mentions(entity_id("CO2"), entity_id("water"), corpus="other") == []
    assert await graph.relations.spread([entity_id("CaO"), entity_id("CO2"), entity_id("NaCl")]) == {
        entity_id("CaO"): (1, 2),
        entity_id("CO2"): (2, 1),
        entity_id("NaCl"): (1, 1),
    }


def _doc(name: str) -> str:
    return bundle(name, []).document.id


async def test_looking_around(graph: Graph) -> None:
    await graph.documents.store(paper_a())
    assert [each.name for each in await graph.look.search("CO2")] == ["CO2"]
    assert [each.name for each in await graph.look.search("WATER")] == ["water"]
    assert [each.name for each in await graph.look.search("ca")] == ["CaO"]
    assert await graph.look.search(" ") == []
    around = await graph.look.neighbours(entity_id("water"))
    assert around.nodes[0].name == "water"
    assert {each.name for each in around.nodes} == {"water", "CaO", "NaCl"}
    assert {each.relation.predicate for each in around.relationships} == {"reacts with", "dissolves"}
    assert len((await graph.look.neighbours(entity_id("water"), limit=1)).relationships) == 1
    with pytest.raises(NotFoundError):
        await graph.look.neighbours("ent_none")
    with pytest.raises(NotFoundError):
        await graph.look.evidence("rel_none")


async def test_table_1b_of_the_two_papers(graph: Graph) -> None:
    """CaO-water, CaO-CO2, water-NaCl, NaCl-KCl: a path of five entities, without a triangle."""
    await graph.documents.store(paper_a())
    await graph.documents.store(paper_b(corpus="other"))
    found = await graph.stats.graph_statistics()
    assert (found["nodes"], found["edges"], found["facts"], found["evidence"]) == (5, 4, 4, 5)
    assert (found["components"], found["largest_component"], found["average_clustering"]) == (1, 5, 0.0)
    assert found["degree"] == {"min": 1, "max": 2, "average": 1.6}
    other = await graph.stats.graph_statistics("other")
    assert (other["nodes"], other["edges"], other["components"], other["evidence"]) == (4, 2, 2, 2)
