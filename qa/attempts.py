"""One attempt at a question: gate the path, write, gate the text, verify, once more if need be.

An attempt always ends as an entry for the ledger: accepted with its positive reasoning graph, rejected
with stage, reason and detail, or failed, which may be tried again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from domain.ids import stable_id
from graph.models import QuestionRecord, ReasoningGraph, Rejection, Spent
from graph.questions import Attempt, rejection_id
from qa.gates import Case, Draft, Finding, Refusal, Rules, Taken, check_path, check_text
from qa.verification import Verified, Verifier
from qa.writing import Writer, Written, positive_graph


@dataclass(frozen=True)
class Result:
    """An attempt with its case, and the positive graph of an accepted question."""

    attempt: Attempt
    case: Case
    graph: ReasoningGraph | None = None


class Maker:
    """Attempts questions of one set. `taken` is what the set asks already; `add` tells it of one more."""

    def __init__(
        self, name: str, corpus: str | None, rules: Rules, writer: Writer, verifier: Verifier | None
    ) -> None:
        self.name, self.corpus, self.rules = name, corpus, rules
        self.writer, self.verifier = writer, verifier
        self.taken = Taken()

    async def attempt(self, case: Case) -> Result:
        """One attempt, from the first gate to its end."""
        started = time.perf_counter()
        if (refusal := check_path(case, self.rules, self.taken)) is not None:
            result = self._refused(case, "gate", refusal.gate, refusal.detail, Spent())
        else:
            result = await self._written(case)
        spent = result.attempt.spent.model_copy(update={"seconds": time.perf_counter() - started})
        return replace(result, attempt=replace(result.attempt, spent=spent))

    def settle(self, result: Result) -> Result:
        """Take an accepted question into the set; refuse it where one written beside it asks the same."""
        question = result.attempt.question
        if question is None:
            return result
        if self.taken.holds(result.case, question.text):
            detail = f"the set already asks: {question.text}"
            return self._refused(result.case, "gate", "duplicate", detail, result.attempt.spent)
        self.taken.add(result.case, question.text)
        return result

    async def _written(self, case: Case) -> Result:
        """Write, gate, verify; where that fails, once more with the reasons, if the writer can."""
        written = await self.writer.write(case)
        spent = written.spent
        for last in (False, True):
            if written.draft is None:
                return self._without_draft(case, written, spent)
            draft = written.draft
            refusal = check_text(case, draft, self.taken)
            verdict: Verified | None = None
            if refusal is None and self.verifier is not None:
                verdict = await self.verifier.verify(case, draft)
                spent = total(spent, verdict.spent)
            if refusal is None and (verdict is None or verdict.status == "passed"):
                return self._accepted(case, draft, spent)
            reasons = _reasons(refusal, verdict)
            again = None if last or not reasons else await self.writer.rewrite(case, draft, reasons)
            if again is None:
                return self._turned_down(case, draft, refusal, verdict, spent)
            written, spent = again, total(spent, again.spent)
        raise AssertionError("the second round always returns")

    # ------------------------------------------------------------ ends of an attempt

    def _accepted(self, case: Case, draft: Draft, spent: Spent) -> Result:
        question_id = stable_id("qst", self.name, case.path.id)
        graph = positive_graph(case, draft, question_id)
        notes = (*draft.notes, *(self.verifier.notes if self.verifier else ()))
        if case.shortcuts or case.together:
            notes = (*notes, "a shortcut was allowed")
        question = QuestionRecord(
            id=question_id,
            name=f"{case.path.hops}-hop {draft.answer}",
            text=draft.text,
            answer=draft.answer,
            aliases=tuple(alias for alias in case.nodes[0].aliases if alias != draft.answer),
            dataset=self.name,
            source_format="catenane",
            corpus=self.corpus,
            hops=case.path.hops,
            graph_type=graph.graph_type,
            status="accepted",
            path_id=case.path.id,
            answer_entity_id=case.nodes[0].id,
            one_hops=draft.one_hops,
            shortcuts=case.shortcuts,
            backend=self.writer.backend,
            notes=notes,
        )
        return Result(self._entry(case, spent, question=question), case, graph)

    def _refused(
        self, case: Case, stage: str, reason: str, detail: str, spent: Spent, *, failed: bool = False
    ) -> Result:
        rejection = Rejection(
            id=rejection_id(self.name, case.path.id),
            dataset=self.name,
            stage=stage,
            reason=reason,
            detail=detail,
            path_id=case.path.id,
            cost=spent.cost,
            hops=case.path.hops,
            failed=failed,
        )
        return Result(self._entry(case, spent, rejection=rejection), case)

    def _without_draft(self, case: Case, written: Written, spent: Spent) -> Result:
        broken = written.broken
        outcome, detail = (broken.outcome, broken.detail) if broken else ("error", "no draft came")
        return self._refused(case, "writing", outcome, detail, spent, failed=outcome == "error")

    def _turned_down(
        self, case: Case, draft: Draft, refusal: Refusal | None, verdict: Verified | None, spent: Spent
    ) -> Result:
        if refusal is not None:
            return self._refused(case, "gate", refusal.gate, refusal.detail, spent)
        assert verdict is not None
        detail = f"{verdict.detail} [{draft.text}]"
        failed = verdict.status == "error"
        return self._refused(case, "verification", verdict.criterion, detail, spent, failed=failed)

    def _entry(
        self,
        case: Case,
        spent: Spent,
        *,
        question: QuestionRecord | None = None,
        rejection: Rejection | None = None,
    ) -> Attempt:
        ends = [entity.name if entity else "?" for entity in (case.entities[0], case.entities[-1])]
        return Attempt(
            path=case.path,
            name=" … ".join(ends),
            lemmas=tuple(each.relation.lemma if each else "" for each in case.evidence),
            spent=spent,
            question=question,
            rejection=rejection,
        )


def _reasons(refusal: Refusal | None, verdict: Verified | None) -> tuple[Finding, ...]:
    """What a second draft has to answer; none where no reason was given."""
    if refusal is not None:
        return (refusal.finding,)
    if verdict is not None and verdict.status == "refused":
        return verdict.reasons
    return ()


def total(a: Spent, b: Spent) -> Spent:
    """Both together."""
    return Spent(**{name: getattr(a, name) + getattr(b, name) for name in Spent.model_fields})
