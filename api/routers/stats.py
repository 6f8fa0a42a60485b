"""/v1/stats"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from api.lists import CorpusQuery
from api.problems import responses
from api.routers.datasets import DatasetOut
from api.state import GraphDep
from graph.models import Counts

router = APIRouter(prefix="/v1/stats", tags=["stats"])


class Stats(BaseModel):
    """How much there is; `graph` describes the network of entities (chemistry paper, Table 1b)."""

    counts: Counts
    graph: dict[str, Any]
    questions: dict[str, DatasetOut]


@router.get("", responses=responses(503))
async def stats(graph: GraphDep, corpus: CorpusQuery = None) -> Stats:
    """Counts, graph statistics, and the sets of questions."""
    return Stats(
        counts=await graph.stats.counts(corpus),
        graph=await graph.stats.graph_statistics(corpus),
        questions={row["name"]: DatasetOut(**row) for row in await graph.questions.names()},
    )
