"""What every record is made of, and a page of a list of them."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict

T = TypeVar("T")


class Record(BaseModel):
    """Base of all records: immutable, and an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Page(BaseModel, Generic[T]):
    """One page of a list; `next` is an opaque cursor, None at the end."""

    items: list[T]
    next: str | None = None
