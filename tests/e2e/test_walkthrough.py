"""Every `catenane` command of README and docs, run in the order of the pages, as a reader would.

On the home that the main job left (`.ci/run` names it in CATENANE_TEST_DEMO_HOME), in a folder with
the files that the pages speak of. Left out are those that need a model (run against a scripted one
in `tests/integration/test_main_job_endpoint.py`) and those that stop the engine under the others.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from settings import REPOSITORY
from tests.support.documented import Shown, shown_commands

HOME = os.environ.get("CATENANE_TEST_DEMO_HOME", "")
pytestmark = [
    pytest.mark.walkthrough,
    pytest.mark.skipif(not HOME, reason="CATENANE_TEST_DEMO_HOME names no home of a demo; .ci/run makes one"),
]
SHOWN = [
    shown
    for shown in shown_commands()
    if shown.words[0] == "catenane"
    and "baseline,local" not in shown.words
    and shown.words[1:3] not in (("engine", "stop"), ("engine", "start"))
    and "-" not in shown.words[1:]
]
_RUN = re.compile(r"RUN|run_0123456789abcdef01234567")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the pages name: papers, a HotpotQA file, the samples."""
    folder = tmp_path_factory.mktemp("desk")
    papers = sorted((REPOSITORY / "samples" / "papers").glob("[0-9]*.[tmh]*"))
    for name in ("papers", "PATH"):
        (folder / name).mkdir()
        for paper in papers:
            shutil.copy(paper, folder / name)
    shutil.copy(
        REPOSITORY / "samples" / "datasets" / "hotpotqa.json", folder / "hotpot_dev_distractor_v1.json"
    )
    (folder / "samples").symlink_to(REPOSITORY / "samples")
    return folder


def run(desk: Path, *words: str) -> str:
    """Run a command to its end; its standard output."""
    done = subprocess.run(
        [sys.executable, "-m", "cli", *words],
        cwd=desk,
        env={**os.environ, "CATENANE_HOME": HOME, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, f"catenane {' '.join(words)}: {done.returncode}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.mark.parametrize("shown", SHOWN, ids=str)
def test_a_shown_command_does_its_work(desk: Path, shown: Shown) -> None:
    words = list(shown.words[1:])
    if any(_RUN.fullmatch(word) for word in words):
        newest = json.loads(run(desk, "evaluate", "run", "--questions", "demo", "--json"))["run"]
        words = [newest if _RUN.fullmatch(word) else word for word in words]
    run(desk, *words)


def test_a_report_was_written_where_the_pages_say(desk: Path) -> None:
    assert (desk / "report" / "report.html").is_file()
