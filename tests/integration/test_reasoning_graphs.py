"""Reasoning graphs and imported data sets in the running engine."""

from __future__ import annotations

import json
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest

from domain.ids import stable_id
from domain.packs import load_pack
from errors import ConflictError, InputError, NotFoundError
from graph.models import QuestionRecord, ReasoningGraph
from graph.questions import question_properties
from graph.store import Graph
from qa.datasets import build_negatives, import_file
from qa.generate import generate_questions
from qa.reasoning import NegativeOptions
from qa.reasoning.negative import graph_key
from qa.reasoning.positive import Node, build_positive, steps_of
from qa.reasoning.shapes import GRAPH_TYPES, classify
from settings import REPOSITORY

pytestmark = pytest.mark.engine

SAMPLES = REPOSITORY / "samples" / "datasets"


def shaped(n: int, edges: tuple[tuple[int, int], ...]) -> ReasoningGraph:
    graph_id = stable_id("rgr", "shape", n, edges)
    return ReasoningGraph(
        id=graph_id,
        question_id="qst_shapes",
        polarity="negative",
        graph_type=classify(n, edges),
        steps=steps_of(graph_id, [Node(text=f"fact {number}") for number in range(n)]),
        edges=edges,
    )


async def question(graph: Graph, identifier: str, dataset: str = "shapes") -> None:
    record = QuestionRecord(
        id=identifier,
        name="q",
        text="Which?",
        answer="it",
        dataset=dataset,
        source_format="catenane",
        hops=1,
        graph_type="bridge_1_1",
    )
    await graph.write("questions/merge", rows=[{"id": record.id, "properties": question_properties(record)}])


async def test_the_engine_decides_every_type_as_python_does(graph: Graph) -> None:
    """All shapes of up to three nodes, cycles included, all acyclic ones of four, the twelve and larger."""
    await question(graph, "qst_shapes")
    shapes = [(n, edges) for n, edges in GRAPH_TYPES.values()]
    for n in (1, 2, 3):
        pairs = list(permutations(range(n), 2))
        shapes += [(n, chosen) for size in range(len(pairs) + 1) for chosen in combinations(pairs, size)]
    forward = list(combinations(range(4), 2))
    shapes += [(4, chosen) for size in range(len(forward) + 1) for chosen in combinations(forward, size)]
    shapes += [
        (6, tuple((i, i + 1) for i in range(5))),
        (6, ((0, 1), (1, 2), (3, 4), (4, 5))),
        (7, tuple((i, 6) for i in range(6))),
        (6, ()),
        (8, tuple((i, (i + 3) % 8) for i in range(8))),
    ]
    graphs = {one.id: one for one in (shaped(n, tuple(sorted(edges))) for n, edges in shapes)}
    await graph.reasoning.store(list(graphs.values()))
    assert await graph.reasoning.types(graphs) == {one.id: one.graph_type for one in graphs.values()}
    for one in list(graphs.values())[:20]:
        assert await graph.reasoning.get(one.id) == one
    assert await graph.reasoning.get("rgr_none") is None


# ---------------------------------------------------------------- import


async def everything(graph: Graph, name: str) -> tuple[Any, ...]:
    """All that is stored of a data set."""
    ids = await graph.questions.accepted_ids(name)
    return (
        [await graph.questions.get(one) for one in ids],
        await graph.reasoning.of_questions(ids),
        await graph.reasoning.contexts(ids),
        await graph.datasets.sentences(name, limit=10_000),
        await graph.datasets.get(name),
    )


async def test_what_is_stored_is_what_the_file_says(graph: Graph) -> None:
    report = await import_file(graph, format="hotpotqa", path=SAMPLES / "hotpotqa.json", name="small")
    assert (report.read, report.imported, report.added) == (7, 7, 7)
    raw = {one["_id"]: one for one in json.loads((SAMPLES / "hotpotqa.json").read_text(encoding="utf-8"))}
    items = await graph.questions.items("small")
    assert len(items) == 7
    for item in items:
        record = raw[item.question.source_id or ""]
        assert item.question.text == record["question"]
        assert item.question.declared_type == record["type"]
        assert item.question.status == "accepted"
        assert [(one.title, one.text) for one in item.context] == [
            (title, sentence) for title, sentences in record["context"] for sentence in sentences
        ]
        supporting = {(one.title, one.ordinal) for one in item.context if one.supporting}
        assert supporting == {(title, number) for title, number in record["supporting_facts"]}
        assert item.positive is not None
        assert item.positive.graph_type == item.question.graph_type
        assert item.gold == tuple(step.text for step in item.positive.steps)
        known = {one.id: one.text for one in item.context}
        for step in item.positive.steps:
            assert step.text == " ".join(known[sentence] for sentence in step.sentence_ids)
    dataset = await graph.datasets.get("small")
    assert dataset is not None
    assert dataset["source_format"] == "hotpotqa"
    assert dataset["choices"]


