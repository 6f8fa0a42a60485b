"""The stages of the main job with a model behind them, that throttles, breaks off and refuses.

The papers are six of a few lines; the model is `tests.support.scripted_model`, behind a real server.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from errors import JobError
from graph.store import Graph
from jobs.run import run_job
from jobs.stages import demo
from settings import REPOSITORY, Settings
from tests.support.model_server import Scripted, scripted_server
from tests.support.scripted_model import (
    Fact,
    Fault,
    ScriptedModel,
    broken_json,
    refusal,
    sentence,
    server_error,
    silence,
    throttled,
)

pytestmark = pytest.mark.engine

# One paper each. Polystyrene, styrene, ethylbenzene and benzene make three facts in a row, so there are two
# paths of two hops and one of three; the other facts stand alone.
FACTS: dict[str, Fact] = {
    "polystyrene": ("Polystyrene", "is made by the polymerisation of", "styrene"),
    "styrene": ("Styrene", "is made by the dehydrogenation of", "ethylbenzene"),
    "ethylbenzene": ("Ethylbenzene", "is made by the ethylation of", "benzene"),
    "nylon 6": ("Nylon 6", "is made by the ring-opening polymerisation of", "caprolactam"),
    "aspirin": ("Aspirin", "is made by the acetylation of", "salicylic acid"),
    "acetone": ("Acetone", "dissolves", "cellulose acetate"),
}
TEXT = """# A note on {name}

## Introduction

This note is short. {sentence} The vessels are made of steel, as always.
"""
HOPS = {"hops": [1, 2, 3], "count": 10, "seed": 1}


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for name, fact in FACTS.items():
        text = TEXT.format(name=name, sentence=sentence(fact))
        (folder / f"{name.replace(' ', '-')}.md").write_text(text, encoding="utf-8")
    return folder


class Bench:
    """Jobs of the session's home with the endpoint `scripted`."""

    def __init__(self, settings: Settings, server: Scripted) -> None:
        self.settings, self.server = settings, server

    async def run(self, kind: str, **params: Any) -> dict[str, Any]:
        job = await asyncio.to_thread(run_job, kind, params, self.settings)
        assert job.result is not None
        return job.result


@contextmanager
def bench(model: ScriptedModel, settings: Settings) -> Iterator[Bench]:
    file = settings.home / "endpoints.toml"
    with scripted_server(model) as server:
        file.write_text(
            f'[endpoints.scripted]\nbase_url = "{server.base_url}"\nmodel = "scripted-1"\n'
            "timeout_s = 2\nmax_attempts = 3\n",
            encoding="utf-8",
        )
        try:
            yield Bench(settings, server)
        finally:
            file.unlink()


def a_model() -> ScriptedModel:
    """It takes steel for no entity, and claims a fact about gold in every paper."""
    return ScriptedModel(
        list(FACTS.values()),
        no_entities=frozenset({"steel"}),
        extra_facts=[("Gold", "is made by the transmutation of", "lead")],
    )


async def facts_in(graph: Graph) -> list[tuple[str, str, str, str]]:
    found = (await graph.relations.list("few", limit=100)).items
    return sorted(
        (
            each.relation.subject_surface,
            each.relation.predicate,
            each.relation.object_surface,
            each.relation.extractor,
        )
        for each in found
    )


