"""Fixtures: a home of its own for the test session, with the graph engine running on it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from graph.engine import stop
from graph.store import Graph
from settings import Settings


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of a fresh home; with NEO4J_URI set, of that server (whose graph the tests empty!)."""
    mine = Settings(home=tmp_path_factory.mktemp("home"), port=0)
    yield mine
    if not mine.neo4j_uri:
        stop(mine, force=True)


@pytest.fixture(scope="session")
async def open_graph(settings: Settings) -> AsyncIterator[Graph]:
    """The graph of the session's home, open for the whole session."""
    async with await Graph.open(settings) as graph:
        yield graph


@pytest.fixture
async def graph(open_graph: Graph) -> Graph:
    """An empty graph on a running engine."""
    await open_graph.empty()
    return open_graph


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of this test alone, also for processes it starts; the environment's settings are gone."""
    for name in list(os.environ):
        if name.startswith(("CATENANE_", "NEO4J_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("CATENANE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CATENANE_ENGINE_IDLE_SECONDS", "0")  # nothing outlives its test
    return tmp_path / "home"
