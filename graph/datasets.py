"""Imported data sets in the graph: the set, its questions and the sentences they came with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graph.connection import Call, Connection
from graph.models import ContextSentence, ImportedQuestion
from graph.questions import question_properties
from graph.reasoning import ReasoningRepository, caption, filled


class DatasetsRepository:
    """Reads and writes imported data sets."""

    def __init__(self, connection: Connection, reasoning: ReasoningRepository) -> None:
        self._connection, self._reasoning = connection, reasoning

    async def merge(self, name: str, properties: Mapping[str, Any]) -> None:
        """Write what is known of a data set."""
        await self._connection.write("reasoning/datasets.merge", name=name, properties=dict(properties))

    async def get(self, name: str) -> dict[str, Any] | None:
        """Properties of one data set: `{name, source_format, choices, source}`."""
        rows = await self._connection.read("reasoning/datasets.get", name=name)
        return dict(rows[0]["dataset"]) if rows else None

    async def store(self, records: Sequence[ImportedQuestion]) -> int:
        """Write questions in one transaction. Returns how many were new or had changed.

        A changed question loses its old graphs, negatives included, and its old context.
        """
        rows = await self._connection.read(
            "reasoning/datasets.contents", ids=[record.positive.id for record in records]
        )
        known = {row["id"]: row["content_sha256"] for row in rows}
        written = [one for one in records if known.get(one.positive.id) != one.content_sha256]
        changed = [one.question.id for one in written if one.positive.id in known]
        batch: list[Call] = []
        if changed:
            graphs = await self._connection.read("reasoning/graphs.of_questions", ids=changed, polarity=None)
            batch.append(("reasoning/graphs.remove", {"ids": [row["id"] for row in graphs]}))
            batch.append(("reasoning/datasets.drop_context", {"ids": changed}))
        batch.extend(self._statements(written))
        if batch:
            await self._connection.write_all(batch)
        return len(written)

    def _statements(self, records: Sequence[ImportedQuestion]) -> list[Call]:
        sentences: dict[str, dict[str, Any]] = {}
        context = []
        for record in records:
            for place, sentence in enumerate(record.context):
                properties = sentence.model_dump(mode="json", include={"id", "title", "ordinal", "text"})
                properties |= {
                    "name": caption(sentence.title or sentence.text),
                    "dataset": record.question.dataset,
                }
                sentences[sentence.id] = {"id": sentence.id, "properties": properties}
                context.append(
                    {
                        "question": record.question.id,
                        "sentence": sentence.id,
                        "ordinal": place,
                        "paragraph": sentence.paragraph,
                        "supporting": sentence.supporting,
                    }
                )
        questions = [
            {"id": one.question.id, "properties": question_properties(one.question)} for one in records
        ]
        contents = [
            {"id": one.positive.id, "properties": {"content_sha256": one.content_sha256}} for one in records
        ]
        return [
            *filled(
                ("questions/merge", questions),
                ("reasoning/datasets.merge_sentences", list(sentences.values())),
                ("reasoning/datasets.merge_context", context),
            ),
            *self._reasoning.statements([record.positive for record in records]),
            *filled(("reasoning/graphs.note", contents)),
        ]

    async def sentences(self, name: str, after: str = "", limit: int = 2000) -> list[ContextSentence]:
        """Sentences of a data set by id from `after` on, without what belongs to a question's context."""
        rows = await self._connection.read(
            "reasoning/datasets.sentences", dataset=name, after=after, limit=limit
        )
        return [ContextSentence(**row) for row in rows]

    # Last in the class: after it, `list` would mean this method.
    async def list(self) -> list[dict[str, Any]]:
        """Properties of all data sets, by name."""
        return [row["dataset"] for row in await self._connection.read("reasoning/datasets.list")]
