"""Questions written by a model: one call for each hop, one that joins them.

The instructions are the pack's prompt files and stand in the system message; what the paper says
goes into the user message as JSON, so that no text of a paper is ever part of the instructions.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, Field

from domain.packs import DomainPack
from graph.models import EntityRecord, OneHop, Spent
from llm import Message, Reply
from qa.gates import Case, Draft, Finding
from qa.gates.case import names
from qa.writing.shapes import Asker, Written, broken, charge

T = TypeVar("T", bound=BaseModel)


class OneHopReply(BaseModel):
    """A one-hop question as the model returns it."""

    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    descriptor: str = ""  # added from text or metadata, where the relation alone is not specific


class MultiHopReply(BaseModel):
    """The joined question as the model returns it."""

    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)


def about(entity: EntityRecord) -> dict[str, Any]:
    """What the graph knows of an entity, without its names."""
    return entity.model_dump(include={"kind", "formula", "weight", "description"}, exclude_none=True)


def conversation(
    instructions: str, payload: object, *, former: object = None, reasons: Sequence[str] = ()
) -> list[Message]:
    """The messages of one request; with `reasons`, of the round that answers them."""
    messages: list[Message] = [
        {"role": "system", "content": instructions},
        {"role": "user", "content": json.dumps(payload, ensure_ascii=False)},
    ]
    if reasons:
        listed = "\n".join(f"- {reason}" for reason in reasons)
        messages += [
            {"role": "assistant", "content": json.dumps(former, ensure_ascii=False)},
            {
                "role": "user",
                "content": f"That question was refused:\n{listed}\n"
                "Write it again so that none of this holds.",
            },
        ]
    return messages


class ModelWriter:
    """Writes with the model behind `client`."""

    def __init__(self, client: Asker, pack: DomainPack) -> None:
        self._client = client
        self._one_hop, self._multi_hop = pack.prompt("write_one_hop"), pack.prompt("write_multi_hop")
        self._notes = (
            f"prompt write_one_hop {self._one_hop.sha256[:12]}",
            f"prompt write_multi_hop {self._multi_hop.sha256[:12]}",
        )

    @property
    def backend(self) -> str:
        """The endpoint's name."""
        return self._client.endpoint.name

    async def write(self, case: Case) -> Written:
        """A draft, or why there is none. The hops are asked for at the same time."""
        return await self._write(case, None, ())

    async def rewrite(self, case: Case, draft: Draft, reasons: Sequence[Finding]) -> Written:
        """A second draft. Only the hops that a reason names are written anew, then all are joined again."""
        return await self._write(case, draft, reasons)

    async def _write(self, case: Case, former: Draft | None, reasons: Sequence[Finding]) -> Written:
        faults: dict[int | None, list[str]] = {}
        for reason in reasons:
            faults.setdefault(reason.hop, []).append(reason.detail)
        asked = [
            hop
            for hop in range(1, case.path.hops + 1)
            # a single hop is the whole question, so whatever is wrong is wrong with it
            if former is None or hop in faults or case.path.hops == 1
        ]
        spent = Spent()
        whole = faults.get(None, [])
        replies = await asyncio.gather(
            *(
                self._ask_hop(case, hop, former, faults.get(hop, []) + (whole if case.path.hops == 1 else []))
                for hop in asked
            )
        )
        for reply in replies:
            spent = charge(spent, reply)
        one_hops = list(former.one_hops) if former else []
        notes = list(self._notes)
        for hop, reply in zip(asked, replies, strict=True):
            if reply.value is None:
                return Written(None, spent, broken(reply, f"hop {hop}"))
            one_hop = OneHop(
                question=reply.value.question.strip(),
                answer=reply.value.answer.strip(),
                relation_id=case.path.relation_ids[hop - 1],
            )
            if former is None:
                one_hops.append(one_hop)
            else:
                one_hops[hop - 1] = one_hop
            if reply.value.descriptor:
                notes.append(f"hop {hop} descriptor: {reply.value.descriptor}")
        if case.path.hops == 1:
            only = one_hops[0]
            return Written(Draft(only.question, only.answer, (only,), tuple(notes)), spent)
        joined = await self._join(case, one_hops, former, whole)
        spent = charge(spent, joined)
        if joined.value is None:
            return Written(None, spent, broken(joined, "joining"))
        text, answer = joined.value.question.strip(), joined.value.answer.strip()
        return Written(Draft(text, answer, tuple(one_hops), tuple(notes)), spent)

    async def _ask_hop(
        self, case: Case, hop: int, former: Draft | None, reasons: Sequence[str]
    ) -> Reply[OneHopReply]:
        stated, subject, obj = case.hops[hop - 1], case.nodes[hop - 1], case.nodes[hop]
        payload = {
            "answer": subject.name,
            "relation": stated.relation.predicate,
            "object": obj.name,
            "sentence": stated.sentence,
            "text": stated.chunk_text,
            "about_answer": about(subject),
        }
        before = former.one_hops[hop - 1].model_dump(include={"question", "answer"}) if former else None
        return await self._client.ask(
            conversation(self._one_hop.text, payload, former=before, reasons=reasons),
            OneHopReply,
            name="one_hop_question",
            tag=stated.relation.document_id,
        )

    async def _join(
        self, case: Case, one_hops: Sequence[OneHop], former: Draft | None, reasons: Sequence[str]
    ) -> Reply[MultiHopReply]:
        payload = {
            "questions": [{"question": each.question, "answer": each.answer} for each in one_hops],
            "start": case.nodes[-1].name,
            "answer": case.nodes[0].name,
            "never_write": [name for entity in case.nodes[:-1] for name in names(entity)],
        }
        before = {"question": former.text, "answer": former.answer} if former else None
        return await self._client.ask(
            conversation(self._multi_hop.text, payload, former=before, reasons=reasons),
            MultiHopReply,
            name="multi_hop_question",
            tag=case.hops[0].relation.document_id,
        )
