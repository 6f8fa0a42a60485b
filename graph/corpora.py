"""Corpora: named sets of documents. A document may be in several."""

from __future__ import annotations

from typing import Any

from errors import InputError, NotFoundError
from graph.connection import Connection
from graph.documents import DocumentsRepository


class CorporaRepository:
    """Reads and writes (:Corpus)."""

    def __init__(self, connection: Connection, documents: DocumentsRepository) -> None:
        self._connection, self._documents = connection, documents

    async def ensure(self, name: str) -> None:
        """Make a corpus where it is missing. Raises InputError on an empty name."""
        if not name.strip():
            raise InputError("A corpus needs a name.")
        await self._connection.write("ingest/corpora.ensure", name=name)

    async def require(self, name: str | None) -> None:
        """Raise NotFoundError, listing those there are, where no corpus has this name; None means all."""
        names = [corpus["name"] for corpus in await self.list()] if name is not None else []
        if name is not None and name not in names:
            known = ", ".join(names) or "none yet: ingest makes them"
            raise NotFoundError(f"There is no corpus {name!r} (there is {known}).")

    async def delete(self, name: str) -> int:
        """Take all documents out of a corpus, remove those in no other, and the corpus.

        Each document goes in a transaction of its own; broken off, it can be called again.

        Returns: how many documents were in it. Raises NotFoundError.
        """
        await self.require(name)
        rows = await self._connection.read("ingest/corpora.documents", name=name)
        for row in rows:
            await self._documents.delete(row["id"], corpus=name)
        await self._connection.write("ingest/corpora.remove", name=name)
        return len(rows)

    # Last in the class: after it, `list` would mean this method.
    async def list(self) -> list[dict[str, Any]]:
        """All corpora by name: `{name, documents, chunks}`."""
        return await self._connection.read("ingest/corpora.list")
