"""/v1/endpoints"""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from api.state import SettingsDep
from evaluation.baseline import NAME as BASELINE

router = APIRouter(prefix="/v1/endpoints", tags=["endpoints"])


class EndpointOut(BaseModel):
    """Who can answer. Addresses and keys stay on the server."""

    name: str
    model: str
    reasoning: bool
    offline: bool


class Endpoints(BaseModel):
    """All of them; the built-in baseline is always there."""

    items: list[EndpointOut]
    next: str | None = None


@router.get("")
async def list_endpoints(settings: SettingsDep) -> Endpoints:
    """The extractive baseline, and the models of the endpoints file."""
    from llm import load_endpoints  # its client library takes a second to load

    own = EndpointOut(name=BASELINE, model="extractive baseline", reasoning=False, offline=True)
    models = [
        EndpointOut(name=name, model=endpoint.model, reasoning=endpoint.reasoning, offline=False)
        for name, endpoint in load_endpoints(settings).items()
    ]
    return Endpoints(items=[own, *models])