async def test_musique_steps_have_their_sub_questions_and_answers(graph: Graph) -> None:
    await import_file(graph, format="musique", path=SAMPLES / "musique.jsonl", name="m")
    items = {item.question.source_id: item for item in await graph.questions.items("m")}
    item = items["4hop3__900029_900030_900031_900032"]
    assert item.question.graph_type == "compositional_4_3"
    assert item.positive is not None
    assert item.positive.edges == ((0, 1), (1, 3), (2, 3))
    assert [step.sub_answer for step in item.positive.steps] == [
        "sulfur dioxide",
        "sulfuric acid",
        "ammonia",
        "ammonium sulfate",
    ]
    assert item.positive.rules == ("node:paragraph_of_sub_question", "edge:reference_to_earlier_sub_question")


@pytest.mark.parametrize(
    ("source_format", "name"),
    [
        ("hotpotqa", "hotpotqa.json"),
        ("musique", "musique.jsonl"),
        ("2wiki", "2wiki.json"),
        ("chemkg", "chemkg.json"),
    ],
)
async def test_importing_again_changes_nothing(graph: Graph, source_format: str, name: str) -> None:
    path = SAMPLES / name
    first = await import_file(graph, format=source_format, path=path)
    await build_negatives(graph, first.dataset, seed=1)
    before = await everything(graph, first.dataset)
    second = await import_file(graph, format=source_format, path=path)
    assert second.added == 0
    assert second.to_json() == {**first.to_json(), "added": 0}
    again = await build_negatives(graph, first.dataset, seed=1)
    assert again.built == 0
    assert await everything(graph, first.dataset) == before


async def test_a_changed_record_is_written_anew_and_nothing_of_the_old_one_stays(
    graph: Graph, tmp_path: Path
) -> None:
    records = json.loads((SAMPLES / "hotpotqa.json").read_text(encoding="utf-8"))[:3]
    path = tmp_path / "h.json"
    path.write_text(json.dumps(records))
    await import_file(graph, format="hotpotqa", path=path)
    await build_negatives(graph, "hotpotqa-h", seed=1)
    records[0]["answer"] = "Basel"
    records[0]["context"] = [
        [title, [f"{sentence} Really." for sentence in sentences]]
        for title, sentences in records[0]["context"]
    ]
    path.write_text(json.dumps(records))
    report = await import_file(graph, format="hotpotqa", path=path)
    assert (report.imported, report.added) == (3, 1)
    questions, graphs, contexts, sentences, _ = await everything(graph, "hotpotqa-h")
    changed = next(one for one in questions if one.source_id == "sample-hotpot-1")
    assert changed.answer == "Basel"
    assert [one.polarity for one in graphs[changed.id]] == ["positive"]
    assert all(sentence.text.endswith("Really.") for sentence in contexts[changed.id])
    used = {sentence.id for context in contexts.values() for sentence in context}
    assert {sentence.id for sentence in sentences} == used
    assert all(len(graphs[one.id]) > 1 for one in questions if one.id != changed.id)


async def test_one_name_holds_one_format(graph: Graph) -> None:
    await import_file(graph, format="chemkg", path=SAMPLES / "chemkg.json", name="mine")
    with pytest.raises(ConflictError, match="chemkg"):
        await import_file(graph, format="2wiki", path=SAMPLES / "2wiki.json", name="mine")
    await import_file(graph, format="2wiki", path=SAMPLES / "2wiki.json", name="other")
    assert [one["name"] for one in await graph.datasets.list()] == ["mine", "other"]


async def test_imported_questions_and_our_own_do_not_mix(graph: Graph) -> None:
    await import_file(graph, format="chemkg", path=SAMPLES / "chemkg.json", name="mine")
    with pytest.raises(ConflictError, match="imported data set"):
        await generate_questions(graph, name="mine", hops=[1], count=1, seed=1, pack=load_pack("chemistry"))


async def test_good_records_before_a_bad_one_are_stored(graph: Graph, tmp_path: Path) -> None:
    lines = (SAMPLES / "musique.jsonl").read_text(encoding="utf-8").splitlines()
    path = tmp_path / "m.jsonl"
    path.write_text("\n".join([*lines[:3], lines[3][:-50], *lines[4:]]))
    report = await import_file(graph, format="musique", path=path)
    assert (report.imported, report.exit_code) == (3, 1)
    assert len(await graph.questions.accepted_ids("musique-m")) == 3
    report = await import_file(graph, format="musique", path=path, skip_bad=True)
    assert (report.imported, report.added, report.exit_code) == (9, 6, 3)


# ---------------------------------------------------------------- negatives


