"""An ingest that is killed with -9 while it stores documents, and started again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.engine import stop
from graph.store import Graph
from ingest.options import IngestOptions
from ingest.pipeline import ingest_paths
from jobs.models import Job
from jobs.store import JobStore
from settings import REPOSITORY, Settings
from tests.support.whole_graph import differences, whole_graph

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif("NEO4J_URI" in os.environ, reason="needs an engine of its own, not the named Neo4j"),
]

PAPERS = [f"{number:02d}-" for number in (3, 4, 5, 6, 10, 12, 13, 18, 25, 28)]


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for start in PAPERS:
        (paper,) = (REPOSITORY / "samples" / "papers").glob(f"{start}*")
        shutil.copy(paper, folder)
    return folder


@pytest.fixture
def mine(home: Path) -> Iterator[Settings]:
    """Settings of a home of this test alone; its engine is stopped in the end."""
    settings = Settings(home=home)
    yield settings
    stop(settings, force=True)


def start_ingest(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "cli", "ingest", str(folder), "--corpus", "part", "--json"],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_until_some_are_stored(process: subprocess.Popen[str], settings: Settings) -> int:
    """How many files are through, once it is one or more."""
    while not (settings.home / "jobs.db").exists():
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.02)
    store = JobStore(settings)
    try:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            assert process.poll() is None, process.communicate()[1]
            for job in store.find():
                if through := max(
                    (event.done for event in store.events(job.id) if not event.state), default=0
                ):
                    return through
            time.sleep(0.02)
    finally:
        store.close()
    raise AssertionError("nothing was stored in two minutes")


def the_job(settings: Settings) -> Job:
    store = JobStore(settings)
    try:
        (job,) = store.find()
        return job
    finally:
        store.close()


async def test_killed_in_mid_ingest_and_started_again_it_stores_the_same(
    mine: Settings, papers: Path
) -> None:
    process = start_ingest(papers)
    through = wait_until_some_are_stored(process, mine)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert 1 <= through < len(PAPERS), "it was killed in the middle"
    killed = the_job(mine)
    assert (killed.state, killed.result) == ("running", None), "nobody could say that it had ended"

    process = start_ingest(papers)
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    job = the_job(mine)
    assert (job.id, job.state) == (killed.id, "succeeded"), "the same job went on"
    assert job.result is not None and out
    documents = job.result["documents"]
    assert documents["added"] + documents["unchanged"] == len(PAPERS)
    assert (documents["replaced"], documents["attached"], documents["failed"]) == (0, 0, [])

    async with await Graph.open(mine) as graph:
        resumed, counts = await whole_graph(graph, times=False), await graph.stats.counts("part")
        assert counts.documents == len(PAPERS)
        await graph.empty()
        await ingest_paths(graph, [papers], corpus="part", options=IngestOptions.make(mine), settings=mine)
        assert await graph.stats.counts("part") == counts
        assert differences(await whole_graph(graph, times=False), resumed) == []
