"""/v1/corpora"""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from api.problems import responses
from api.state import GraphDep

router = APIRouter(prefix="/v1/corpora", tags=["corpora"])


class CorpusOut(BaseModel):
    """A named set of documents."""

    name: str
    documents: int
    chunks: int = 0


class Corpora(BaseModel):
    """All corpora; there are few, so they come in one page."""

    items: list[CorpusOut]
    next: str | None = None


@router.get("", responses=responses(503))
async def list_corpora(graph: GraphDep) -> Corpora:
    """All corpora, by name."""
    return Corpora(items=[CorpusOut(**row) for row in await graph.corpora.list()])


@router.delete("/{name}", responses=responses(404, 503))
async def delete_corpus(name: str, graph: GraphDep) -> CorpusOut:
    """Delete a corpus, with the documents that are in no other, and what only they support."""
    return CorpusOut(name=name, documents=await graph.corpora.delete(name))
