"""/v1/jobs"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterable
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from api.lists import CursorQuery, LimitQuery, linked
from api.problems import responses
from api.state import StoreDep
from errors import InputError
from graph.models import Page
from jobs.models import Job, State

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])

# How often a stream looks for new events; a look takes about a millisecond.
LOOK_S = 0.2


@router.get("")
async def list_jobs(
    store: StoreDep,
    request: Request,
    response: Response,
    state: Annotated[State | None, Query(description="Only in this state.")] = None,
    kind: Annotated[str | None, Query(description="Only of this kind.", examples=["ingest"])] = None,
    limit: LimitQuery = 50,
    cursor: CursorQuery = None,
) -> Page[Job]:
    """Jobs, the newest first."""
    before = _decoded(cursor) if cursor else None
    found = await asyncio.to_thread(
        store.find, states=[state] if state else (), kind=kind, limit=limit + 1, before=before
    )
    items = found[:limit]
    following = _encoded(items[-1]) if len(found) > limit else None
    return linked(Page(items=items, next=following), request, response)


@router.get("/{identifier}", responses=responses(404))
async def show_job(identifier: str, store: StoreDep) -> Job:
    """One job; `result` has its document when it has succeeded."""
    return await asyncio.to_thread(store.get, identifier)


@router.post("/{identifier}/cancel", responses=responses(404, 409))
async def cancel_job(identifier: str, store: StoreDep) -> Job:
    """Ask a job to stop at its next unit of work. What it has finished is kept."""
    return await asyncio.to_thread(store.request_cancel, identifier)


@router.post("/{identifier}/resume", status_code=202, responses=responses(404, 409))
async def resume_job(identifier: str, store: StoreDep) -> Job:
    """Go on with a cancelled job."""
    return await asyncio.to_thread(store.again, identifier, ["cancelled"])


@router.post("/{identifier}/retry", status_code=202, responses=responses(404, 409))
async def retry_job(identifier: str, store: StoreDep) -> Job:
    """Run a failed job again; what is there is not done twice."""
    return await asyncio.to_thread(store.again, identifier, ["failed"])


@router.get("/{identifier}/events", response_class=EventSourceResponse, responses=responses(404))
async def stream_events(
    store: StoreDep,
    job: Annotated[Job, Depends(show_job)],
    last_event_id: Annotated[
        int | None, Header(alias="Last-Event-ID", description="Go on after this event.")
    ] = None,
) -> AsyncIterable[ServerSentEvent]:
    """Events of a job as they happen (`text/event-stream`), to its end.

    `progress` events tell how far a stage is, `state` events that the job is in another state. The
    id of each is its number; a client that reconnects with `Last-Event-ID` misses none.
    """
    seen = last_event_id or 0
    while True:
        finished = (await asyncio.to_thread(store.get, job.id)).finished
        for event in await asyncio.to_thread(store.events, job.id, after=seen):
            seen = event.seq
            kind = "state" if event.state else "progress"
            yield ServerSentEvent(data=event, event=kind, id=str(event.seq))
        if finished:
            return
        await asyncio.sleep(LOOK_S)


def _encoded(job: Job) -> str:
    text = f"{job.created.isoformat(timespec='microseconds')}|{job.id}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _decoded(cursor: str) -> tuple[str, str]:
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        created, identifier = text.split("|")
    except ValueError as error:
        raise InputError("The cursor is none that a list of ours returned.") from error
    return created, identifier
