"""/v1/questions"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from api.facts import RelationOut
from api.lists import CorpusQuery, CursorQuery, LimitQuery, linked
from api.problems import responses
from api.state import GraphDep, StoreDep
from api.submitting import ACCEPTED, IdempotencyKey, submit
from errors import NotFoundError
from graph.models import Page, QuestionRecord, ReasoningGraph, Rejection, Status
from jobs.models import Job
from jobs.stages.questions import GenerateParams

router = APIRouter(prefix="/v1/questions", tags=["questions"])

SetQuery = Annotated[str | None, Query(description="Only this question set or data set.")]
HopsQuery = Annotated[int | None, Query(ge=1, description="Only of so many hops.")]


class QuestionOut(BaseModel):
    """A question, the relations of its path with their sentences, and its reasoning graphs."""

    question: QuestionRecord
    path: list[RelationOut]
    reasoning_graphs: list[ReasoningGraph]


@router.post("", **ACCEPTED)
async def generate_questions(
    params: GenerateParams, response: Response, store: StoreDep, idempotency_key: IdempotencyKey = None
) -> Job:
    """Make questions, as a job."""
    return await submit(store, response, "questions.generate", params, idempotency_key)


@router.get("", responses=responses(503))
async def list_questions(
    graph: GraphDep,
    request: Request,
    response: Response,
    dataset: SetQuery = None,
    corpus: CorpusQuery = None,
    hops: HopsQuery = None,
    graph_type: Annotated[str | None, Query(description="Only of this type, as bridge_2_1.")] = None,
    status: Annotated[Status | None, Query(description="Only with this status.")] = None,
    text: Annotated[str | None, Query(description="Only with this text in question or answer.")] = None,
    limit: LimitQuery = 50,
    cursor: CursorQuery = None,
) -> Page[QuestionRecord]:
    """Questions by set, hops and id."""
    page = await graph.questions.list(
        dataset,
        corpus=corpus,
        hops=hops,
        graph_type=graph_type,
        status=status,
        text=text,
        limit=limit,
        cursor=cursor,
    )
    return linked(page, request, response)


@router.get("/rejections", responses=responses(503))
async def list_rejections(
    graph: GraphDep,
    request: Request,
    response: Response,
    dataset: SetQuery = None,
    reason: Annotated[str | None, Query(description="Only with this reason, as a gate's name.")] = None,
    hops: HopsQuery = None,
    limit: LimitQuery = 50,
    cursor: CursorQuery = None,
) -> Page[Rejection]:
    """The ledger: what was tried and why it was not accepted."""
    page = await graph.questions.rejections(dataset, reason=reason, hops=hops, limit=limit, cursor=cursor)
    return linked(page, request, response)


@router.get("/{identifier}", responses=responses(404, 503))
async def show_question(identifier: str, graph: GraphDep) -> QuestionOut:
    """One question with what it rests on."""
    question = await graph.questions.get(identifier)
    if question is None:
        raise NotFoundError(f"There is no question {identifier!r}.")
    ids = [hop.relation_id for hop in question.one_hops]
    evidence = await graph.relations.by_ids(ids)
    graphs = await graph.reasoning.of_questions([identifier])
    return QuestionOut(
        question=question,
        path=[RelationOut.of(evidence[one]) for one in ids if one in evidence],
        reasoning_graphs=graphs[identifier],
    )
