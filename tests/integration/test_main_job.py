"""The main job on five of the bundled papers, against what a reader finds in their introductions."""

from __future__ import annotations

import asyncio
import re
import shutil
import unicodedata
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from graph.models import ChunkRecord
from graph.store import Graph
from jobs.run import run_job
from qa.sampling import sample_paths
from settings import REPOSITORY, Settings
from tests.integration.five_papers import (
    CHUNKS,
    PAPERS,
    RELATIONS,
    THREE_HOPS,
    TRAPS,
    TWO_HOPS,
    Read,
    surfaces_of_entities,
    table,
)
from tests.support.whole_graph import differences, whole_graph

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("papers")
    for name in (*PAPERS.values(), *TRAPS):
        shutil.copy(REPOSITORY / "samples" / "papers" / name, made)
    return made


@pytest.fixture(scope="module")
async def ingested(open_graph: Graph, settings: Settings, folder: Path) -> dict[str, Any]:
    """The document of the ingest job; the graph then holds the five papers and nothing else."""
    await open_graph.empty()
    job = await asyncio.to_thread(run_job, "ingest", {"paths": [str(folder)], "corpus": "part"}, settings)
    assert job.result is not None
    return job.result


@pytest.fixture(scope="module")
async def read(open_graph: Graph, ingested: dict[str, Any]) -> AsyncIterator[Read]:
    documents = (await open_graph.documents.list("part")).items
    entities = (await open_graph.entities.list("part", limit=1000)).items
    surfaces = {
        entity.id: {mention.surface for mention in await open_graph.entities.mentions(entity.id)}
        for entity in entities
    }
    evidence = (await open_graph.relations.list("part", limit=1000)).items
    yield Read(surfaces, evidence, {each.id: Path(each.source).name[:2] for each in documents})


async def test_the_graph_holds_what_the_introductions_say(
    open_graph: Graph, ingested: dict[str, Any], read: Read
) -> None:
    counts = await open_graph.stats.counts("part")
    assert {failure["stage"] for failure in ingested["documents"].pop("failed")} == {"read"}
    assert ingested["documents"] == {"added": 5, "replaced": 0, "attached": 0, "unchanged": 0}
    assert (counts.documents, counts.chunks, counts.relations, counts.facts) == (5, 15, 79, 78)
    assert sorted(read.papers.values()) == sorted(PAPERS)
    for identifier, paper in read.papers.items():
        assert [chunk.words for chunk in await open_graph.documents.chunks(identifier)] == CHUNKS[paper], (
            paper
        )
    found, expected = set(read.surfaces.values()), surfaces_of_entities()
    assert (found - expected, expected - found) == (set(), set())
    assert counts.entities == len(read.surfaces) == len(expected) == 126
    said = sorted(map(read.statement, read.evidence))
    assert said == sorted(table(RELATIONS))


async def test_every_relation_leads_back_to_its_sentence_in_the_source(
    open_graph: Graph, read: Read, folder: Path
) -> None:
    chunks: dict[str, ChunkRecord] = {
        chunk.id: chunk for each in read.papers for chunk in await open_graph.documents.chunks(each)
    }
    files = {paper: _letters((folder / name).read_text(encoding="utf-8")) for paper, name in PAPERS.items()}
    assert len(read.evidence) == 79
    for each in read.evidence:
        relation = each.relation
        chunk = chunks[relation.chunk_id]
        assert (chunk.document_id, chunk.text) == (relation.document_id, each.chunk_text)
        sentence = chunk.text[relation.start : relation.end]
        assert relation.subject_surface in sentence and relation.object_surface in sentence
        # One whole sentence: it ends as one, has no end inside, and begins where another ends.
        assert re.search(r"(\.|\.?\[\d\]\.?)$", sentence), sentence
        assert not re.search(r"\.(\[\d\])? [A-Z]", sentence), sentence
        before = chunk.text[: relation.start].rstrip()
        assert not before or re.search(r"(\.|\.\[\d\])$", before), before[-40:]
        assert _letters(sentence) in files[read.paper_of[relation.id]], sentence


def _letters(text: str) -> str:
    """Letters and digits alone: what a file and a sentence read from it have in common."""
    plain = re.sub(r"<[^>]*>|\\mathrm|_", "", unicodedata.normalize("NFKC", text))
    return "".join(character for character in plain if character.isalnum())


async def test_the_paths_are_those_of_the_table(open_graph: Graph, read: Read) -> None:
    expected = {1: 78, 2: len(table(TWO_HOPS)), 3: len(THREE_HOPS), 4: 0}
    assert expected[2] == 23
    for hops, number in expected.items():
        sampled = await sample_paths(open_graph, hops=hops, count=500, seed=1, corpus="part")
        assert (sampled.returned, sum(sampled.shortfall.values())) == (number, 500 - number), hops
        told = sorted(read.path(path) for path in sampled.paths)
        if hops == 2:
            assert told == sorted(line[2:] for line in table(TWO_HOPS))
        elif hops == 3:
            assert told == sorted(THREE_HOPS)


