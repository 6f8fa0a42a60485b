"""What passes between the steps of ingest. Offsets are characters, end exclusive."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

BlockKind = Literal["title", "heading", "abstract", "paragraph", "caption", "reference"]


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Block(Part):
    """A heading or paragraph in reading order, page furniture already gone, formulas as Unicode."""

    kind: BlockKind
    text: str
    level: int = 0  # of a heading, from 1
    page: int | None = None  # from 1


class SourceDocument(Part):
    """A file (or one line of a JSONL file) as read."""

    source: str  # absolute path or address; for JSONL "<path>#<line>"
    format: Literal["pdf", "jats", "html", "markdown", "text", "jsonl"]
    title: str
    authors: tuple[str, ...] = ()
    doi: str | None = None  # without version suffix
    version: str | None = None
    license: str | None = None
    url: str | None = None
    published: str | None = None
    blocks: tuple[Block, ...]
    content_sha256: str
    warnings: tuple[str, ...] = ()


class SourceFailure(Part):
    """An input that cannot be used, and why, in a sentence that tells its owner what to do."""

    source: str
    stage: Literal["read", "introduction", "extract", "store"]
    reason: str


class TextChunk(Part):
    ordinal: int
    text: str  # paragraphs joined by a blank line
    words: int
    page: int | None = None


class Mention(Part):
    """A span of the chunk text that names a chemical entity."""

    start: int
    end: int
    surface: str
    recogniser: str


class Triple(Part):
    """subject -[predicate]-> object, mentions by index; the span of the sentence that states it."""

    subject: int
    predicate: str
    object: int
    start: int
    end: int
    extractor: str


class DocumentOutcome(Part):
    """What became of one input."""

    source: str
    document_id: str | None = None
    status: Literal["added", "replaced", "attached", "unchanged", "failed"]
    chunks: int = 0
    mentions: int = 0
    entities: int = 0
    relations: int = 0
    rejected: dict[str, int] = {}
    failure: SourceFailure | None = None
    warnings: tuple[str, ...] = ()
