"""/v1/paths"""

from __future__ import annotations

from fastapi import APIRouter, Response

from api.problems import responses
from api.state import GraphDep, StoreDep
from api.submitting import ACCEPTED, IdempotencyKey, submit
from errors import NotFoundError
from graph.models import PathRecord
from jobs.models import Job
from jobs.stages.questions import SampleParams

router = APIRouter(prefix="/v1/paths", tags=["paths"])


@router.post("", **ACCEPTED)
async def sample_paths(
    params: SampleParams, response: Response, store: StoreDep, idempotency_key: IdempotencyKey = None
) -> Job:
    """Sample paths, as a job. Its result has `paths, requested, returned, shortfall`."""
    return await submit(store, response, "paths.sample", params, idempotency_key)


@router.get("/{identifier}", responses=responses(404, 503))
async def show_path(identifier: str, graph: GraphDep) -> PathRecord:
    """A path that a question, or a rejection, is about."""
    path = await graph.paths.get(identifier)
    if path is None:
        raise NotFoundError(f"There is no path {identifier!r}; sampled ones are kept only with a question.")
    return path
