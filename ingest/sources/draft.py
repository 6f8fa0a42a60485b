"""What a reader hands over before the document is complete."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.models import Block, BlockKind


@dataclass(frozen=True)
class Raw:
    """A paragraph as the reader found it.

    `level` is that of a heading marked as one (0: not marked); `kind` is what the markup says it is,
    where it says so.
    """

    text: str
    level: int = 0
    page: int | None = None
    kind: BlockKind | None = None


@dataclass
class Draft:
    """A document without its source and hash."""

    title: str = ""
    authors: tuple[str, ...] = ()
    doi: str | None = None
    version: str | None = None
    license: str | None = None
    url: str | None = None
    published: str | None = None
    blocks: list[Block] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
