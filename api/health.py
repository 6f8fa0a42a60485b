"""/health: the process answers. /ready: so do the graph engine and the job store."""

from __future__ import annotations

import asyncio
import os
from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel

from api.state import StateDep
from errors import CataneneError
from jobs.lock import holder

router = APIRouter(tags=["service"])

# What a probe waits for an answer of the engine.
PATIENCE_S = 2.0


class Health(BaseModel):
    """The process is there."""

    status: Literal["ok"] = "ok"


class Readiness(BaseModel):
    """Whether requests can be served, and what is missing where not."""

    ready: bool
    engine: str
    jobs: str


@router.get("/health")
async def health() -> Health:
    """Whether the process answers."""
    return Health()


@router.get("/ready", responses={503: {"description": "Not yet, or not any more.", "model": Readiness}})
async def ready(state: StateDep, response: Response) -> Readiness:
    """Whether the graph engine and the job store answer."""
    engine, engine_ok = await _engine(state)
    jobs, jobs_ok = await _jobs(state)
    if not (engine_ok and jobs_ok):
        response.status_code = 503
    return Readiness(ready=engine_ok and jobs_ok, engine=engine, jobs=jobs)


async def _engine(state: StateDep) -> tuple[str, bool]:
    try:
        graph = await state.graph(patience_s=PATIENCE_S)
        async with asyncio.timeout(PATIENCE_S):
            await graph.corpora.list()
    except (CataneneError, TimeoutError) as error:
        return str(error) or "the graph engine does not answer", False
    return f"{graph.engine.kind} {graph.engine.version}", True


async def _jobs(state: StateDep) -> tuple[str, bool]:
    if state.keeper.error is not None:
        return str(state.keeper.error), False
    try:
        await asyncio.to_thread(state.store.counts)
    except Exception as error:  # whatever the database says
        return f"the job store does not answer: {error}", False
    if state.keeper.executing.is_set():
        return "executing", True
    other = holder(state.settings)
    return (f"process {other[0]} executes" if other and other[0] != os.getpid() else "starting"), True