async def test_an_ingest_survives_what_a_model_does(graph: Graph, settings: Settings, papers: Path) -> None:
    model = a_model()
    unwilling = Fault("verdicts", "Nylon 6", [refusal()], always=True)
    model.faults = [
        Fault("verdicts", "", [throttled(1)]),
        Fault("verdicts", "Styrene is", [server_error(), server_error()]),
        Fault("facts", "Polystyrene", [broken_json()]),
        Fault("facts", "Acetone", [silence(3)]),
        unwilling,
    ]
    with bench(model, settings) as at:
        told = await at.run("ingest", paths=[str(papers)], corpus="few", endpoint="scripted")
        (failed,) = told["documents"].pop("failed")
        assert Path(failed["source"]).name == "nylon-6.md"
        assert failed["stage"] == "extract" and "refused" in failed["reason"]
        assert told["documents"] == {"added": 5, "replaced": 0, "attached": 0, "unchanged": 0}
        # In each of the five papers: steel, and the fact about what is not named.
        assert told["rejected"] == {"refused_entity": 5, "unknown_entity": 5}
        # Five papers with two entities each, of which styrene and ethylbenzene stand in two papers.
        assert (told["chunks"], told["entities"], told["relations"]) == (5, 8, 5)
        # The first of all was put off by a second; whoever asked it asked again, and not before.
        first, times = at.server.requests[0], at.server.times
        again = at.server.requests.index(first, 1)
        assert times[again] - times[0] >= 1.0

        unwilling.always, unwilling.turns = False, []
        before = len(model.asked)
        told = await at.run("ingest", paths=[str(papers)], corpus="few", endpoint="scripted")
        assert told["documents"] == {"added": 1, "replaced": 0, "attached": 0, "unchanged": 5, "failed": []}
        assert all("Nylon 6" in prompt for _, prompt in model.asked[before:]), "the others were not asked for"
    assert await facts_in(graph) == sorted((*fact, "model:scripted") for fact in FACTS.values())


async def test_what_a_model_does_to_questions_stands_in_the_ledger(
    graph: Graph, settings: Settings, papers: Path
) -> None:
    model = a_model()
    out_of_order = Fault("one_hop_question", "Acetone", [server_error()], always=True)
    model.faults = [
        Fault("one_hop_question", "", [throttled(0.2)]),
        Fault("one_hop_question", "Nylon 6", [refusal()], always=True),
        Fault("one_hop_verdict", "Aspirin", [broken_json()], always=True),
        out_of_order,
    ]
    with bench(model, settings) as at:
        await at.run("ingest", paths=[str(papers)], corpus="few", endpoint="scripted")
        make = {"name": "few", "corpus": "few", "endpoint": "scripted", **HOPS}
        made = await at.run("questions.generate", **make)
        assert (made["backend"], made["by_hops"]) == ("scripted", {"1": 3, "2": 2, "3": 1})
        assert (made["rejected"], made["failed"]) == ({"refused": 1, "unverified": 1}, 1)
        (longest,) = [each for each in made["questions"] if each["hops"] == 3]
        assert longest["text"] == (
            "What is made by the polymerisation of what is made by the dehydrogenation of what is made by "
            "the ethylation of benzene?"
        )
        assert longest["answer"] == "polystyrene"
        # Three hop questions serve six paths: each was asked for once, after that it came from the cache.
        asked = [prompt for schema, prompt in model.asked if schema == "one_hop_question"]
        for subject in ("polystyrene", "styrene", "ethylbenzene"):
            # The first request of all was put off and made again.
            assert sum(f'"answer": "{subject}"' in prompt for prompt in asked[1:]) == 1

        out_of_order.always, out_of_order.turns = False, []
        entries = {each.id: each.failed for each in (await graph.questions.rejections("few")).items}
        assert Counter(entries.values()) == {True: 1, False: 2}
        made = await at.run("questions.generate", **make)
        assert (made["added"], made["attempts"], made["accepted"], made["failed"]) == (1, 1, 7, 0)
        assert made["rejected"] == {"refused": 1, "unverified": 1}, "what was refused is not tried again"
        made = await at.run("questions.generate", **make)
        assert (made["added"], made["attempts"]) == (0, 0)
    held = (await graph.questions.list("few", limit=100)).items
    assert len({each.path_id for each in held}) == len(held) == 7


# What the model does with each question when it sees no text; with the text it answers every one.
CLOSED = {
    "What is made by the dehydrogenation of ethylbenzene?": "wrong",
    "What is made by the ethylation of benzene?": "refused",
    "What is made by the polymerisation of styrene?": "unparsed",
    "What dissolves cellulose acetate?": "error",
}


