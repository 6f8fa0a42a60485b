"""What each command prints is what `docs/examples/` shows: keys are added, not renamed.

The keys that the interface names are pinned here by hand; everything else of an example is
compared with a document printed now.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from graph.store import Graph
from jobs.stages import demo
from settings import REPOSITORY, Settings, get_settings
from tests.support.cli_examples import EXAMPLES, PAPERS, faults, printed, walk
from tests.support.demo_check import KEYS as DEMO_KEYS

pytestmark = pytest.mark.engine

# From the interface, by hand: at least these keys stand in the document.
KEYS: dict[str, set[str]] = {
    "ingest": {"documents", "chunks", "mentions", "entities", "relations", "rejected"},
    "corpora-list": {"items"},
    "documents-list": {"items", "next"},
    "entities-list": {"items", "next"},
    "relations-list": {"items", "next"},
    "entities-show": {"entity", "aliases", "facts"},
    "recognise": {"mentions"},
    "graph-search": {"items"},
    "graph-neighbours": {"nodes", "relationships"},
    "graph-between": {"items"},
    "graph-evidence": {"items"},
    "paths-sample": {"paths", "requested", "returned", "shortfall"},
    "questions-generate": {"accepted", "rejected", "failed", "questions"},
    "datasets-import": {"read", "imported", "skipped", "warnings", "graph_types", "errors"},
    "evaluate-run": {"run", "results"},
    "evaluate-estimate": {"run", "estimate"},
    "report": {"files"},
    "stats": {"graph", "questions"},
    "engine-status": {"state", "uri", "version", "pid", "data"},
}
INSIDE: dict[str, list[tuple[tuple[str | int, ...], set[str]]]] = {
    "ingest": [
        (("documents",), {"added", "unchanged", "failed"}),
        (("documents", "failed", 0), {"source", "stage", "reason"}),
    ],
    "recognise": [(("mentions", 0), {"start", "end", "surface", "kind", "key"})],
    "entities-show": [
        (("facts", 0), {"predicate", "object", "evidence"}),
        (
            ("facts", 0, "evidence", 0),
            {
                "document",
                "chunk",
                "page",
                "start",
                "end",
                "text",
                "extractor",
                "model",
                "prompt_sha256",
                "at",
            },
        ),
    ],
    "paths-sample": [
        (("paths", 0), {"entities", "relations"}),
        (("paths", 0, "relations", 0), {"subject", "predicate", "object", "document", "chunk"}),
    ],
}

Printed = dict[str, tuple[dict[str, Any], int, int]]


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "papers"
    folder.mkdir()
    for name in PAPERS:
        shutil.copy(REPOSITORY / "samples" / "papers" / name, folder)
    return folder


@pytest.fixture(scope="module")
async def documents(papers: Path, settings: Settings, open_graph: Graph) -> AsyncIterator[Printed]:
    """The document of every command, run one after the other on a small home."""
    await open_graph.empty()
    before = os.environ.get("CATENANE_HOME")
    os.environ["CATENANE_HOME"] = str(settings.home)
    get_settings.cache_clear()
    found: Printed = {}

    def visit(name: str, document: dict[str, Any], code: int, expected: int) -> None:
        found[name] = document, code, expected

    dataset = REPOSITORY / "samples" / "datasets" / "2wiki.json"
    await asyncio.to_thread(walk, papers, dataset, visit)
    yield found
    os.environ.pop("CATENANE_HOME")
    if before is not None:
        os.environ["CATENANE_HOME"] = before
    get_settings.cache_clear()


def examples() -> list[str]:
    return sorted(file.stem for file in EXAMPLES.glob("*.json") if file.stem != "demo")


@pytest.mark.parametrize("name", examples())
async def test_a_command_prints_what_its_example_shows(documents: Printed, name: str) -> None:
    document, code, expected = documents[name]
    assert code == expected, document
    example = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    assert faults(example, document) == []


@pytest.mark.parametrize("name", sorted(KEYS))
async def test_the_keys_of_the_interface_are_there(documents: Printed, name: str) -> None:
    document, _, _ = documents[name]
    assert set(document) >= KEYS[name]
    for place, keys in INSIDE.get(name, []):
        inner: Any = document
        for step in place:
            inner = inner[step]
        assert set(inner) >= keys, place


async def test_every_document_has_its_example(documents: Printed) -> None:
    assert sorted(documents) == examples()


async def test_counts_are_those_of_the_papers(documents: Printed) -> None:
    """Four papers can be used and one file is empty; a second attempt finds them unchanged."""
    ingested, _, _ = documents["ingest"]
    assert ingested["documents"]["added"] == 4
    assert [failure["reason"] for failure in ingested["documents"]["failed"]] == ["The file is empty."]
    retried, _, _ = documents["jobs-retry"]
    assert retried["result"]["documents"]["unchanged"] == 4
    assert retried["result"]["relations"] == ingested["relations"]
    assert documents["corpora-list"][0]["items"][0]["documents"] == 4
    assert documents["corpora-delete"][0]["items"] == [{"name": "small", "documents": 3}]


async def test_the_demo_prints_its_document_and_adds_nothing_the_second_time(
    papers: Path, graph: Graph, documents: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole main job, on a part of the corpus. (`.ci/run` runs it on all of it.)"""
    monkeypatch.setattr(demo, "PAPERS", papers)
    monkeypatch.setattr(demo, "PATHS", 20)
    monkeypatch.setattr(demo, "QUESTIONS", 3)
    first, code = await asyncio.to_thread(printed, ["demo", "--exit"])
    assert code == 0, first
    assert set(first) >= DEMO_KEYS
    example = json.loads((EXAMPLES / "demo.json").read_text(encoding="utf-8"))
    assert faults(example, first) == []
    assert first["documents"] == 4
    assert first["refused"] == [{"source": "trap-empty.txt", "reason": "The file is empty."}]
    assert first["questions"]["by_hops"]["1"] == 3
    assert (first["reused_sources"], first["leaks"], first["backend"]) == (0, 0, "offline")
    assert {name: one["imported"] for name, one in first["datasets"].items()} == {
        "samples-2wiki": 10,
        "samples-chemkg": 5,
        "samples-hotpotqa": 7,
        "samples-musique": 10,
    }
    assert first["reasoning_graphs"]["positive"] == first["questions"]["accepted"] + 32
    assert Path(first["report"]).is_file()
    second, code = await asyncio.to_thread(printed, ["demo", "--exit"])
    assert code == 0
    assert not any(second["added"].values()), second["added"]
    assert {key: second[key] for key in DEMO_KEYS} == {key: first[key] for key in DEMO_KEYS}
