"""What a job is, as typed records: shown by the command line, sent by the API, kept by the store."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

import errors

State = Literal["queued", "running", "succeeded", "failed", "cancelled"]

TERMINAL: frozenset[State] = frozenset({"succeeded", "failed", "cancelled"})

# The stage name under which a job's changes of state stand in its event list.
STATE_STAGE = "job"


class Problem(BaseModel):
    """Why a job failed: the error of `errors.py` that ended it, in words."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    slug: str = Field(description="Last part of the problem type: `not-found`, `engine-unavailable` ...")
    title: str
    detail: str

    @classmethod
    def of(cls, error: BaseException) -> Problem:
        """The problem that an exception is. One we did not raise on purpose keeps its class name."""
        if isinstance(error, errors.CataneneError):
            return cls(slug=error.slug, title=error.title, detail=str(error))
        detail = f"{type(error).__name__}: {error}".strip().rstrip(":")
        return cls(slug=errors.CataneneError.slug, title=errors.CataneneError.title, detail=detail)

    def error(self) -> errors.CataneneError:
        """The exception that this problem was, so that a follower fails as the executor did."""
        return _ERRORS.get(self.slug, errors.JobError)(self.detail)


_ERRORS: dict[str, type[errors.CataneneError]] = {
    kind.slug: kind
    for kind in (
        errors.InputError,
        errors.NotFoundError,
        errors.ConflictError,
        errors.EngineError,
        errors.JobError,
        errors.JobCancelled,
        errors.ModelError,
    )
}
# A record error is told by its sentence; its parts are in the sentence already.
_ERRORS[errors.RecordError.slug] = errors.InputError


class Job(BaseModel):
    """One piece of long work and what became of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    kind: str = Field(description="Which stage: `ingest`, `questions.generate`, `evaluate`, `demo` ...")
    params: dict[str, Any]
    state: State
    attempt: int = Field(default=1, description="Counts from 1; retry and resume add one.")
    created: datetime
    started: datetime | None = None
    ended: datetime | None = None
    result: dict[str, Any] | None = None
    error: Problem | None = None
    refused: int = Field(default=0, description="Inputs that were refused while the job went on.")
    cancel_requested: bool = False
    idempotency_key: str | None = None

    @property
    def finished(self) -> bool:
        """Whether it has ended, in whatever way."""
        return self.state in TERMINAL


class JobEvent(BaseModel):
    """One line of a job's history. `seq` grows over all jobs; a stream resumes after it.

    A change of state has the stage `job` and the state as its message. Anything else is
    progress: `done` of `total` units of the stage (`total` None: unknown).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    seq: int
    job: str
    at: datetime
    stage: str
    done: int
    total: int | None
    message: str

    @property
    def state(self) -> str | None:
        """The new state, where this is a change of state."""
        return self.message if self.stage == STATE_STAGE else None
