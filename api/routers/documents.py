"""/v1/documents and /v1/chunks"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Request, Response, UploadFile
from pydantic import BaseModel

from api.lists import CorpusQuery, CursorQuery, LimitQuery, linked
from api.problems import responses
from api.state import GraphDep, SettingsDep, StoreDep
from api.submitting import ACCEPTED, IdempotencyKey, submit
from api.uploads import keep
from errors import NotFoundError
from graph.models import ChunkRecord, DocumentRecord, Page
from jobs.models import Job

router = APIRouter(tags=["documents"])


class DocumentOut(BaseModel):
    """A document, where it belongs, and what of it was read."""

    document: DocumentRecord
    corpora: list[str]
    chunks: list[ChunkRecord]


@router.post("/v1/documents", **ACCEPTED)
async def ingest_documents(
    response: Response,
    store: StoreDep,
    settings: SettingsDep,
    files: Annotated[list[UploadFile], File(description="PDF, JATS XML, HTML, Markdown, text or JSONL.")],
    corpus: Annotated[str, Form(min_length=1, examples=["mine"])] = "default",
    recogniser: Annotated[str | None, Form(examples=["union"])] = None,
    endpoint: Annotated[str | None, Form(description="Model endpoint, by name.")] = None,
    idempotency_key: IdempotencyKey = None,
) -> Job:
    """Upload papers and ingest them, as a job. One bad file does not stop the others."""
    params = {
        "paths": [str(await keep(file, settings)) for file in files],
        "corpus": corpus,
        "recogniser": recogniser or None,
        "endpoint": endpoint or None,
    }
    return await submit(store, response, "ingest", params, idempotency_key)


@router.get("/v1/documents", responses=responses(503))
async def list_documents(
    graph: GraphDep,
    request: Request,
    response: Response,
    corpus: CorpusQuery = None,
    limit: LimitQuery = 50,
    cursor: CursorQuery = None,
) -> Page[DocumentRecord]:
    """Documents by title."""
    return linked(await graph.documents.list(corpus, limit, cursor), request, response)


@router.get("/v1/documents/{identifier}", responses=responses(404, 503))
async def show_document(identifier: str, graph: GraphDep) -> DocumentOut:
    """One document with its corpora and chunks."""
    document = await graph.documents.get(identifier)
    if document is None:
        raise NotFoundError(f"There is no document {identifier!r}.")
    return DocumentOut(
        document=document,
        corpora=await graph.documents.corpora_of(identifier),
        chunks=await graph.documents.chunks(identifier),
    )


@router.delete("/v1/documents/{identifier}", status_code=204, responses=responses(404, 503))
async def delete_document(identifier: str, graph: GraphDep, corpus: CorpusQuery = None) -> None:
    """Delete a document and what only it supports; with `corpus`, only take it out of that one."""
    if not await graph.documents.delete(identifier, corpus):
        raise NotFoundError(f"There is no document {identifier!r}" + (f" in {corpus!r}." if corpus else "."))


@router.get("/v1/chunks", responses=responses(404, 503), tags=["chunks"])
async def list_chunks(document: str, graph: GraphDep) -> Page[ChunkRecord]:
    """The chunks of a document, in reading order."""
    chunks = await graph.documents.chunks(document)
    if not chunks and await graph.documents.get(document) is None:
        raise NotFoundError(f"There is no document {document!r}.")
    return Page(items=chunks)
