"""Documents and what they say: stored, replaced, attached to corpora, removed.

Everything one document says is written in one transaction, in place of what it said before. What
other documents support stays; ids do not change; a question whose path rests on a relation that
went is withdrawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from errors import InputError, NotFoundError
from graph import rows
from graph.connection import Connection, Transaction
from graph.models import ChunkRecord, DocumentBundle, DocumentRecord, Page

Edge = tuple[str, str, str]  # relation id, subject id, object id


class DocumentsRepository:
    """Reads and writes (:Document) and all that hangs on it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    # ------------------------------------------------------------ reading

    async def get(self, document_id: str) -> DocumentRecord | None:
        """One document, None where it is not there."""
        found = await self._connection.read("ingest/documents.get", id=document_id)
        return rows.document(found[0]["document"]) if found else None

    async def fingerprints(self, ids: Sequence[str]) -> dict[str, str]:
        """Fingerprint by id, of those documents that are there."""
        found = await self._connection.read("ingest/documents.fingerprints", ids=list(ids))
        return {row["id"]: row["fingerprint"] for row in found}

    async def at_source(self, corpus: str, source: str) -> list[str]:
        """Ids of a corpus' documents that were read from this path or address."""
        found = await self._connection.read("ingest/documents.at_source", corpus=corpus, source=source)
        return [row["id"] for row in found]

    async def corpora_of(self, document_id: str) -> list[str]:
        """Names of the corpora a document is in, sorted."""
        found = await self._connection.read("ingest/documents.corpora", id=document_id)
        return [row["name"] for row in found]

    async def chunks(self, document_id: str) -> list[ChunkRecord]:
        """The chunks of a document in reading order."""
        found = await self._connection.read("ingest/documents.chunks", id=document_id)
        return [rows.chunk(row["chunk"], row["document_id"]) for row in found]

    # ------------------------------------------------------------ writing

    async def store(self, bundle: DocumentBundle) -> None:
        """Write all a document says, in place of what it said before, in one transaction.

        The document is added to `bundle.corpus` and stays in the corpora it was in. Of several
        relations with one id (another place in the chunk, another extractor) all are kept as
        sightings of one edge. Entities' aliases are taken from `bundle.aliases` alone.

        Raises InputError where the bundle does not hang together.
        """
        _check(bundle)
        document = bundle.document

        async def work(transaction: Transaction) -> None:
            await transaction.run(
                "ingest/documents.merge",
                id=document.id,
                properties=rows.document_properties(document),
                corpus=bundle.corpus,
            )
            corpora = [
                row["name"] for row in await transaction.run("ingest/documents.corpora", id=document.id)
            ]
            edges, entities = await _said(transaction, document.id)
            new_edges = {(each.id, each.subject_id, each.object_id) for each in bundle.relations}
            new_entities = {each.id for each in bundle.entities}
            gone = edges - new_edges

            await _take_back(
                transaction, document.id, gone, sorted(entities), [each.id for each in bundle.chunks]
            )
            await _write(transaction, bundle, corpora)
            await _prune(transaction, entities | new_entities, may_go=entities - new_entities)
            await _withdraw(transaction, {edge[0] for edge in gone} - {edge[0] for edge in new_edges})

        await self._connection.transact(f"storing {document.id}", work)

    async def attach(self, corpus: str, document_id: str) -> None:
        """Put a document that is there in one more corpus. Raises NotFoundError."""

        async def work(transaction: Transaction) -> bool:
            found = await transaction.run("ingest/documents.attach", id=document_id, corpus=corpus)
            if found:
                await _mark(transaction, document_id)
            return bool(found)

        if not await self._connection.transact(f"attaching {document_id}", work):
            raise NotFoundError(f"There is no document {document_id!r}.")

    async def delete(self, document_id: str, corpus: str | None = None) -> bool:
        """Remove a document and what only it supported; with `corpus`, take it out of that one first.

        A document that is in another corpus as well only leaves the one named.

        Returns: whether it was there (in that corpus).
        """

        async def work(transaction: Transaction) -> bool:
            if not await transaction.run("ingest/documents.claim", id=document_id):
                return False
            if corpus is not None:
                names = [
                    row["name"] for row in await transaction.run("ingest/documents.corpora", id=document_id)
                ]
                if corpus not in names:
                    return False
                if len(names) > 1:
                    await transaction.run("ingest/documents.detach", id=document_id, corpus=corpus)
                    await _mark(transaction, document_id)
                    return True
            edges, entities = await _said(transaction, document_id)
            await _take_back(transaction, document_id, edges, sorted(entities), [])
            await transaction.run("ingest/documents.remove", id=document_id)
            await _prune(transaction, entities, may_go=entities)
            await _withdraw(transaction, {edge[0] for edge in edges})
            return True

        return await self._connection.transact(f"deleting {document_id}", work)

    # Last in the class: after it, `list` would mean this method.
    async def list(
        self, corpus: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[DocumentRecord]:
        """Documents by name: all, or a page of at most `limit`. Raises InputError on a broken cursor."""
        name, identifier = rows.place(cursor, 2)
        statement, most = rows.listing("ingest/documents.list", "ingest/documents.page", limit)
        found = await self._connection.read(
            statement, corpus=corpus, after_name=name, after_id=identifier, **most
        )
        items = [rows.document(row["document"]) for row in found[:limit]]
        more = limit is not None and len(found) > limit
        return Page(items=items, next=rows.cursor(items[-1].name, items[-1].id) if more else None)


# ---------------------------------------------------------------- steps of a transaction


def _check(bundle: DocumentBundle) -> None:
    """Raise InputError where something refers to what the bundle does not hold."""
    chunks = {each.id for each in bundle.chunks}
    entities = {each.id for each in bundle.entities}
    used_chunks = {each.chunk_id for each in bundle.mentions} | {each.chunk_id for each in bundle.relations}
    used_entities = (
        {each.entity_id for each in bundle.aliases}
        | {each.entity_id for each in bundle.mentions}
        | {end for each in bundle.relations for end in (each.subject_id, each.object_id)}
    )
    documents = {each.document_id for each in bundle.chunks} | {each.document_id for each in bundle.relations}
    for what, missing in (
        ("chunks", used_chunks - chunks),
        ("entities", used_entities - entities),
        ("documents", documents - {bundle.document.id}),
    ):
        if missing:
            some = ", ".join(sorted(missing)[:3])
            raise InputError(f"{bundle.document.source}: refers to {what} it does not hold: {some}")


async def _said(transaction: Transaction, document_id: str) -> tuple[set[Edge], set[str]]:
    """The relations a document states, and the entities it mentions or relates."""
    found = await transaction.run("ingest/statements_of.relations", id=document_id)
    edges = {(row["id"], row["subject"], row["object"]) for row in found}
    mentioned = await transaction.run("ingest/statements_of.entities", id=document_id)
    return edges, {row["id"] for row in mentioned} | {end for edge in edges for end in edge[1:]}


async def _take_back(
    transaction: Transaction, document_id: str, gone: set[Edge], entities: Sequence[str], keep: Sequence[str]
) -> None:
    """Remove a document's mentions and support of names, the relations `gone`, the chunks not in `keep`."""
    if entities:
        await transaction.run("ingest/statements_of.claim", ids=list(entities))
        await transaction.run("ingest/statements_of.drop_names", ids=list(entities), document=document_id)
    if gone:
        await transaction.run("ingest/statements_of.drop_relations", ids=sorted({edge[0] for edge in gone}))
    await transaction.run("ingest/statements_of.drop_mentions", id=document_id)
    await transaction.run("ingest/statements_of.drop_chunks", id=document_id, keep=list(keep))


async def _write(transaction: Transaction, bundle: DocumentBundle, corpora: Sequence[str]) -> None:
    """Write the parts of a bundle, each kind sorted by id."""
    document_id = bundle.document.id
    chunks = {each.id: each for each in bundle.chunks}
    entities = {each.id: each for each in bundle.entities}
    aliases = {(row["id"], row["entity"]): row for row in map(rows.alias_row, bundle.aliases)}
    mentions = sorted(
        set(bundle.mentions), key=lambda m: (m.entity_id, m.chunk_id, m.start, m.end, m.recogniser)
    )
    hashes = {each.id: each.content_sha256 for each in bundle.chunks}

    await transaction.run(
        "ingest/write.chunks",
        document=document_id,
        rows=[rows.chunk_row(chunks[key]) for key in sorted(chunks)],
    )
    if not entities:
        return
    ids = sorted(entities)
    await transaction.run("ingest/write.entities", rows=[rows.entity_row(entities[key]) for key in ids])
    await transaction.run("ingest/write.variants", ids=ids)
    await transaction.run("ingest/write.variants_of", ids=ids)
    await transaction.run(
        "ingest/write.aliases", document=document_id, rows=[aliases[key] for key in sorted(aliases)]
    )
    await transaction.run("ingest/write.mentions", rows=[rows.mention_row(each) for each in mentions])
    await transaction.run(
        "ingest/write.relations", rows=rows.relation_rows(bundle.relations, hashes, corpora)
    )


async def _prune(transaction: Transaction, entities: set[str], may_go: set[str]) -> None:
    """Remove names without support, and entities nothing uses any more."""
    freed = await transaction.run("ingest/statements_of.prune_names", ids=sorted(entities))
    if may_go:
        await transaction.run("ingest/statements_of.prune_entities", ids=sorted(may_go))
    if freed:
        aliases = sorted({row["alias"] for row in freed})
        await transaction.run("ingest/statements_of.prune_aliases", ids=aliases)


async def _withdraw(transaction: Transaction, relations: set[str]) -> None:
    if relations:
        await transaction.run("ingest/statements_of.withdraw_questions", ids=sorted(relations))


async def _mark(transaction: Transaction, document_id: str) -> None:
    corpora = [row["name"] for row in await transaction.run("ingest/documents.corpora", id=document_id)]
    await transaction.run("ingest/documents.mark", id=document_id, corpora=corpora)
