"""Small kinds of job for the tests of the job store; also a program that runs one.

    python -m tests.support.toy_jobs HOME KIND '{"file": ...}'

prints the job's result as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from errors import CataneneError, InputError
from jobs.context import StageContext
from jobs.run import run_job
from jobs.stages import Params, Stage, register
from settings import Settings


class CountParams(Params):
    """Write the numbers below `units` into a file, a step a number, each after a pause."""

    file: str
    units: int = 5
    pause_s: float = 0.0
    workers: int = 1
    fail_at: int | None = None
    bug: bool = False


async def _count(context: StageContext, params: CountParams) -> dict[str, Any]:
    progress = context.progress("count")

    def write(number: int) -> None:
        with Path(params.file).open("a", encoding="utf-8") as out:
            out.write(f"{number}\n")

    async def unit(number: int) -> int:
        progress(number, params.units, f"unit {number}")
        await asyncio.sleep(params.pause_s)
        if number == params.fail_at and not Path(params.file + ".mended").exists():
            if params.bug:
                raise ZeroDivisionError("a bug")
            raise InputError(f"unit {number} is bad")
        write(number)
        return number * number

    squares = await context.each("unit", range(params.units), unit, workers=params.workers)
    progress(params.units, params.units, "counted")
    return {"squares": squares, "refused": 1 if params.units == 7 else 0}


def _refused(result: Mapping[str, Any]) -> int:
    return int(result["refused"])


register(Stage("toy.count", "Count", CountParams, _count, refused=_refused, uses_graph=False))


def main(home: str, kind: str, params: str) -> int:
    """Run one job as a command does; the exit code is the error's."""
    try:
        job = run_job(kind, json.loads(params), Settings(home=Path(home)))
    except CataneneError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print(json.dumps(job.result))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
