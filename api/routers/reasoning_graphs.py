"""/v1/reasoning-graphs"""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from fastapi.responses import PlainTextResponse

from api.problems import responses
from api.state import GraphDep, StoreDep
from api.submitting import ACCEPTED, IdempotencyKey, submit
from errors import NotFoundError
from graph.models import Page, ReasoningGraph
from graph.store import Graph
from jobs.models import Job
from jobs.stages.datasets import NegativesParams
from qa.reasoning.dot import to_dot
from qa.reasoning.svg import to_svg

router = APIRouter(prefix="/v1/reasoning-graphs", tags=["reasoning graphs"])


@router.post("", **ACCEPTED)
async def build_negatives(
    params: NegativesParams, response: Response, store: StoreDep, idempotency_key: IdempotencyKey = None
) -> Job:
    """Build the negative graphs of a set, as a job."""
    return await submit(store, response, "graphs.negatives", params, idempotency_key)


@router.get("", responses=responses(503))
async def list_graphs(
    graph: GraphDep,
    question: Annotated[str, Query(description="Id of a question.")],
    polarity: Annotated[Literal["positive", "negative"] | None, Query(description="Only these.")] = None,
) -> Page[ReasoningGraph]:
    """The reasoning graphs of a question, the positive one first."""
    found = await graph.reasoning.of_questions([question], polarity)
    return Page(items=found[question])


@router.get("/{identifier}", responses=responses(404, 503))
async def show_graph(identifier: str, graph: GraphDep) -> ReasoningGraph:
    """One reasoning graph with its steps."""
    return await _the(graph, identifier)


@router.get("/{identifier}/dot", responses=responses(404, 503), response_class=PlainTextResponse)
async def graph_as_dot(identifier: str, graph: GraphDep, answers: bool = False) -> PlainTextResponse:
    """One reasoning graph in DOT."""
    text = to_dot(await _the(graph, identifier), with_answers=answers)
    return PlainTextResponse(text, media_type="text/vnd.graphviz")


@router.get("/{identifier}/svg", responses=responses(404, 503), response_class=PlainTextResponse)
async def graph_as_svg(identifier: str, graph: GraphDep, answers: bool = False) -> PlainTextResponse:
    """One reasoning graph, drawn."""
    text = to_svg(await _the(graph, identifier), with_answers=answers)
    return PlainTextResponse(text, media_type="image/svg+xml")


async def _the(graph: Graph, identifier: str) -> ReasoningGraph:
    found = await graph.reasoning.get(identifier)
    if found is None:
        raise NotFoundError(f"There is no reasoning graph {identifier!r}.")
    return found