async def test_negatives_of_an_imported_set(graph: Graph) -> None:
    await import_file(graph, format="2wiki", path=SAMPLES / "2wiki.json", name="w")
    report = await build_negatives(graph, "w", seed=4)
    # Three questions of two nodes have three other edge sets instead of five; the rest have twenty.
    assert report.questions == 10
    assert report.negatives == report.built == 7 * 20 + 3 * 18
    assert report.by_hardness == {"hard": 7 * 10 + 3 * 8, "easy": 100}
    assert report.shortfall == {"altered edges: no further set of edges over 2 nodes": 6}
    assert report.impossible["edge_removed: the graph has no edge"] == 4  # the comparisons
    stored: dict[str, str] = {}
    for item in await graph.questions.items("w"):
        assert item.positive is not None
        context = {sentence.id for sentence in item.context}
        supporting = {sentence.id for sentence in item.context if sentence.supporting}
        keys = set()
        for one in (item.positive, *item.negatives):
            keys.add(graph_key([(step.title, step.text) for step in one.steps], one.edges))
            stored[one.id] = one.graph_type
            assert {sentence for step in one.steps for sentence in step.sentence_ids} <= context
        assert len(keys) == 1 + len(item.negatives)
        for one in item.negatives:
            assert one.seed == 4
            if one.perturbation == "distractors":
                assert supporting.isdisjoint({s for step in one.steps for s in step.sentence_ids})
    assert await graph.reasoning.types(stored) == stored


async def test_another_seed_replaces_the_negatives(graph: Graph) -> None:
    await import_file(graph, format="musique", path=SAMPLES / "musique.jsonl", name="m")
    first = await build_negatives(graph, "m", seed=1)
    second = await build_negatives(graph, "m", seed=2)
    assert first.built == first.negatives
    assert second.negatives == first.negatives
    counts = await graph.reasoning.counts("m")
    assert sum(row["graphs"] for row in counts if row["polarity"] == "negative") == second.negatives
    third = await build_negatives(graph, "m", seed=2, options=NegativeOptions(hard_sets=1, easy_sets=0))
    assert third.negatives == 20


async def test_without_distractors_the_pool_is_the_data_set(graph: Graph) -> None:
    await import_file(graph, format="chemkg", path=SAMPLES / "chemkg.json", name="c")
    report = await build_negatives(graph, "c", seed=1)
    assert report.pool == "dataset"
    assert report.by_hardness["easy"] > 0
    for item in await graph.questions.items("c"):
        assert item.positive is not None
        own = {step.text for step in item.positive.steps}
        for one in item.negatives:
            assert one.pool_sha256 == report.pool_sha256
            if one.perturbation == "distractors":
                assert own.isdisjoint({step.text for step in one.steps})
    with pytest.raises(InputError, match="no distractor"):
        await build_negatives(graph, "c", seed=1, options=NegativeOptions(pool="context"))


async def test_negatives_of_a_question_set_of_our_own(graph: Graph) -> None:
    """Steps of two questions; the pool of each is what the other's steps state."""
    positives = []
    for name in ("qst_1", "qst_2"):
        await question(graph, name, "own")
        nodes = [Node(text=f"{name} states {fact}.", sub_answer=f"{fact}") for fact in ("a", "b")]
        positives.append(build_positive(name, nodes, [(0, 1)]))
    await graph.reasoning.store(positives)
    report = await build_negatives(graph, "own", seed=1)
    assert report.questions == 2
    graphs = await graph.reasoning.of_questions(["qst_1"], "negative")
    foreign = {
        step.text for one in graphs["qst_1"] for step in one.steps if not step.text.startswith("qst_1")
    }
    assert foreign == {"qst_2 states a.", "qst_2 states b."}
    with pytest.raises(NotFoundError, match="nothing here"):
        await build_negatives(graph, "nothing here", seed=1)


# ---------------------------------------------------------------- real records


async def test_real_records_go_into_the_graph(graph: Graph) -> None:
    shared = REPOSITORY.parent / "shared" / "data"
    if not shared.is_dir():
        pytest.skip("the folder of real records is not there")
    for source_format, name, imported in (
        ("hotpotqa", "hotpotqa/hotpot_dev_distractor_120.json", 120),
        ("musique", "musique/musique_full_20.jsonl", 11),
        ("2wiki", "2wiki/2wiki_entity_not_title.json", 31),
        ("chemkg", "chemkg/chemkg_format_sample.json", 12),
    ):
        report = await import_file(graph, format=source_format, path=shared / name)
        ids = await graph.questions.accepted_ids(report.dataset)
        assert len(ids) == report.imported == imported
        if imported < 100:
            await build_negatives(graph, report.dataset, seed=1)
        stored = {
            one.id: one.graph_type
            for graphs in (await graph.reasoning.of_questions(ids)).values()
            for one in graphs
        }
        assert await graph.reasoning.types(stored) == stored
