"""`make soak`: fault trials of every kind, and a count of those that held.

python -m tests.soak [--trials N] [--seed S] [--kind KIND ...]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.soak.cli import ROOT, Home

PAPERS = str(ROOT / "samples" / "papers")
RECORDS = str(ROOT / "samples" / "datasets" / "2wiki.json")
INGEST = ("ingest", PAPERS, "--corpus", "soak")
IMPORT = ("datasets", "import", "2wiki", RECORDS, "--name", "soak")
EVALUATE = ("evaluate", "run", "--dataset", "soak", "--conditions", "gold,positive_graph,bm25", "--seed", "1")


def picture(home: Home) -> dict[str, Any]:
    """All that must be equal: counts, documents, entities, and every piece of evidence by its id."""

    def ids(*command: str) -> list[str]:
        return sorted(item["id"] for item in home.run(*command)["items"])

    return {
        "counts": _steady(home.run("stats", "--corpus", "soak")["graph"]),
        "documents": ids("documents", "list", "--corpus", "soak"),
        "entities": ids("entities", "list", "--corpus", "soak"),
        "relations": ids("relations", "list", "--corpus", "soak"),
    }


def _steady(value: Any) -> Any:
    """Without what differs from run to run: times, and the last digits of a sum's rounding."""
    if isinstance(value, dict):
        return {key: _steady(each) for key, each in value.items() if key != "latency_s"}
    if isinstance(value, list):
        return [_steady(each) for each in value]
    return round(value, 9) if isinstance(value, float) else value


def writer_killed(home: Home, moment: float) -> bool:
    """Ingest is killed with -9, then asked for again."""
    killed = home.kill_after(moment, *INGEST)
    home.run(*INGEST)
    return killed


def engine_killed(home: Home, moment: float) -> bool:
    """The engine is killed with -9 under a running ingest, which goes on or is asked for again."""
    process = home.start(*INGEST)
    time.sleep(moment)
    killed = process.poll() is None and home.kill_engine()
    process.communicate(timeout=600)
    home.run(*INGEST)
    return killed


def twice_killed(home: Home, moment: float) -> bool:
    """Writer and engine are killed one after the other, the writer twice."""
    first = home.kill_after(moment, *INGEST)
    home.kill_engine()
    second = home.kill_after(moment, *INGEST)
    home.run(*INGEST)
    return first or second


GRAPH_TRIALS: dict[str, Callable[[Home, float], bool]] = {
    "writer": writer_killed,
    "engine": engine_killed,
    "both": twice_killed,
}


def evaluation_killed(home: Home, moment: float) -> bool:
    """An evaluation is killed with -9, then asked for again: the same answers, none twice."""
    killed = home.kill_after(moment, *EVALUATE)
    home.run(*EVALUATE)
    return killed


def answers(home: Home) -> Any:
    """Counts and scores of each condition of the run."""
    return _steady(home.run(*EVALUATE)["results"])


def main() -> int:
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    kinds = [*GRAPH_TRIALS, "evaluation"]
    parser.add_argument("--trials", type=int, default=25, help="trials of each kind")
    parser.add_argument("--seed", type=int, default=1, help="of the moments of the kills")
    parser.add_argument("--kind", action="append", choices=kinds, help="which kinds; all by default")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    wanted = arguments.kind or kinds
    bad = 0
    with tempfile.TemporaryDirectory(prefix="catenane-soak-") as folder:
        for kind in wanted:
            bad += _trials(kind, arguments.trials, rng, Path(folder))
    print(f"{len(wanted) * arguments.trials - bad} passed, {bad} failed")
    return 1 if bad else 0


def _trials(kind: str, count: int, rng: random.Random, folder: Path) -> int:
    """Run `count` trials of a kind against one undisturbed run; how many did not hold."""
    look = answers if kind == "evaluation" else picture
    steady = Home(folder / f"{kind}-steady")
    if kind == "evaluation":
        steady.run(*IMPORT)
    begun = time.monotonic()
    steady.run(*(EVALUATE if kind == "evaluation" else INGEST))
    whole = time.monotonic() - begun
    expected = look(steady)
    steady.stop()
    bad = 0
    for number in range(count):
        home = Home(folder / f"{kind}-{number}")
        if kind == "evaluation":
            home.run(*IMPORT)
        moment = rng.uniform(0.1, 0.95) * whole
        hit = evaluation_killed(home, moment) if kind == "evaluation" else GRAPH_TRIALS[kind](home, moment)
        found = look(home)
        home.stop()
        same = found == expected
        bad += not same
        print(
            f"{kind} {number + 1}/{count}: {'killed' if hit else 'had ended'} at {moment:.1f} s, "
            f"{'equal' if same else 'DIFFERENT'}",
            file=sys.stderr,
        )
        if not same:
            print(json.dumps({"expected": expected, "found": found})[:2000], file=sys.stderr)
    return bad


if __name__ == "__main__":
    sys.exit(main())
