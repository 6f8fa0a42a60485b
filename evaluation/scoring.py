"""From what an answerer gave to a scored answer of a run."""

from __future__ import annotations

from typing import NamedTuple

from domain.ids import stable_id
from evaluation.answering import Answerer, Given
from evaluation.conditions import Context
from evaluation.metrics import ScorerName, chemical_match, is_chemical, scorer_of
from graph.models import AnswerRecord, EvaluationItem, Outcome
from graph.runs import AnswerKey


class Task(NamedTuple):
    """One thing to ask: whose answer it will be, the question, and what comes with it."""

    key: AnswerKey
    item: EvaluationItem
    context: Context


def score(run_id: str, task: Task, answerer: Answerer, given: Given, scorer: ScorerName) -> AnswerRecord:
    """Score one answer.

    An answer is correct by exact match under the scorer, or by chemical match where the set is a
    chemical one. Refused and unparsed score 0; an error is no answer at all.
    """
    key, item, context = task
    question = item.question
    status: Outcome = "wrong"
    em = f1 = 0.0
    chemical: bool | None = None
    if given.outcome == "ok":
        em, f1, _, _ = scorer_of(question, scorer)(given.text, question)
        chemical = chemical_match(given.text, question)
        if em == 1.0 or chemical:
            status = "correct"
    else:
        status = given.outcome
        if is_chemical(question) and status != "error":
            chemical = False
    return AnswerRecord(
        id=stable_id("ans", run_id, *key),
        run_id=run_id,
        question_id=question.id,
        condition=key.condition,
        endpoint=key.endpoint,
        model=answerer.model,
        epoch=key.epoch,
        text=given.text,
        raw=given.raw,
        status=status,
        em=em,
        f1=f1,
        chemical_match=chemical,
        latency_s=given.latency_s,
        tokens_in=given.usage.tokens_in,
        tokens_cached=given.usage.tokens_cached,
        tokens_out=given.usage.tokens_out,
        tokens_reasoning=given.usage.tokens_reasoning,
        cost=given.cost,
        error=given.error,
        prompt_sha256=given.prompt_sha256,
        graph_id=context.graph_id,
        perturbation=context.perturbation,
        dataset=question.dataset,
        hops=question.hops,
        graph_type=question.graph_type,
        cluster=item.cluster,
    )