async def test_the_seed_decides_the_order_of_the_paths(open_graph: Graph, read: Read) -> None:
    async def sample(seed: int, count: int) -> list[str]:
        return [path.id for path in (await sample_paths(open_graph, hops=2, count=count, seed=seed)).paths]

    first = await sample(1, 23)
    assert await sample(1, 23) == first
    assert await sample(1, 9) == first[:9], "asking for more only adds at the end"
    other = await sample(2, 23)
    assert other != first and sorted(other) == sorted(first)


async def test_ingested_again_nothing_is_written(
    open_graph: Graph, ingested: dict[str, Any], settings: Settings, folder: Path
) -> None:
    before = await whole_graph(open_graph)
    params = {"paths": [str(folder)], "corpus": "part"}
    again = (await asyncio.to_thread(run_job, "ingest", params, settings)).result
    assert again is not None
    assert len(again["documents"].pop("failed")) == 2
    assert again["documents"] == {"added": 0, "replaced": 0, "attached": 0, "unchanged": 5}
    counts = ("chunks", "mentions", "entities", "relations")
    assert [again[key] for key in counts] == [ingested[key] for key in counts]
    # Times of writing are compared, too.
    assert differences(before, await whole_graph(open_graph)) == []


async def test_the_rest_of_the_job_asks_what_the_paths_allow(
    open_graph: Graph, ingested: dict[str, Any], read: Read, settings: Settings, tmp_path: Path
) -> None:
    """Questions, the ledger, reasoning graphs, the evaluation and its report."""
    params = {"name": "asked", "hops": [1, 2, 3, 4], "count": 100, "seed": 1, "corpus": "part"}
    made = (await asyncio.to_thread(run_job, "questions.generate", params, settings)).result
    assert made is not None
    # Every fact makes a question of one hop: no two subjects share predicate and object.
    assert made["by_hops"] == {"1": 78, "2": 14, "3": 2, "4": 0}
    assert (made["accepted"], made["rejected"], made["failed"]) == (94, {"shortcut": 9}, 0)
    questions = (await open_graph.questions.list("asked", status="accepted", limit=200)).items
    asked = []
    for question in questions:
        path = await open_graph.paths.get(question.path_id or "")
        assert path is not None
        asked.append(told := read.path(path))
        assert question.answer.lower() in {
            name.lower() for name in await _names(open_graph, path.entity_ids[0])
        }
        assert read.names[question.answer_entity_id or ""] == read.names[path.entity_ids[0]]
        if question.hops == 3:
            assert question.text == THREE_HOPS[told]
    asked_of_two = sorted(told for told, question in zip(asked, questions, strict=True) if question.hops == 2)
    assert asked_of_two == sorted(line[2:] for line in table(TWO_HOPS) if line[0] == " ")
    refused = [
        path
        for entry in (await open_graph.questions.rejections("asked")).items
        if (path := await open_graph.paths.get(entry.path_id or ""))
    ]
    assert sorted(map(read.path, refused)) == sorted(line[2:] for line in table(TWO_HOPS) if line[0] == "!")
    types = Counter(question.graph_type for question in questions)
    assert types == {"bridge_1_1": 78, "bridge_2_1": 14, "bridge_3_1": 2}
    for item in await open_graph.questions.items(
        ids=[question.id for question in questions if question.hops == 3]
    ):
        assert item.positive is not None
        # From the named entity's hop to the answer's, one step a hop.
        assert item.positive.edges == ((0, 1), (1, 2))
        assert "hydrogenated to methanol" in item.positive.steps[0].text

    negatives = {"dataset": "asked", "seed": 1}
    assert ((await asyncio.to_thread(run_job, "graphs.negatives", negatives, settings)).result or {})["built"]
    conditions = ["closed_book", "gold", "positive_graph", "negative_graph", "bm25"]
    spec = {"name": "part", "datasets": ["asked"], "conditions": conditions, "endpoints": ["baseline"]}
    run = (await asyncio.to_thread(run_job, "evaluate", {**spec, "seed": 1}, settings)).result
    assert run is not None
    asked_in = {cell["keys"]["condition"]: cell["n"] for cell in run["results"]}
    assert asked_in == dict.fromkeys(conditions, 94)
    assert (run["asked"], run["errors"]) == (5 * 94, 0)
    out = {"run": run["run"], "out": str(tmp_path / "report")}
    written = (await asyncio.to_thread(run_job, "report", out, settings)).result
    assert written is not None
    page = next(Path(file) for file in written["files"] if file.endswith(".html")).read_text(encoding="utf-8")
    assert "not a language model" in page


async def _names(graph: Graph, entity_id: str) -> set[str]:
    entity = await graph.entities.get(entity_id)
    assert entity is not None
    return {entity.name, *entity.aliases}
