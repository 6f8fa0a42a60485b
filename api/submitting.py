"""Long work over HTTP: a POST queues a job and answers 202 with its address."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Header, Response
from pydantic import BaseModel

from api.problems import responses
from jobs.models import Job
from jobs.stages import stage_of
from jobs.store import JobStore

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="The same key with the same request gives back the job that it made before.",
    ),
]

ACCEPTED: dict[str, Any] = {
    "status_code": 202,
    "response_model": Job,
    "responses": {
        202: {
            "description": "The job; `Location` is its address.",
            "headers": {"Location": {"schema": {"type": "string"}, "description": "Address of the job."}},
        },
        **responses(409),
    },
}


async def submit(
    store: JobStore,
    response: Response,
    kind: str,
    params: BaseModel | Mapping[str, Any],
    idempotency_key: str | None,
) -> Job:
    """Queue a job of this kind. Its parameters are checked first."""
    given = params.model_dump(mode="json") if isinstance(params, BaseModel) else params
    checked = stage_of(kind).validate(given).model_dump(mode="json")
    job = await asyncio.to_thread(store.submit, kind, checked, idempotency_key=idempotency_key)
    response.headers["Location"] = f"/v1/jobs/{job.id}"
    return job