async def test_outcomes_of_an_evaluation_are_kept_apart_and_none_is_stored_twice(
    graph: Graph, settings: Settings, papers: Path
) -> None:
    answers: dict[str, str] = {}

    def answer(prompt: str) -> str:
        text = next(line for line in prompt.splitlines() if line.startswith("Question: "))[10:]
        return "toluene" if CLOSED.get(text) == "wrong" and "No text comes" in prompt else answers[text]

    model = a_model()
    model.answers = answer
    with bench(model, settings) as at:
        await at.run("ingest", paths=[str(papers)], corpus="few", endpoint="scripted")
        made = await at.run("questions.generate", name="few", corpus="few", endpoint="scripted", **HOPS)
        answers |= {each["text"]: each["answer"] for each in made["questions"]}
        assert len(answers) == 9  # six facts, two paths of two hops, one of three
        closed = "No text comes with this question; use what you know.\n\nQuestion: "
        turns = {"refused": refusal(), "unparsed": broken_json(), "error": server_error()}
        model.faults = [Fault("short_answer", "", [throttled(0.2), server_error()])] + [
            Fault("short_answer", closed + text, [turns[what]], always=True)
            for text, what in CLOSED.items()
            if what in turns
        ]
        spec = {
            "datasets": ["few"],
            "conditions": ["closed_book", "gold"],
            "endpoints": ["scripted"],
            "seed": 1,
        }
        run = await at.run("evaluate", **spec)
        assert (run["asked"], run["reused"], run["errors"]) == (18, 0, 1)
        assert await outcomes(graph, run["run"]) == {
            ("closed_book", "correct"): 5,
            **{("closed_book", what): 1 for what in CLOSED.values()},
            ("gold", "correct"): 9,
        }

        model.faults.pop()  # the last one: it always failed
        before = len(model.asked)
        run = await at.run("evaluate", **spec)
        assert (run["asked"], run["reused"], run["errors"]) == (1, 17, 0)
        assert [prompt.strip() for _, prompt in model.asked[before:]] == [
            f"{closed}What dissolves cellulose acetate?"
        ]
        assert (await outcomes(graph, run["run"]))["closed_book", "correct"] == 6
        run = await at.run("evaluate", **spec)
        assert (run["asked"], run["reused"], len(model.asked)) == (0, 18, before + 1)

        model.faults = [Fault("short_answer", "", [server_error()], always=True)]
        with pytest.raises(JobError, match="every call failed"):
            await at.run("evaluate", **{**spec, "conditions": ["closed_book"], "parameters": {"seed": 9}})


async def outcomes(graph: Graph, run: str) -> Counter[tuple[str, str]]:
    """How many answers of each condition came to what; each is there once."""
    stored = await graph.runs.answers(run)
    assert len({(each.question_id, each.condition, each.epoch) for each in stored}) == len(stored) == 18
    return Counter((each.condition, each.status) for each in stored)


async def test_the_demo_with_an_endpoint(
    graph: Graph, settings: Settings, papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole of it on the six papers and two questions of a data set; a second run asks nothing."""
    datasets = tmp_path / "datasets"
    datasets.mkdir()
    records = json.loads((REPOSITORY / "samples" / "datasets" / "2wiki.json").read_text(encoding="utf-8"))
    (datasets / "2wiki.json").write_text(json.dumps(records[:2]), encoding="utf-8")
    monkeypatch.setattr(demo, "PAPERS", papers)
    monkeypatch.setattr(demo, "DATASETS", datasets)
    model = a_model()
    model.faults = [Fault(schema, "", [throttled(0.2)]) for schema in ("verdicts", "short_answer")]
    with bench(model, settings) as at:
        told = await at.run("demo", endpoint="scripted")
        assert (told["backend"], told["documents"], told["refused"]) == ("scripted", 6, [])
        assert told["paths"] == {"1": 6, "2": 2, "3": 1, "4": 0}
        assert told["questions"]["by_hops"] == {"1": 6, "2": 2, "3": 1}
        assert (told["reused_sources"], told["leaks"]) == (0, 0)
        assert told["reasoning_graphs"]["positive"] == 9 + 2
        assert told["datasets"]["samples-2wiki"]["imported"] == 2
        assert {name: row["n"] for name, row in told["evaluation"].items()} == dict.fromkeys(
            ("closed_book", "gold", "positive_graph", "negative_graph", "bm25"), 11
        )
        page = Path(told["report"]).read_text(encoding="utf-8")
        assert "scripted" in page
        calls = len(model.asked)
        again = await at.run("demo", endpoint="scripted")
        assert set(again["added"].values()) == {0} and len(model.asked) == calls
        changing = {"added", "report"}
        assert {k: v for k, v in again.items() if k not in changing} == {
            k: v for k, v in told.items() if k not in changing
        }
