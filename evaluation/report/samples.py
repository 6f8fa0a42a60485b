"""Sample questions of a report: the path with its sources, the graph, and what was answered."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, Field

from evaluation.summary import order
from graph.models import AnswerRecord, EvaluationItem, Evidence, OneHop, Outcome, Step
from qa.reasoning.svg import to_svg

MOST = 12  # samples in a report
QUOTED = 600  # characters of a sentence or paragraph that are shown


class Hop(BaseModel):
    """One step towards the answer and where it is stated. Empty where the source does not say."""

    sub_question: str = ""
    sub_answer: str = ""
    subject: str = ""
    predicate: str = ""
    object: str = ""
    sentence: str = ""
    source: str = ""
    doi: str = ""
    page: int | None = None


class SampleAnswer(BaseModel):
    """What one endpoint answered under one condition."""

    endpoint: str
    condition: str
    text: str
    status: Outcome
    f1: float
    perturbation: str | None


class Sample(BaseModel):
    """One question with all that belongs to it; hops go from the named entity to the answer."""

    id: str
    text: str
    answer: str
    dataset: str
    source_format: str
    hops: int
    graph_type: str
    path: list[Hop]
    answers: list[SampleAnswer]
    svg: str = Field(default="", exclude=True)


def choose(groups: Sequence[Sequence[EvaluationItem]], most: int = MOST) -> list[EvaluationItem]:
    """Items of all groups in turn, own questions first, until there are enough.

    Args:
        groups: items of one data set, type and number of hops each.
        most: how many are wanted.
    """
    ordered = sorted(
        groups,
        key=lambda group: (
            group[0].question.source_format != "catenane",
            group[0].question.hops,
            group[0].question.graph_type,
            group[0].question.dataset,
        ),
    )
    turns = itertools.zip_longest(*ordered)
    picked = [item for turn in turns for item in turn if item is not None][:most]
    place = {id(item): rank for rank, group in enumerate(ordered) for item in group}
    return sorted(picked, key=lambda item: place[id(item)])


def make_sample(
    item: EvaluationItem, answers: Sequence[AnswerRecord], relations: Mapping[str, Evidence]
) -> Sample:
    """The sample of a question with its answers (of the first epoch)."""
    question = item.question
    steps = list(item.positive.steps) if item.positive else []
    if question.one_hops:
        path = [_own(hop, relations.get(hop.relation_id)) for hop in reversed(question.one_hops)]
    else:
        path = [_imported(step) for step in steps]
    return Sample(
        id=question.id,
        text=question.text,
        answer=question.answer,
        dataset=question.dataset,
        source_format=question.source_format,
        hops=question.hops,
        graph_type=question.graph_type,
        path=path,
        answers=[
            SampleAnswer(
                endpoint=answer.endpoint,
                condition=answer.condition,
                text=answer.text,
                status=answer.status,
                f1=answer.f1,
                perturbation=answer.perturbation,
            )
            for answer in sorted(answers, key=lambda each: order((each.endpoint, each.condition)))
            if answer.epoch == 1
        ],
        svg=to_svg(item.positive, with_answers=True) if item.positive else "",
    )


def _own(hop: OneHop, evidence: Evidence | None) -> Hop:
    if evidence is None:
        return Hop(sub_question=hop.question, sub_answer=hop.answer)
    return Hop(
        sub_question=hop.question,
        sub_answer=hop.answer,
        subject=evidence.subject_name,
        predicate=evidence.relation.predicate,
        object=evidence.object_name,
        sentence=_quoted(evidence.sentence),
        source=evidence.document_title,
        doi=evidence.document_doi or "",
        page=evidence.page,
    )


def _imported(step: Step) -> Hop:
    return Hop(
        sub_question=step.sub_question or "",
        sub_answer=step.sub_answer or "",
        sentence=_quoted(step.text),
        source=step.title,
    )


def _quoted(text: str) -> str:
    return text if len(text) <= QUOTED else f"{text[:QUOTED].rsplit(maxsplit=1)[0]} …"
