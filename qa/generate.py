"""Making a set of questions from the graph: sample, gate, write, verify, and keep the ledger.

Every attempt ends as accepted, rejected (stage, reason, detail) or failed, which may be tried again.
A set is filled up to the number asked for; what was tried before is not tried again, so that a second
run of the same thing adds nothing, and a run that was broken off goes on.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from domain.packs import DomainPack
from domain.progress import Progress, silent
from errors import ConflictError, InputError
from graph.models import QuestionRecord, Spent
from graph.questions import Ledger
from graph.store import Graph
from qa.attempts import Maker, Result, total
from qa.gates import Case, Rules, load_cases
from qa.sampling import PathStream, Quota, SampleOptions
from qa.verification import Verifier
from qa.writing import Asker, TemplateWriter
from qa.writing.model import ModelWriter

BATCH = 128  # paths read and gated together
AT_ONCE = 16  # questions a model writes at the same time


@dataclass(frozen=True)
class GenerateReport:
    """A set after a run. Counts are of what is in the set for the hops asked for, but for `added`.

    rejected: by reason. shortfall: for each number of hops that fell short, how many are missing and
    why: `no_more_paths`, `bounded`, `max_per_answer`, `hub_cap`.
    """

    name: str
    backend: str
    accepted: int
    rejected: dict[str, int]
    failed: int
    questions: tuple[QuestionRecord, ...]
    by_hops: dict[int, int]
    by_structure: dict[str, int]
    added: int
    attempts: int  # of this run
    shortfall: dict[int, dict[str, int]]
    spent: Spent  # of this run

    @property
    def says(self) -> str:
        """One line for a person."""
        if not self.attempts:
            return f"{self.name} already holds its {self.accepted} questions: nothing to add."
        missing = sum(sum(reasons.values()) for reasons in self.shortfall.values())
        short = f", {missing} fewer than asked for" if missing else ""
        return f"{self.name}: {self.added} questions added, {self.accepted} accepted in all{short}."

    def to_json(self) -> dict[str, Any]:
        """The document of `questions generate`."""
        return {
            "name": self.name,
            "backend": self.backend,
            "accepted": self.accepted,
            "rejected": self.rejected,
            "failed": self.failed,
            "by_hops": {str(hops): count for hops, count in self.by_hops.items()},
            "by_structure": self.by_structure,
            "added": self.added,
            "attempts": self.attempts,
            "shortfall": {str(hops): reasons for hops, reasons in self.shortfall.items()},
            "spent": self.spent.model_dump(),
            "questions": [
                {
                    "id": each.id,
                    "text": each.text,
                    "answer": each.answer,
                    "hops": each.hops,
                    "graph_type": each.graph_type,
                    "one_hops": [hop.model_dump() for hop in each.one_hops],
                }
                for each in self.questions
            ],
        }


async def generate_questions(
    graph: Graph,
    *,
    name: str,
    hops: Sequence[int],
    count: int,
    seed: int,
    corpus: str | None = None,
    pack: DomainPack,
    writer: Asker | None = None,
    verifier: Asker | None = None,
    options: SampleOptions | None = None,
    allow_shortcuts: bool = False,
    progress: Progress = silent,
) -> GenerateReport:
    """Fill the set `name` up to `count` accepted questions for each number of hops.

    Without a `writer` the questions come from templates and the gates alone decide. With one, its
    questions are verified by `verifier`, or by the writer's own model where there is no other, which
    is noted on each question. The caps of `options` hold for the set as a whole.

    Raises InputError for numbers that make no sense, ModelError where an endpoint cannot be used; what
    was stored until then stays, and the next run goes on from there.
    """
    wanted = list(dict.fromkeys(hops))
    if count < 0 or not wanted:
        raise InputError("Say how many questions, and for which numbers of hops.")
    if not name.strip():
        raise InputError("A question set needs a name.")
    if (imported := await graph.datasets.get(name)) is not None:
        raise ConflictError(
            f"{name} is an imported data set ({imported['source_format']}); name the set otherwise."
        )
    options = options or SampleOptions()
    judge = verifier or writer
    maker = Maker(
        name,
        corpus,
        Rules(pack, allow_shortcuts),
        TemplateWriter(pack) if writer is None else ModelWriter(writer, pack),
        None if judge is None else Verifier(judge, pack),
    )
    ledger = await graph.questions.ledger(name)
    filling = _Filling(graph, maker, ledger, options=options, count=count, progress=progress)
    shortfall: dict[int, dict[str, int]] = {}
    for place, number in enumerate(wanted):
        stream = PathStream(graph, number, seed, corpus, options)
        if missing := await filling.fill(stream, place * count, count * len(wanted)):
            shortfall[number] = missing
    progress(count * len(wanted), count * len(wanted), f"{filling.added} questions added")
    return await _report(graph, filling, wanted, shortfall)


class _Filling:
    """Brings one number of hops after the other up to its count."""

    def __init__(
        self,
        graph: Graph,
        maker: Maker,
        ledger: Ledger,
        *,
        options: SampleOptions,
        count: int,
        progress: Progress,
    ) -> None:
        self.graph, self.maker, self.count, self.progress = graph, maker, count, progress
        self.at_once = 1 if isinstance(maker.writer, TemplateWriter) else AT_ONCE
        self.quota = Quota(options)
        self.have: Counter[int] = Counter()  # accepted by hops
        self.done = set(ledger.refused)
        for path_id, asked in ledger.accepted.items():
            self.done.add(path_id)
            self.have[asked.path.hops] += 1
            self.quota.add(asked.path)
            maker.taken.know(asked.path.entity_ids, asked.lemmas, asked.text)
        self.attempts = self.added = 0
        self.spent = Spent()

    async def fill(self, stream: PathStream, before: int, total: int) -> dict[str, int]:
        """Attempt paths until there are enough or none is left. Returns how many are missing, by reason."""
        hops = stream.hops
        capped: Counter[str] = Counter()
        while self.have[hops] < self.count:
            reached = before + self.have[hops]
            self.progress(reached, total, f"{hops} hops: {self.have[hops]} of {self.count} questions")
            taken = await stream.take(BATCH)
            fresh = [path for path in taken if path.id not in self.done]
            cases = await load_cases(self.graph, fresh, self.maker.corpus)
            while cases and self.have[hops] < self.count:
                cases = await self._round(cases, capped)
            if len(taken) < BATCH:
                break
        return self._missing(stream, capped)

    async def _round(self, cases: Sequence[Case], capped: Counter[str]) -> list[Case]:
        """Attempt the next cases and store what came of it. Returns the cases still to come.

        Offline all that are needed, one after the other; with a model some at the same time, so few
        that they cannot break a cap together.
        """
        hops = cases[0].path.hops
        results: list[Result] = []
        left = list(cases)
        while left and self.have[hops] < self.count and len(results) < BATCH:
            batch, left = self._next(left, min(self.at_once, self.count - self.have[hops]), capped)
            for result in await asyncio.gather(*(self.maker.attempt(case) for case in batch)):
                settled = self.maker.settle(result)
                results.append(settled)
                if settled.attempt.question is not None:
                    self.have[hops] += 1
                    self.added += 1
                    self.quota.add(settled.case.path)
            if self.at_once > 1:
                break  # what was paid for is stored before more is
        attempts = [result.attempt for result in results]
        await self.graph.questions.save(attempts, [each.graph for each in results if each.graph is not None])
        self.attempts += len(attempts)
        for attempt in attempts:
            self.spent = total(self.spent, attempt.spent)
        return left

    def _next(self, cases: Sequence[Case], most: int, capped: Counter[str]) -> tuple[list[Case], list[Case]]:
        """The next cases that the caps let pass, all accepted together; and those after them."""
        planned = self.quota.copy()
        batch: list[Case] = []
        left: list[Case] = []
        for case in cases:
            if len(batch) == most:
                left.append(case)
            elif (cap := self.quota.refuses(case.path)) is not None:
                capped[cap] += 1
            elif planned.refuses(case.path) is not None:
                left.append(case)  # may pass yet, if one of this batch is refused
            else:
                planned.add(case.path)
                batch.append(case)
        return batch, left

    def _missing(self, stream: PathStream, capped: Counter[str]) -> dict[str, int]:
        missing = max(0, self.count - self.have[stream.hops])
        reasons: dict[str, int] = {}
        for cap in ("max_per_answer", "hub_cap"):
            if missing and capped[cap]:
                reasons[cap] = min(missing, capped[cap])
                missing -= reasons[cap]
        if missing:
            reasons["bounded" if stream.bounded else "no_more_paths"] = missing
        return reasons


async def _report(
    graph: Graph, filling: _Filling, hops: Sequence[int], shortfall: dict[int, dict[str, int]]
) -> GenerateReport:
    """What the set holds now, for the hops asked for."""
    name = filling.maker.name
    questions: list[QuestionRecord] = []
    rejected: Counter[str] = Counter()
    failed = 0
    for number in hops:
        questions += (await graph.questions.list(name, hops=number, status="accepted")).items
        for entry in (await graph.questions.rejections(name, hops=number)).items:
            if entry.failed:
                failed += 1
            else:
                rejected[entry.reason] += 1
    by_hops = Counter(each.hops for each in questions)
    return GenerateReport(
        name=name,
        backend=filling.maker.writer.backend,
        accepted=len(questions),
        rejected=dict(sorted(rejected.items())),
        failed=failed,
        questions=tuple(questions),
        by_hops={number: by_hops[number] for number in hops},
        by_structure=dict(sorted(Counter(each.graph_type for each in questions).items())),
        added=filling.added,
        attempts=filling.attempts,
        shortfall=shortfall,
        spent=filling.spent,
    )
