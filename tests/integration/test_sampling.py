"""Sampling paths on the running engine, against small graphs whose paths are known."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import product
from typing import Any

import networkx as nx
import pytest

from errors import InputError
from graph.paths import LONGEST, Filters
from graph.store import Graph
from qa import sampling
from qa.sampling import Sampled, SampleOptions, sample_paths
from tests.support.facts import Row, entity_id, sentence, store_facts

pytestmark = pytest.mark.engine

# a -> b -> c -> d, with a second way from b to d, and e -> c. By hand, the valid paths are:
#   1 hop:  five facts (b -> c is stated in D2 and in D3, and is one fact)
#   2 hops: a-b-c (D1 with D2 or D3), a-b-d (D1, D4), b-c-d (D2 or D3, with D1), e-c-d (D5, D1)
#   3 hops: a-b-c-d needs D1 for a -> b and for c -> d: one document twice, so none.
HAND: list[Row] = [
    ("D1", "a1x", "yields", "b1x"),
    ("D2", "b1x", "yields", "c1x"),
    ("D3", "b1x", "yields", "c1x"),
    ("D1", "c1x", "yields", "d1x"),
    ("D4", "b1x", "yields", "d1x"),
    ("D5", "e1x", "yields", "c1x"),
]
HAND_PATHS = {
    1: {"ab", "bc", "cd", "bd", "ec"},
    2: {"abc", "abd", "bcd", "ecd"},
    3: set(),
}


def short(sampled: Sampled) -> list[str]:
    """Paths as strings of the first letters of their entities."""
    return ["".join(each.removeprefix("ent_")[0] for each in path.entity_ids) for path in sampled.paths]


def random_facts(seed: int, entities: int = 12, facts: int = 34, documents: int = 9) -> list[Row]:
    """A random multigraph: parallel evidence, several predicates, several facts to a document."""
    rng = random.Random(seed)
    names = [f"x{number}q" for number in range(entities)]
    rows = []
    for _ in range(facts):
        subject, obj = rng.sample(names, 2)
        rows.append((f"D{rng.randrange(documents)}", subject, rng.choice(["yields", "melts in"]), obj))
    return list(dict.fromkeys(rows))


def every_path(
    facts: list[Row], hops: int, twins: frozenset[frozenset[int]] = frozenset()
) -> set[tuple[str, ...]]:
    """All valid paths as (entities, predicates), by brute force over simple paths and choices of evidence.

    `twins` are pairs of places in `facts` whose chunks have one content.
    """
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for place, (_, subject, predicate, obj) in enumerate(facts):
        graph.add_edge(subject, obj, key=place, predicate=predicate)
    found = set()
    for start, end in product(graph.nodes, repeat=2):
        if start == end:
            continue
        walks: Iterable[Any] = nx.all_simple_edge_paths(graph, start, end, cutoff=hops)
        for edges in walks:
            places = [key for _, _, key in edges]
            apart = len({facts[place][0] for place in places}) == hops and not any(
                frozenset((a, b)) in twins for a in places for b in places if a != b
            )
            if len(edges) == hops and apart:
                nodes = [edges[0][0], *(edge[1] for edge in edges)]
                found.add((*map(entity_id, nodes), *(facts[place][2] for place in places)))
    return found


async def facts_of(graph: Graph, sampled: Sampled) -> set[tuple[str, ...]]:
    """The sampled paths as (entities, predicates)."""
    told = await graph.paths.tell(sampled.paths)
    return {
        (*path.entity_ids, *(relation["predicate"] for relation in words["relations"]))
        for path, words in zip(sampled.paths, told, strict=True)
    }


@pytest.mark.parametrize("hops", [1, 2, 3])
async def test_a_graph_worked_out_by_hand(graph: Graph, hops: int) -> None:
    await store_facts(graph, HAND)
    sampled = await sample_paths(graph, hops=hops, count=50, seed=1)
    assert sorted(short(sampled)) == sorted(HAND_PATHS[hops])
    assert sampled.returned == len(HAND_PATHS[hops])


async def test_the_shortfall_says_where_paths_went(graph: Graph) -> None:
    await store_facts(graph, HAND)
    # a-b-c-d is the one walk of three hops, and it would need D1 twice.
    sampled = await sample_paths(graph, hops=3, count=5, seed=1)
    assert sampled.shortfall == {"same_source": 1, "no_more_paths": 4}
    # Four paths of two hops; a-b-c and a-b-d have one answer, so one for each answer makes three.
    options = SampleOptions(max_per_answer=1)
    sampled = await sample_paths(graph, hops=2, count=10, seed=1, options=options)
    assert sorted({each[0] for each in short(sampled)}) == ["a", "b", "e"]
    assert sampled.returned == 3
    assert sampled.shortfall == {"max_per_answer": 1, "no_more_paths": 6}
    assert sampled.requested - sampled.returned == sum(sampled.shortfall.values())


async def test_one_content_in_two_documents_is_one_source(graph: Graph) -> None:
    text = "P1x yields q1x. Q1x yields r1x."
    facts: list[Row] = [
        ("D1", "p1x", "yields", "q1x"),
        ("D2", "q1x", "yields", "r1x"),
        ("D3", "q1x", "yields", "s1x"),
    ]
    await store_facts(graph, facts, texts={0: text, 1: text})
    sampled = await sample_paths(graph, hops=2, count=5, seed=3)
    assert short(sampled) == ["pqs"]
    assert sampled.shortfall == {"same_source": 1, "no_more_paths": 3}


async def test_evidence_is_chosen_for_the_whole_path(graph: Graph) -> None:
    # a->b in D1 and D2, b->c in D1 and D3, c->d in D2 and D1. Three different documents: D1, D3, D2
    # and D2, D3, D1, and no other choice.
    facts: list[Row] = [
        ("D1", "a1x", "yields", "b1x"),
        ("D2", "a1x", "yields", "b1x"),
        ("D1", "b1x", "yields", "c1x"),
        ("D3", "b1x", "yields", "c1x"),
        ("D2", "c1x", "yields", "d1x"),
        ("D1", "c1x", "yields", "d1x"),
    ]
    await store_facts(graph, facts)
    for seed in range(12):
        sampled = await sample_paths(graph, hops=3, count=5, seed=seed)
        assert short(sampled) == ["abcd"]
        documents = [each["document"] for each in (await graph.paths.tell(sampled.paths))[0]["relations"]]
        assert documents in (["doc_D2", "doc_D3", "doc_D1"], ["doc_D1", "doc_D3", "doc_D2"])


@pytest.mark.parametrize("case", range(4))
async def test_exhaustive_sampling_finds_every_path(graph: Graph, case: int) -> None:
    facts = random_facts(case)
    twins: dict[int, str] = {}  # two facts in two documents whose chunks hold the same text
    for a, b in ((0, 5), (1, 9), (2, 20)):
        if facts[a][0] != facts[b][0]:
            text = " ".join(sentence(*facts[place][1:]) for place in (a, b))
            twins |= {a: text, b: text}
    await store_facts(graph, facts, texts=twins)
    same = frozenset(frozenset((a, b)) for a in twins for b in twins if a != b and twins[a] == twins[b])
    for hops in range(1, LONGEST + 1):
        sampled = await sample_paths(graph, hops=hops, count=10_000, seed=case)
        assert "bounded" not in sampled.shortfall
        assert await facts_of(graph, sampled) == every_path(facts, hops, same)


async def test_what_holds_of_every_path(graph: Graph) -> None:
    facts = random_facts(7, entities=30, facts=120, documents=25)
    await store_facts(graph, facts)
    for hops in (1, 2, 3, 4):
        sampled = await sample_paths(graph, hops=hops, count=60, seed=5)
        assert sampled.returned == 60
        assert not sampled.shortfall
        evidence = await graph.relations.by_ids([each for p in sampled.paths for each in p.relation_ids])
        for path in sampled.paths:
            stated = [evidence[each] for each in path.relation_ids]
            assert len(path.entity_ids) == hops + 1 == len(set(path.entity_ids))
            ends = [(each.relation.subject_id, each.relation.object_id) for each in stated]
            assert ends == list(zip(path.entity_ids, path.entity_ids[1:], strict=False))
            assert len({each.relation.document_id for each in stated}) == hops
            assert len({each.chunk_sha256 for each in stated}) == hops
        assert len({path.id for path in sampled.paths}) == 60


async def test_the_seed_decides(graph: Graph) -> None:
    await store_facts(graph, random_facts(7, entities=30, facts=120, documents=25))
    first = await sample_paths(graph, hops=3, count=40, seed=11)
    again = await sample_paths(graph, hops=3, count=40, seed=11)
    other = await sample_paths(graph, hops=3, count=40, seed=12)
    fewer = await sample_paths(graph, hops=3, count=10, seed=11)
    assert [path.id for path in first.paths] == [path.id for path in again.paths]
    assert [path.id for path in first.paths] != [path.id for path in other.paths]
    assert [path.id for path in first.paths][:10] == [path.id for path in fewer.paths]
    # Answers vary before any comes twice: each start gives its first path first.
    answers = [path.entity_ids[0] for path in fewer.paths]
    assert len(set(answers)) == len(answers)


async def test_corpora_are_apart(graph: Graph) -> None:
    await store_facts(graph, [("D1", "a1x", "yields", "b1x")], corpus="mine")
    await store_facts(graph, [("D2", "b1x", "yields", "c1x")], corpus="theirs")
    assert (await sample_paths(graph, hops=2, count=5, seed=1)).returned == 1
    assert (await sample_paths(graph, hops=2, count=5, seed=1, corpus="mine")).returned == 0
    assert short(await sample_paths(graph, hops=1, count=5, seed=1, corpus="mine")) == ["ab"]


async def test_options_of_the_path(graph: Graph) -> None:
    facts: list[Row] = [
        ("D1", "acid1", "yields", "bromide1"),
        ("D2", "bromide1", "melts in", "copper1"),
        ("D3", "bromide1", "yields", "dioxide1"),
        ("D4", "ether1", "yields", "bromide1"),
    ]
    await store_facts(graph, facts, kinds={"acid1": "acid", "bromide1": "salt", "copper1": "metal"})

    async def paths(**options: object) -> list[str]:
        chosen = SampleOptions(**options)  # type: ignore[arg-type]
        return sorted(short(await sample_paths(graph, hops=2, count=9, seed=1, options=chosen)))

    assert await paths() == ["abc", "abd", "ebc", "ebd"]
    assert await paths(kinds=("acid", "salt", "metal")) == ["abc"]
    assert await paths(predicates=("yields",)) == ["abd", "ebd"]
    assert await paths(without_predicates=("yields",)) == []
    assert await paths(without_predicates=("melts in",)) == ["abd", "ebd"]
    assert await paths(documents=("doc_D1", "doc_D3")) == ["abd"]
    assert await paths(include=entity_id("dioxide1")) == ["abd", "ebd"]
    assert await paths(include=entity_id("ether1")) == ["ebc", "ebd"]
    # bromide1 is the bridge of all four: one path may have it.
    assert len(await paths(hub_cap=1)) == 1


async def test_a_bound_that_cuts_is_said(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    # One start with six neighbours that end there, and one that leads on; a bound of three may lose it.
    facts: list[Row] = [(f"D{n}", "start", "yields", f"end{n}") for n in range(6)]
    facts += [("D8", "start", "yields", "middle"), ("D9", "middle", "yields", "goal")]
    await store_facts(graph, facts)
    whole = await sample_paths(graph, hops=2, count=5, seed=1)
    assert (whole.returned, whole.shortfall) == (1, {"no_more_paths": 4})
    monkeypatch.setattr(sampling, "BOUND", 3)
    monkeypatch.setattr(sampling, "BEAM", (1, 1, 1, 1, 1, 1))
    cut = await sample_paths(graph, hops=2, count=5, seed=1)
    assert cut.shortfall == {"bounded": 5 - cut.returned}


async def test_a_hub_does_not_hide_paths_from_the_exhaustive_pass(graph: Graph) -> None:
    # The beam keeps 4 of 40 neighbours of the start, of which only one leads on.
    facts: list[Row] = [(f"D{n}", "start", "yields", f"end{n}") for n in range(40)]
    facts += [("D98", "start", "yields", "middle"), ("D99", "middle", "yields", "goal")]
    await store_facts(graph, facts)
    for seed in (1, 2, 3):
        assert (await sample_paths(graph, hops=2, count=1, seed=seed)).returned == 1


async def test_requests_that_make_no_sense(graph: Graph) -> None:
    for hops in (0, 7):
        with pytest.raises(InputError, match="1 to 6 hops"):
            await sample_paths(graph, hops=hops, count=1, seed=1)
    with pytest.raises(InputError, match="-1"):
        await sample_paths(graph, hops=1, count=-1, seed=1)
    assert (await sample_paths(graph, hops=1, count=0, seed=1)).shortfall == {}
    empty = await sample_paths(graph, hops=2, count=3, seed=1)
    assert (empty.returned, empty.shortfall) == (0, {"no_more_paths": 3})


async def test_reading_a_slice(graph: Graph) -> None:
    await store_facts(graph, HAND)
    starts = await graph.paths.candidates(
        1, multiplier=1.5, within=(0.0, 1.0), beam=[9], filters=Filters(), starts=[entity_id("b1x")]
    )
    # b->c has two pieces of evidence and counts once among the facts, twice among what was seen.
    assert [(start.id, len(start.found), start.seen) for start in starts] == [("ent_b1x", 2, 3)]
    assert await graph.paths.entities() == 5
    assert await graph.paths.upstream(entity_id("d1x"), 2) == [
        "ent_a1x",
        "ent_b1x",
        "ent_c1x",
        "ent_d1x",
        "ent_e1x",
    ]
    assert await graph.paths.upstream(entity_id("d1x"), 1) == ["ent_b1x", "ent_c1x", "ent_d1x"]
    assert await graph.paths.get("pth_none") is None
