"""The job store: what was asked for, how far it is, what came of it.

A row in `queued` is the hand-over itself: whoever holds the home's executor lock runs it.
Only the executor moves a job to `running` and to its end; anybody may submit, ask for a
cancel, retry and resume. Events are only ever added.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from errors import ConflictError, NotFoundError
from jobs import tables
from jobs.models import STATE_STAGE, TERMINAL, Job, JobEvent, Problem, State
from settings import Settings


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _digest(kind: str, params: Mapping[str, Any]) -> str:
    text = json.dumps(params, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(f"{kind}\n{text}".encode()).hexdigest()


class JobStore:
    """Jobs and their events of one home (or one Postgres). Thread-safe; calls take about a millisecond."""

    def __init__(self, settings: Settings) -> None:
        self._engine = tables.open_engine(settings, "jobs.db")
        tables.create_tables(self._engine)

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    # ------------------------------------------------------------ asking

    def submit(self, kind: str, params: Mapping[str, Any], *, idempotency_key: str | None = None) -> Job:
        """Queue a job. The same idempotency key gives back the job it made before.

        Raises:
            ConflictError: the key was used for another kind or other parameters.
        """
        digest = _digest(kind, params)
        identifier = f"job_{uuid.uuid4().hex[:24]}"
        row = {
            "id": identifier,
            "kind": kind,
            "params": _dump(params),
            "params_sha256": digest,
            "state": "queued",
            "attempt": 1,
            "created": _now(),
            "refused": 0,
            "cancel_requested": False,
            "idempotency_key": idempotency_key,
        }
        try:
            with self._engine.begin() as connection:
                connection.execute(sa.insert(tables.job).values(row))
                self._note(connection, identifier, "queued")
        except sa.exc.IntegrityError:
            if idempotency_key is None:
                raise
            known = self._first(tables.job.c.idempotency_key == idempotency_key)
            if known is None:
                raise
            if known["params_sha256"] != digest:
                raise ConflictError(
                    f"the idempotency key {idempotency_key!r} belongs to {known['id']}, "
                    "which was asked for with other parameters"
                ) from None
            return _job(known)
        return self.get(identifier)

    def unfinished_like(self, kind: str, params: Mapping[str, Any]) -> Job | None:
        """The oldest job of this kind with exactly these parameters that has not ended, if any."""
        row = self._first(
            tables.job.c.params_sha256 == _digest(kind, params),
            tables.job.c.state.in_(("queued", "running")),
            tables.job.c.cancel_requested.is_(False),
        )
        return _job(row) if row else None

    def request_cancel(self, identifier: str) -> Job:
        """Ask for a stop. A queued job is cancelled at once, a running one at its next unit of work.

        Raises:
            ConflictError: it has ended already.
        """
        with self._engine.begin() as connection:
            queued = self._move(connection, identifier, ("queued",), "cancelled", ended=_now())
            if not queued:
                connection.execute(
                    sa.update(tables.job)
                    .where(tables.job.c.id == identifier, tables.job.c.state == "running")
                    .values(cancel_requested=True)
                )
        current = self.get(identifier)
        if current.state in ("succeeded", "failed"):
            raise ConflictError(f"{identifier} has {current.state} already; there is nothing to cancel")
        return current

    def again(self, identifier: str, states: Sequence[State]) -> Job:
        """Queue a job that ended in one of these states once more, as its next attempt.

        What it had finished is kept, since every stage skips what is in the graph already.

        Raises:
            ConflictError: it is in another state.
        """
        current = self.get(identifier)
        with self._engine.begin() as connection:
            moved = self._move(
                connection,
                identifier,
                states,
                "queued",
                attempt=tables.job.c.attempt + 1,
                cancel_requested=False,
                started=None,
                ended=None,
                result=None,
                error=None,
                trace=None,
                refused=0,
            )
        if not moved:
            raise ConflictError(f"{identifier} is {current.state}, not {' or '.join(states)}")
        return self.get(identifier)

    # ------------------------------------------------------------ looking

    def get(self, identifier: str) -> Job:
        """One job.

        Raises:
            NotFoundError: there is none with this id.
        """
        row = self._first(tables.job.c.id == identifier)
        if row is None:
            raise NotFoundError(f"there is no job {identifier}")
        return _job(row)

    def trace(self, identifier: str) -> str | None:
        """The traceback of a job that failed by an error of the program, for a bug report."""
        row = self._first(tables.job.c.id == identifier)
        return row["trace"] if row else None

    def find(
        self,
        *,
        states: Sequence[State] = (),
        kind: str | None = None,
        limit: int | None = None,
        before: tuple[str, str] | None = None,
    ) -> list[Job]:
        """Jobs, newest first. `before` is the (created, id) of the last one seen, both as text."""
        statement = sa.select(tables.job).order_by(tables.job.c.created.desc(), tables.job.c.id.desc())
        if states:
            statement = statement.where(tables.job.c.state.in_(states))
        if kind:
            statement = statement.where(tables.job.c.kind == kind)
        if before:
            statement = statement.where(sa.tuple_(tables.job.c.created, tables.job.c.id) < sa.tuple_(*before))
        with self._engine.connect() as connection:
            rows = connection.execute(statement.limit(limit)).mappings().all()
        return [_job(row) for row in rows]

    def counts(self) -> dict[str, int]:
        """How many jobs are in each state; states without a job are left out."""
        statement = sa.select(tables.job.c.state, sa.func.count()).group_by(tables.job.c.state)
        with self._engine.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(statement)}

    def events(self, identifier: str, *, after: int = 0, limit: int = 1000) -> list[JobEvent]:
        """What happened to a job after event number `after`, in order."""
        statement = (
            sa.select(tables.job_event)
            .where(tables.job_event.c.job == identifier, tables.job_event.c.seq > after)
            .order_by(tables.job_event.c.seq)
            .limit(limit)
        )
        with self._engine.connect() as connection:
            return [JobEvent(**row) for row in connection.execute(statement).mappings()]

    def latest(self, identifier: str) -> dict[str, JobEvent]:
        """The newest event of each stage of a job, in the order in which the stages began."""
        newest = (
            sa.select(sa.func.max(tables.job_event.c.seq).label("seq"), sa.func.min(tables.job_event.c.seq))
            .where(tables.job_event.c.job == identifier, tables.job_event.c.stage != STATE_STAGE)
            .group_by(tables.job_event.c.stage)
            .order_by(sa.func.min(tables.job_event.c.seq))
            .subquery()
        )
        statement = sa.select(tables.job_event).join(newest, tables.job_event.c.seq == newest.c.seq)
        with self._engine.connect() as connection:
            found = [JobEvent(**row) for row in connection.execute(statement).mappings()]
        return {one.stage: one for one in found}

    # ------------------------------------------------------------ the executor's side

    def claim(self, identifier: str) -> bool:
        """Move a queued job to running. False: somebody else did, or it was cancelled."""
        with self._engine.begin() as connection:
            return self._move(connection, identifier, ("queued",), "running", started=_now())

    def add_event(self, identifier: str, stage: str, done: int, total: int | None, message: str = "") -> None:
        """Write down how far a stage is."""
        with self._engine.begin() as connection:
            self._add(connection, job=identifier, stage=stage, done=done, total=total, message=message)

    def cancel_wanted(self, identifier: str) -> bool:
        """Whether somebody asked this job to stop."""
        statement = sa.select(tables.job.c.cancel_requested).where(tables.job.c.id == identifier)
        with self._engine.connect() as connection:
            return bool(connection.scalar(statement))

    def finish(
        self,
        identifier: str,
        state: State,
        *,
        result: Mapping[str, Any] | None = None,
        error: Problem | None = None,
        trace: str | None = None,
        refused: int = 0,
    ) -> bool:
        """End a running job. False: it had ended before (the first end stands)."""
        with self._engine.begin() as connection:
            return self._move(
                connection,
                identifier,
                ("running",),
                state,
                ended=_now(),
                result=_dump(result) if result is not None else None,
                error=error.model_dump_json() if error else None,
                trace=trace,
                refused=refused,
            )

    # ------------------------------------------------------------ inside

    def _first(self, *conditions: sa.ColumnElement[bool]) -> sa.RowMapping | None:
        statement = sa.select(tables.job).where(*conditions).order_by(tables.job.c.created).limit(1)
        with self._engine.connect() as connection:
            return connection.execute(statement).mappings().first()

    def _move(
        self, connection: sa.Connection, identifier: str, sources: Sequence[str], target: State, **values: Any
    ) -> bool:
        statement = (
            sa.update(tables.job)
            .where(tables.job.c.id == identifier, tables.job.c.state.in_(sources))
            .values(state=target, **values)
        )
        moved = connection.execute(statement).rowcount == 1
        if moved:
            self._note(connection, identifier, target)
        return moved

    def _note(self, connection: sa.Connection, identifier: str, state: State) -> None:
        self._add(
            connection, job=identifier, stage=STATE_STAGE, done=int(state in TERMINAL), total=1, message=state
        )

    def _add(self, connection: sa.Connection, **values: Any) -> None:
        connection.execute(sa.insert(tables.job_event).values(at=_now(), **values))


def _job(row: sa.RowMapping) -> Job:
    def load(column: str) -> Any:
        return json.loads(row[column]) if row[column] else None

    error = load("error")
    return Job(
        id=row["id"],
        kind=row["kind"],
        params=json.loads(row["params"]),
        state=row["state"],
        attempt=row["attempt"],
        created=row["created"],
        started=row["started"],
        ended=row["ended"],
        result=load("result"),
        error=Problem(**error) if error else None,
        refused=row["refused"],
        cancel_requested=row["cancel_requested"],
        idempotency_key=row["idempotency_key"],
    )
