"""The application: routers, errors, guards, and what lives as long as it does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.staticfiles import StaticFiles

from api import health, page, problems
from api.problems import ProblemDetails
from api.routers import ROUTERS
from api.security import GuardMiddleware
from api.state import ServiceState
from settings import Settings, program_version

HERE = Path(__file__).parent
UPLOADS = ("/v1/documents", "/v1/datasets")

DESCRIPTION = """\
From scientific papers to a knowledge graph with provenance, multi-hop questions with reasoning
graphs, and an evaluation of language models on them.

Long work is a `POST` that answers `202` with a job and its `Location`; follow it at
`/v1/jobs/{id}` or `/v1/jobs/{id}/events`. Errors are problem details (RFC 9457).
"""


def create_app(settings: Settings) -> FastAPI:
    """The service of one home. Its graph and its executor start and stop with the application."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.service = ServiceState(settings)
        app.state.service.start()
        try:
            yield
        finally:
            await app.state.service.stop()

    app = FastAPI(
        title="Catenane",
        version=program_version(),
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,  # their pages load scripts from outside; the document itself is served
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    app.add_middleware(GuardMiddleware, settings=settings, upload_paths=UPLOADS)
    problems.install(app)
    for router in (*ROUTERS, health.router, page.router):
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


def _openapi(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, where invalid requests are told by problem details, as they are."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        components = schema["components"]["schemas"]
        for name in ("HTTPValidationError", "ValidationError"):
            components.pop(name, None)
        components["ProblemDetails"] = ProblemDetails.model_json_schema()
        reference = {"$ref": "#/components/schemas/ProblemDetails"}
        for operations in schema["paths"].values():
            for operation in operations.values():
                invalid = operation.get("responses", {}).get("422")
                if invalid is not None:
                    invalid["content"] = {problems.MEDIA_TYPE: {"schema": reference}}
        app.openapi_schema = schema
    return app.openapi_schema
