"""`make bench`: every measured claim, as a ratio against a named peer in the same run.

    python -m benchmarks [NAME ...] [--json]

A benchmark is a module of this package with `run() -> list[Ratio]`.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys

import benchmarks
from benchmarks.ratio import Ratio


def names() -> list[str]:
    """The benchmarks there are: modules named `bench_*`."""
    return sorted(
        module.name.removeprefix("bench_")
        for module in pkgutil.iter_modules(benchmarks.__path__)
        if module.name.startswith("bench_")
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="which; all by default")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    arguments = parser.parse_args()
    ratios: list[Ratio] = []
    for name in arguments.names or names():
        print(f"{name} ...", file=sys.stderr)
        ratios += importlib.import_module(f"benchmarks.bench_{name}").run()
    if arguments.json:
        print(json.dumps([ratio.to_json() for ratio in ratios], indent=2))
    else:
        for ratio in ratios:
            print(ratio)
    missed = [ratio for ratio in ratios if not ratio.holds]
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
