"""/v1/datasets"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Response, UploadFile
from pydantic import BaseModel

from api.problems import responses
from api.state import GraphDep, SettingsDep, StoreDep
from api.submitting import ACCEPTED, IdempotencyKey, submit
from api.uploads import keep, safe_name
from jobs.models import Job
from jobs.stages.datasets import Format
from qa.datasets import default_name

router = APIRouter(prefix="/v1/datasets", tags=["datasets"])


class DatasetOut(BaseModel):
    """A question set of our own, or an imported data set. The maps count accepted questions."""

    name: str
    source_format: str
    questions: int
    accepted: int
    by_hops: dict[str, int]
    by_structure: dict[str, int]


class Datasets(BaseModel):
    """All sets; there are few, so they come in one page."""

    items: list[DatasetOut]
    next: str | None = None


@router.post("", **ACCEPTED)
async def import_dataset(
    response: Response,
    store: StoreDep,
    settings: SettingsDep,
    file: Annotated[UploadFile, File(description="The data set's file, JSON or JSON lines, .gz too.")],
    format: Annotated[Format, Form(description="Whose format it has.", examples=["hotpotqa"])],
    name: Annotated[str | None, Form(description="By default format and file stem.")] = None,
    skip_bad: Annotated[bool, Form(description="Go on after a broken record.")] = False,
    idempotency_key: IdempotencyKey = None,
) -> Job:
    """Upload a data set's file and import it, as a job."""
    params = {
        "format": format,
        "path": str(await keep(file, settings)),
        "name": name or default_name(format, safe_name(file.filename or "")),
        "skip_bad": skip_bad,
    }
    return await submit(store, response, "datasets.import", params, idempotency_key)


@router.get("", responses=responses(503))
async def list_datasets(graph: GraphDep) -> Datasets:
    """Question sets and imported data sets."""
    return Datasets(items=[DatasetOut(**row) for row in await graph.questions.names()])
