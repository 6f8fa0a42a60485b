"""/v1/reports"""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from api.problems import responses
from api.state import SettingsDep, StoreDep
from api.submitting import ACCEPTED, IdempotencyKey, submit
from errors import NotFoundError
from jobs.models import Job
from jobs.stages.evaluation import report_folder
from settings import Settings

router = APIRouter(prefix="/v1/reports", tags=["reports"])


class ReportRequest(BaseModel):
    """Which run to report on; the files lie in the service's home and are served by it."""

    run: str = Field(min_length=1, examples=["run_0123456789abcdef01234567"])


class ReportFile(BaseModel):
    """A file of a report, and where the service serves it."""

    name: str
    url: str
    bytes: int


class ReportOut(BaseModel):
    """The files of a report."""

    run: str
    written: datetime
    files: list[ReportFile]


class Reports(BaseModel):
    """All reports, the newest first."""

    items: list[ReportOut]
    next: str | None = None


@router.post("", **ACCEPTED)
async def write_report(
    params: ReportRequest, response: Response, store: StoreDep, idempotency_key: IdempotencyKey = None
) -> Job:
    """Write the report of a run, as a job."""
    return await submit(store, response, "report", {"run": params.run}, idempotency_key)


@router.get("")
async def list_reports(settings: SettingsDep) -> Reports:
    """Reports that have been written in the service's home."""
    folder = settings.home / "reports"
    found = [_report(settings, each.name) for each in sorted(folder.glob("run_*")) if each.is_dir()]
    return Reports(items=sorted((one for one in found if one), key=lambda one: one.written, reverse=True))


@router.get("/{run}", responses=responses(404))
async def show_report(run: str, settings: SettingsDep) -> ReportOut:
    """The files of one report."""
    found = _report(settings, run) if run.replace("_", "").isalnum() else None
    if found is None:
        raise NotFoundError(f"No report of run {run!r} has been written; POST /v1/reports writes it.")
    return found


def _report(settings: Settings, run: str) -> ReportOut | None:
    folder = report_folder(settings.home, run)
    files = sorted(one for one in folder.glob("*") if one.is_file()) if folder.is_dir() else []
    if not files:
        return None
    return ReportOut(
        run=run,
        written=datetime.fromtimestamp(max(one.stat().st_mtime for one in files), UTC),
        files=[
            ReportFile(name=one.name, url=f"/reports/{run}/{one.name}", bytes=one.stat().st_size)
            for one in files
        ],
    )
