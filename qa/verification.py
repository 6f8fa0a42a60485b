"""Verification by a model: each hop, then the whole path, then the final question.

A verdict is structured: each criterion yes or no, with a sentence that shows why. What is not on the
form is `unverified`, and never a yes (chemistry paper, sections 3.2 and S7.2.4; QUESTIONS).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field

from domain.packs import DomainPack
from graph.models import Spent
from llm import Reply
from qa.gates import Case, Draft, Finding
from qa.writing.model import about, conversation
from qa.writing.shapes import Asker, charge


class Criterion(BaseModel):
    """One judgement."""

    met: Literal["yes", "no"]
    why: str = Field(min_length=1)


class OneHopVerdict(BaseModel):
    """Of one hop against its passage."""

    factual: Criterion
    single_answer: Criterion
    answerable: Criterion
    of_the_domain: Criterion


class PathVerdict(BaseModel):
    """Of the chain of facts."""

    factual: Criterion
    connected: Criterion
    leads_to_answer: Criterion


class QuestionVerdict(BaseModel):
    """Of the finished question."""

    grammatical: Criterion
    faithful: Criterion
    needs_every_step: Criterion
    single_answer: Criterion


@dataclass(frozen=True)
class Verified:
    """What the verifier says.

    status: "passed"; "refused" (`criterion` is the first not met, `reasons` say why, by hop);
    "unverified" (a reply off the form, or none: never a yes); "error" (may be tried again).
    """

    status: Literal["passed", "refused", "unverified", "error"]
    spent: Spent
    criterion: str = ""
    reasons: tuple[Finding, ...] = ()

    @property
    def detail(self) -> str:
        """All reasons in one line."""
        return "; ".join(str(reason) for reason in self.reasons)


class Verifier:
    """Asks the model behind `client`, which had better not be the one that wrote the question."""

    def __init__(self, client: Asker, pack: DomainPack) -> None:
        self._client = client
        self._prompts = {
            name: pack.prompt(name) for name in ("verify_one_hop", "verify_path", "verify_question")
        }

    @property
    def backend(self) -> str:
        """The endpoint's name."""
        return self._client.endpoint.name

    @property
    def notes(self) -> tuple[str, ...]:
        """Which endpoint and prompts judge, as kept on an accepted question."""
        prompts = [f"prompt {name} {prompt.sha256[:12]}" for name, prompt in self._prompts.items()]
        return (f"verified by {self.backend}", *prompts)

    async def verify(self, case: Case, draft: Draft) -> Verified:
        """Three rounds; a round that does not pass ends it. One hop needs the first round only."""
        verdict = self._judge(await self._hops(case, draft), Spent(), range(1, case.path.hops + 1))
        if verdict.status == "passed" and case.path.hops > 1:
            verdict = self._judge([await self._path(case, draft)], verdict.spent, [None])
        if verdict.status == "passed" and case.path.hops > 1:
            verdict = self._judge([await self._question(case, draft)], verdict.spent, [None])
        return verdict

    @staticmethod
    def _judge(replies: Sequence[Reply[Any]], spent: Spent, hops: Sequence[int | None]) -> Verified:
        for reply in replies:
            spent = charge(spent, reply)
        unmet: list[tuple[str, Finding]] = []
        for reply, hop in zip(replies, hops, strict=True):
            if reply.value is None:
                status: Literal["error", "unverified"] = "error" if reply.outcome == "error" else "unverified"
                said = reply.error or reply.text or reply.outcome
                reason = Finding(f"the verifier gave no verdict: {said}", hop)
                return Verified(status, spent, status, (reason,))
            for name, criterion in reply.value:
                if criterion.met != "yes":
                    unmet.append((name, Finding(f"{name}: {criterion.why}", hop)))
        if unmet:
            return Verified("refused", spent, unmet[0][0], tuple(finding for _, finding in unmet))
        return Verified("passed", spent)

    async def _hops(self, case: Case, draft: Draft) -> list[Reply[OneHopVerdict]]:
        return await asyncio.gather(
            *(
                self._client.ask(
                    conversation(
                        self._prompts["verify_one_hop"].text,
                        {
                            "question": asked.question,
                            "answer": asked.answer,
                            "text": stated.chunk_text,
                            "about_answer": about(subject),
                        },
                    ),
                    OneHopVerdict,
                    name="one_hop_verdict",
                    tag=stated.relation.document_id,
                )
                for asked, stated, subject in zip(draft.one_hops, case.hops, case.nodes, strict=False)
            )
        )

    async def _path(self, case: Case, draft: Draft) -> Reply[PathVerdict]:
        facts = [
            {
                "subject": stated.subject_name,
                "relation": stated.relation.predicate,
                "object": stated.object_name,
                "sentence": stated.sentence,
                "question": asked.question,
                "answer": asked.answer,
            }
            for stated, asked in zip(reversed(case.hops), reversed(draft.one_hops), strict=True)
        ]
        return await self._client.ask(
            conversation(
                self._prompts["verify_path"].text,
                {"facts": facts, "question": draft.text, "answer": draft.answer},
            ),
            PathVerdict,
            name="path_verdict",
            tag=case.hops[0].relation.document_id,
        )

    async def _question(self, case: Case, draft: Draft) -> Reply[QuestionVerdict]:
        steps = [{"question": each.question, "answer": each.answer} for each in reversed(draft.one_hops)]
        return await self._client.ask(
            conversation(
                self._prompts["verify_question"].text,
                {"question": draft.text, "answer": draft.answer, "steps": steps},
            ),
            QuestionVerdict,
            name="question_verdict",
            tag=case.hops[0].relation.document_id,
        )
