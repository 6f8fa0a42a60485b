"""Errors over HTTP: RFC 9457 problem details, whatever went wrong and wherever.

`type` is `/problems/<slug>`, an address of this service that says in words what it means.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

import errors

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"

MEANINGS: dict[str, str] = {
    **{
        kind.slug: f"{kind.title}. {(kind.__doc__ or '').splitlines()[0]}"
        for kind in (
            errors.InputError,
            errors.RecordError,
            errors.NotFoundError,
            errors.ConflictError,
            errors.EngineError,
            errors.JobError,
            errors.JobCancelled,
            errors.ModelError,
        )
    },
    "error": "Something went wrong. An error of the program; its log has the details.",
    "invalid-request": "The request does not fit. `errors` names each part and what is wrong with it.",
    "forbidden-host": "The request came under a host name, or from a page, that this service does not serve.",
    "too-large": "The request has more bytes than the service takes.",
    "http": "The request cannot be served as it was made; the title names the HTTP status.",
}


class ProblemDetails(BaseModel):
    """RFC 9457. `errors` stands only where a request did not validate."""

    type: str = Field(examples=["/problems/not-found"])
    title: str = Field(examples=["Not found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["There is no document 'doc_x'."])
    instance: str | None = Field(default=None, examples=["/v1/documents/doc_x"])
    errors: list[dict[str, Any]] | None = None


def problem(
    slug: str, title: str, status: int, detail: str, instance: str | None = None, **more: Any
) -> JSONResponse:
    """A response that tells of a problem."""
    headers = more.pop("headers", None)
    body = ProblemDetails(
        type=f"/problems/{slug}", title=title, status=status, detail=detail, instance=instance, **more
    )
    return JSONResponse(
        body.model_dump(exclude_none=True), status_code=status, media_type=MEDIA_TYPE, headers=headers
    )


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For OpenAPI: these statuses, and any other error, come as problem details."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content} for status in (*statuses, 422)
    }


def install(app: FastAPI) -> None:
    """Make every error of the application problem details."""

    @app.exception_handler(errors.CataneneError)
    async def _ours(request: Request, error: errors.CataneneError) -> JSONResponse:
        return problem(error.slug, error.title, error.http_status, str(error), request.url.path)

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        faults = [
            {"field": ".".join(str(part) for part in fault["loc"]), "reason": fault["msg"]}
            for fault in error.errors()
        ]
        detail = "; ".join(f"{fault['field']}: {fault['reason']}" for fault in faults)
        return problem(
            "invalid-request", "The request does not fit", 422, detail, request.url.path, errors=faults
        )

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        title = HTTPStatus(error.status_code).phrase
        slug = {404: "not-found", 413: "too-large"}.get(error.status_code, "http")
        detail = str(error.detail)
        if error.status_code == 404 and detail == title:
            detail = f"There is nothing at {request.url.path}."
        return problem(slug, title, error.status_code, detail, request.url.path, headers=error.headers)

    @app.exception_handler(Exception)
    async def _unexpected(request: Request, error: Exception) -> JSONResponse:
        log.error("%s %s", request.method, request.url.path, exc_info=error)
        base = errors.CataneneError
        return problem(base.slug, base.title, 500, "An error of the program; its log says more.")
