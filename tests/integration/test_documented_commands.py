"""Every command that README and docs show is a real one: right name, right options, right arguments.

The short ones that only look are run as well, on the test session's engine; long and serving ones
(`demo`, `serve`, `make ...`) are run in `.ci/run` and `make soak`.
"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from settings import REPOSITORY, Settings
from tests.support.documented import Shown, parse, shown_commands

COMMANDS = [shown for shown in shown_commands() if shown.words[0] == "catenane"]
TARGETS = [shown for shown in shown_commands() if shown.words[0] == "make"]

# Commands that need nothing but an engine, whatever is in the graph.
LOOKING = {
    ("engine", "status"),
    ("corpora", "list"),
    ("documents", "list"),
    ("entities", "list"),
    ("relations", "list"),
    ("questions", "list"),
    ("datasets", "list"),
    ("jobs", "list"),
    ("doctor",),
    ("stats",),
}


def test_the_pages_show_commands() -> None:
    assert len(COMMANDS) >= 20
    assert {"make demo", "make test"} <= {" ".join(shown.words) for shown in TARGETS}


@pytest.mark.parametrize("shown", COMMANDS, ids=str)
def test_a_shown_command_parses(shown: Shown) -> None:
    assert parse(shown.words) is not None


@pytest.mark.parametrize("shown", TARGETS, ids=str)
def test_a_shown_target_exists(shown: Shown) -> None:
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    wanted = {word for word in shown.words[1:] if not word.startswith("-") and "=" not in word}
    assert wanted <= targets


def test_a_wrong_option_would_be_found() -> None:
    with pytest.raises(Exception, match="no-such-option"):
        parse(("catenane", "stats", "--no-such-option"))
    with pytest.raises(Exception, match="nonsense"):
        parse(("catenane", "nonsense"))


@pytest.mark.engine
def test_shown_commands_that_only_look_run(settings: Settings, graph: object) -> None:
    """`graph` keeps the engine of the session's home running, so that each of these only attaches."""
    looked = 0
    for words in dict.fromkeys(shown.words for shown in COMMANDS):
        plain = tuple(word for word in words[1:3] if not word.startswith("-"))
        if plain not in LOOKING and plain[:1] not in LOOKING:
            continue
        done = subprocess.run(
            [sys.executable, "-m", "cli", *words[1:]],
            cwd=REPOSITORY,
            env={"CATENANE_HOME": str(settings.home), "PATH": "/usr/bin:/bin", "HOME": str(settings.home)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}"
        looked += 1
    assert looked >= 3
