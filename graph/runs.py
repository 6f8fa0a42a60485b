"""Runs and their answers in the graph."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from errors import InputError, NotFoundError
from graph.connection import Connection
from graph.models import AnswerRecord, Outcome, Page, RunRecord

Answers = list[AnswerRecord]  # named here: in the class, `list` is a method

_BATCH = 500  # answers written at a time


class AnswerKey(NamedTuple):
    """What makes an answer unique within its run."""

    question_id: str
    condition: str
    endpoint: str
    epoch: int


class RunsRepository:
    """Evaluation runs: made once, filled answer by answer, read by reports."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def create(self, run: RunRecord) -> bool:
        """Store the run; False where it is there already, which then stays as it is."""
        rows = await self._connection.write("runs/run.create", id=run.id, properties=_run_properties(run))
        return bool(rows[0]["added"])

    async def get(self, run_id: str) -> RunRecord:
        """The run.

        Raises:
            NotFoundError: there is none of this id.
        """
        rows = await self._connection.read("runs/run.get", id=run_id)
        if not rows:
            raise NotFoundError(f"There is no run {run_id!r}.")
        return _run_record(rows[0]["run"])

    async def list(self, limit: int | None = None, cursor: str | None = None) -> Page[RunRecord]:
        """Runs, newest first; all of them without a limit.

        Raises:
            InputError: the cursor is none of ours.
        """
        created, last = _decode(cursor) if cursor else (None, None)
        most = limit if limit is not None else 1_000_000
        rows = await self._connection.read("runs/run.list", created=created, id=last, limit=most + 1)
        runs = [_run_record(row["run"]) for row in rows[:most]]
        more = len(rows) > most and bool(runs)
        return Page(items=runs, next=_encode(_iso(runs[-1].created), runs[-1].id) if more else None)

    async def finish(self, run_id: str, at: datetime | None) -> None:
        """Note when the run was complete; None: it no longer is.

        Raises:
            NotFoundError: there is none of this id.
        """
        finished = _iso(at) if at else None
        if not await self._connection.write("runs/run.finish", id=run_id, finished=finished):
            raise NotFoundError(f"There is no run {run_id!r}.")

    async def delete(self, run_id: str) -> int:
        """Remove the run with its answers; how many answers there were."""
        removed = 0
        while True:
            rows = await self._connection.write("runs/answers.delete", run_id=run_id, limit=_BATCH)
            count = rows[0]["removed"] if rows else 0
            if not count:
                break
            removed += count
        await self._connection.write("runs/run.delete", id=run_id)
        return removed

    async def save_answers(self, run_id: str, answers: Sequence[AnswerRecord]) -> None:
        """Write answers, each in place of the one with its id; one transaction per 500.

        Raises:
            NotFoundError: the run is not there.
        """
        for first in range(0, len(answers), _BATCH):
            rows = [
                {"id": a.id, "question_id": a.question_id, "properties": _answer_properties(a)}
                for a in answers[first : first + _BATCH]
            ]
            if not await self._connection.write("runs/answers.save", run_id=run_id, rows=rows):
                raise NotFoundError(f"There is no run {run_id!r}.")

    async def answered(self, run_id: str) -> set[AnswerKey]:
        """Keys of all stored answers but errors, which are asked again."""
        rows = await self._connection.read("runs/answers.answered", run_id=run_id)
        return {AnswerKey(**row) for row in rows}

    async def answers(self, run_id: str, question_id: str | None = None) -> Answers:
        """All answers of a run (or to one of its questions), by id."""
        found: Answers = []
        cursor: str | None = None
        while True:
            page = await self.answer_page(run_id, question_id=question_id, limit=5000, cursor=cursor)
            found.extend(page.items)
            cursor = page.next
            if cursor is None:
                return found

    async def answer_page(
        self,
        run_id: str,
        *,
        question_id: str | None = None,
        status: Outcome | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[AnswerRecord]:
        """One page of a run's answers, by id.

        Raises:
            InputError: the cursor is none of ours.
        """
        rows = await self._connection.read(
            "runs/answers.of_run",
            run_id=run_id,
            question_id=question_id,
            status=status,
            after=_decode(cursor)[1] if cursor else "",
            limit=limit + 1,
        )
        answers = [_answer_record(row["answer"]) for row in rows[:limit]]
        more = len(rows) > limit and bool(answers)
        return Page(items=answers, next=_encode("", answers[-1].id) if more else None)

    async def spent(self, run_id: str) -> tuple[int, float]:
        """How many answers are stored, errors included, and what they cost."""
        row = (await self._connection.read("runs/answers.spent", run_id=run_id))[0]
        return int(row["answers"]), float(row["cost"])


def _iso(at: datetime) -> str:
    """UTC to the microsecond, always of one length, so that text order is time order."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _run_properties(run: RunRecord) -> dict[str, Any]:
    properties = run.model_dump(exclude={"created", "finished", "settings"})
    properties = {key: list(v) if isinstance(v, tuple) else v for key, v in properties.items()}
    return {
        **properties,
        "created": _iso(run.created),
        "finished": _iso(run.finished) if run.finished else None,
        "settings": json.dumps(run.settings, sort_keys=True, ensure_ascii=False),
    }


def _run_record(properties: dict[str, Any]) -> RunRecord:
    return RunRecord.model_validate({**properties, "settings": json.loads(properties["settings"])})


def _answer_properties(answer: AnswerRecord) -> dict[str, Any]:
    caption = f"{answer.condition}: {answer.text or answer.status}"
    return {**answer.model_dump(), "name": caption[:40]}


def _answer_record(properties: dict[str, Any]) -> AnswerRecord:
    return AnswerRecord.model_validate({key: v for key, v in properties.items() if key != "name"})


def _encode(first: str, second: str) -> str:
    return base64.urlsafe_b64encode(f"{first}|{second}".encode()).decode().rstrip("=")


def _decode(cursor: str) -> tuple[str, str]:
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        first, second = text.rsplit("|", 1)
    except ValueError as error:
        raise InputError("The cursor is not one that a list of ours returned.") from error
    return first, second
