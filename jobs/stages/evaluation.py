"""Evaluate, and write reports, as jobs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from errors import InputError, JobError
from evaluation.baseline import NAME as BASELINE
from evaluation.spec import RunSpec
from jobs.context import StageContext
from jobs.stages.registry import Params, Stage, register

if TYPE_CHECKING:
    from evaluation.summary import Cell


async def evaluate(context: StageContext, params: RunSpec) -> dict[str, Any]:
    """The document of `evaluate run`. The job fails where every answer is an error, and can be retried."""
    from evaluation.run import execute_run

    clients = {
        name: client
        for name in params.endpoints
        if name != BASELINE and (client := await context.client(name)) is not None
    }
    graph = await context.graph()

    async def work() -> dict[str, Any]:
        result = await execute_run(graph, params, clients=clients, progress=context.progress("evaluation"))
        return {**result.model_dump(mode="json"), "cells": [_plain(cell) for cell in result.cells]}

    document = await context.step("evaluate", work)
    if document["errors"] and document["errors"] == document["asked"] + document["reused"]:
        raise JobError(f"run {document['run_id']}: every call failed; look at its answers, then retry")
    return {"run": document.pop("run_id"), "results": document.pop("cells"), **document}


def _plain(cell: Cell) -> dict[str, Any]:
    """A cell with its intervals as `[low, high]`."""
    intervals = {
        name: [getattr(cell, name).low, getattr(cell, name).high] for name in ("em_ci", "f1_ci", "correct_ci")
    }
    return {**cell.model_dump(mode="json"), **intervals}


class ReportParams(Params):
    """Which run to report on."""

    run: str = Field(min_length=1, description="Id of a run.", examples=["run_0123456789abcdef01234567"])
    out: str | None = Field(default=None, description="Folder, absolute; in the home if unset.")


def report_folder(home: Path, run: str) -> Path:
    """Where the report of a run lies unless its caller says otherwise."""
    return home / "reports" / run


async def report(context: StageContext, params: ReportParams) -> dict[str, Any]:
    """The document of `report`."""
    from evaluation.report import write_report

    progress = context.progress("report")
    progress(0, 1)
    graph = await context.graph()
    out = Path(params.out) if params.out else report_folder(context.settings.home, params.run)

    async def work() -> list[str]:
        try:
            return [str(file) for file in await write_report(graph, params.run, out)]
        except OSError as error:
            raise InputError(f"{out}: no report can be written there: {error.strerror or error}") from error

    files = await context.step("report", work)
    progress(1, 1, str(out))
    return {"run": params.run, "files": files}


register(Stage("evaluate", "Evaluate", RunSpec, evaluate))
register(Stage("report", "Write a report", ReportParams, report))
