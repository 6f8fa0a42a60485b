"""Progress of a running job: written down for others to follow, and the place where a cancel bites."""

from __future__ import annotations

import time
from collections.abc import Callable

from errors import JobCancelled
from jobs.store import JobStore

# Writing takes about a millisecond; four times a second is as often as anybody looks.
INTERVAL_S = 0.25


class StageProgress:
    """`domain.progress.Progress` of one stage of one job.

    Writes the first and the last unit, a change of total, and else at most every `INTERVAL_S`
    seconds. As often, it looks whether somebody wants the job cancelled.

    Raises:
        JobCancelled: from the call, between two units of work.
    """

    def __init__(
        self, store: JobStore, job: str, stage: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store, self._job, self._stage, self._clock = store, job, stage, clock
        self._next = 0.0
        self._total: int | None = -1
        self.done = 0

    def __call__(self, done: int, total: int | None, message: str = "") -> None:
        self.done = done
        now = self._clock()
        if now < self._next and total == self._total and done != total:
            return
        self._next, self._total = now + INTERVAL_S, total
        self._store.add_event(self._job, self._stage, done, total, message)
        if self._store.cancel_wanted(self._job):
            raise JobCancelled(f"{self._job} was cancelled in stage {self._stage!r}")
