"""/v1/evaluations"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query, Request, Response

from api.lists import CursorQuery, LimitQuery, linked
from api.problems import responses
from api.state import GraphDep, StoreDep
from api.submitting import ACCEPTED, IdempotencyKey, submit
from evaluation.spec import RunSpec
from graph.models import AnswerRecord, Outcome, Page, RunRecord
from jobs.models import Job

router = APIRouter(prefix="/v1/evaluations", tags=["evaluations"])

EXAMPLE = {"datasets": ["first"], "conditions": ["closed_book", "gold"], "endpoints": ["baseline"]}


@router.post("", **ACCEPTED)
async def evaluate(
    params: Annotated[RunSpec, Body(examples=[EXAMPLE])],
    response: Response,
    store: StoreDep,
    idempotency_key: IdempotencyKey = None,
) -> Job:
    """Evaluate question sets or data sets, as a job. The same request again asks only what is missing."""
    return await submit(store, response, "evaluate", params, idempotency_key)


@router.get("", responses=responses(503))
async def list_runs(
    graph: GraphDep,
    request: Request,
    response: Response,
    limit: LimitQuery = 50,
    cursor: CursorQuery = None,
) -> Page[RunRecord]:
    """Runs, the newest first."""
    return linked(await graph.runs.list(limit, cursor), request, response)


@router.get("/{identifier}", responses=responses(404, 503))
async def show_run(identifier: str, graph: GraphDep) -> RunRecord:
    """What a run is of."""
    return await graph.runs.get(identifier)


@router.get("/{identifier}/answers", responses=responses(404, 503))
async def list_answers(
    identifier: str,
    graph: GraphDep,
    request: Request,
    response: Response,
    question: Annotated[str | None, Query(description="Only to this question.")] = None,
    status: Annotated[Outcome | None, Query(description="Only with this outcome.")] = None,
    limit: LimitQuery = 50,
    cursor: CursorQuery = None,
) -> Page[AnswerRecord]:
    """The answers of a run."""
    await graph.runs.get(identifier)
    page = await graph.runs.answer_page(
        identifier, question_id=question, status=status, limit=limit, cursor=cursor
    )
    return linked(page, request, response)
