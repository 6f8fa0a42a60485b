"""The service in one terminal, a command on the same home in a second one."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from graph.store import Graph
from jobs.lock import holder
from settings import REPOSITORY, Settings

pytestmark = pytest.mark.engine

PAPER = """# On two ethers

## Introduction

Ethers are old solvents. Diethyl ether is made by the dehydration of ethanol. Diisopropyl ether forms
peroxides, and nobody should distil it to dryness.
"""


def start(settings: Settings, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "cli", *arguments],
        cwd=REPOSITORY,
        env={**os.environ, "CATENANE_HOME": str(settings.home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def service(settings: Settings, graph: Graph) -> Iterator[tuple[int, httpx.Client]]:
    """`catenane serve` as a process of its own on the session's home: its id, and a client of it."""
    process = start(settings, "serve", "--port", "0")
    assert process.stderr is not None
    lines: list[str] = []
    try:
        for line in process.stderr:
            lines.append(line)
            if found := re.search(r"serves at (http://127\.0\.0\.1:\d+)", line):
                break
        else:
            raise AssertionError("".join(lines))
        # What it says later must not fill the pipe.
        threading.Thread(target=lambda: lines.extend(process.stderr or ()), daemon=True).start()
        with httpx.Client(base_url=found[1], timeout=60, trust_env=False) as client:
            until_it_executes(client)
            yield process.pid, client
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=40) == 0, "".join(lines)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def until_it_executes(client: httpx.Client) -> None:
    deadline = time.monotonic() + 60
    while (state := client.get("/ready").json()).get("jobs") != "executing":
        assert time.monotonic() < deadline, state
        time.sleep(0.1)


def items(client: httpx.Client, path: str, **query: Any) -> Sequence[dict[str, Any]]:
    response = client.get(path, params=query)
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["items"]
    return found


def test_a_command_hands_its_work_to_the_service_of_its_home(
    service: tuple[int, httpx.Client], settings: Settings, tmp_path: Path
) -> None:
    pid, client = service
    assert holder(settings) == (pid, "service")
    assert items(client, "/v1/documents", corpus="mine") == []
    before = {job["id"] for job in items(client, "/v1/jobs", limit=500)}
    paper = tmp_path / "ethers.md"
    paper.write_text(PAPER, encoding="utf-8")

    command = start(settings, "ingest", str(paper), "--corpus", "mine", "--json")
    out, err = command.communicate(timeout=120)
    assert command.returncode == 0, err
    document = json.loads(out)
    assert (document["documents"]["added"], document["documents"]["failed"]) == (1, [])
    assert (document["chunks"], document["relations"]) == (1, 1)

    assert holder(settings) == (pid, "service"), "the service kept the executor's lock all the time"
    (job,) = [job for job in items(client, "/v1/jobs", limit=500) if job["id"] not in before]
    assert (job["kind"], job["state"]) == ("ingest", "succeeded")
    (stored,) = items(client, "/v1/documents", corpus="mine")
    assert (stored["title"], stored["source"]) == ("On two ethers", str(paper))
    (relation,) = items(client, "/v1/relations", corpus="mine")
    told = relation["subject"], relation["predicate"], relation["object"]
    assert told == ("diethyl ether", "is made by the dehydration of", "ethanol")
    assert relation["evidence"]["text"] == "Diethyl ether is made by the dehydration of ethanol."
