"""`catenane report`: a run as HTML, JSON and CSV."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from commands.console import emit
from commands.options import AsJson, example
from commands.running import run

EPILOG = example("catenane report run_0123456789abcdef01234567 --out report")


def report(
    identifier: Annotated[str, typer.Argument(metavar="RUN", help="Id of a run.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder; in the home by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write the report of a run: one HTML file that opens offline, with JSON and CSV beside it."""
    job = run("report", {"run": identifier, "out": str(out.absolute()) if out else None})
    assert job.result is not None
    emit(job.result, as_json, _show)


def _show(document: Mapping[str, Any]) -> None:
    for file in document["files"]:
        print(file)
