"""Relations and facts as the command line and the API show them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pydantic import BaseModel, Field

from graph.models import Evidence


class EvidenceOut(BaseModel):
    """One place that states a relation: `text` is the sentence, `start` to `end` of the chunk."""

    relation: str
    document: str
    title: str
    doi: str | None
    chunk: str
    page: int | None
    start: int
    end: int
    text: str
    extractor: str
    model: str | None
    prompt_sha256: str | None
    at: datetime | None

    @classmethod
    def of(cls, item: Evidence) -> EvidenceOut:
        """The row of one piece of evidence."""
        relation = item.relation
        return cls(
            relation=relation.id,
            document=relation.document_id,
            title=item.document_title,
            doi=item.document_doi,
            chunk=relation.chunk_id,
            page=item.page,
            start=relation.start,
            end=relation.end,
            text=item.sentence,
            extractor=relation.extractor,
            model=relation.model,
            prompt_sha256=relation.prompt_sha256,
            at=relation.at,
        )


class RelationOut(BaseModel):
    """A relation with its ends and the place that states it."""

    id: str
    subject: str
    subject_id: str
    predicate: str
    lemma: str
    object: str
    object_id: str
    evidence: EvidenceOut

    @classmethod
    def of(cls, item: Evidence) -> RelationOut:
        """The row of one relation."""
        return cls(
            id=item.relation.id,
            subject=item.subject_name,
            subject_id=item.relation.subject_id,
            predicate=item.relation.predicate,
            lemma=item.relation.lemma,
            object=item.object_name,
            object_id=item.relation.object_id,
            evidence=EvidenceOut.of(item),
        )


class Fact(BaseModel):
    """A distinct (subject, predicate, object), with one row of evidence for each place and extractor."""

    subject: str
    predicate: str
    object: str
    evidence: list[EvidenceOut] = Field(default_factory=list)


def facts(evidence: Iterable[Evidence]) -> list[Fact]:
    """Evidence grouped by fact, in the order of first appearance; predicates compared by lemma."""
    grouped: dict[tuple[str, str, str], Fact] = {}
    for item in evidence:
        relation = item.relation
        fact = grouped.setdefault(
            (relation.subject_id, relation.lemma, relation.object_id),
            Fact(subject=item.subject_name, predicate=relation.predicate, object=item.object_name),
        )
        fact.evidence.append(EvidenceOut.of(item))
    return list(grouped.values())
