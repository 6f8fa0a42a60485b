"""Run a job and follow it: as the executor where this process can be, else through the one there is.

The command that gets the home's executor lock runs its job itself. One that does not leaves
it in the job store, follows the events, and takes over if the lock becomes free before the
job has ended. So a job asked for is run, whichever process dies.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from errors import CataneneError, InputError, JobCancelled, JobError
from jobs.lock import ExecutorLock, holder
from jobs.models import Job, JobEvent
from jobs.stages import stage_of
from jobs.store import JobStore
from settings import Settings

if TYPE_CHECKING:
    from jobs.executor import Executor

log = logging.getLogger(__name__)

OnEvent = Callable[[JobEvent], None]

POLL_S = 0.1
TAKE_OVER_S = 0.5
# A running unit of work may take this long to notice that its command was interrupted.
CANCEL_WAIT_S = 10.0


class Detached(KeyboardInterrupt):
    """Interrupted while another process runs the job: it goes on there. `str()` says so."""


def run_job(
    kind: str,
    params: Mapping[str, Any],
    settings: Settings,
    on_event: OnEvent | None = None,
    *,
    check: bool = True,
) -> Job:
    """Run a job to its end. If the same one is unfinished from before, that one goes on instead.

    Args:
        kind: a kind of `jobs.stages`.
        params: its parameters, as JSON.
        settings: names the home.
        on_event: called in this thread with each event, in order.
        check: raise the error of a job that did not succeed, instead of returning the job.

    Returns:
        The job; its document is `result`.

    Raises:
        CataneneError: the one that the job ended with (`JobCancelled` included).
        Detached: interrupted from the keyboard while another process runs it.
    """
    checked = stage_of(kind).validate(params).model_dump(mode="json")
    store = JobStore(settings)
    try:
        job = store.unfinished_like(kind, checked) or store.submit(kind, checked)
        return run_submitted(job.id, settings, store, on_event, check=check)
    finally:
        store.close()


def run_submitted(
    identifier: str,
    settings: Settings,
    store: JobStore,
    on_event: OnEvent | None = None,
    *,
    after: int = 0,
    check: bool = True,
) -> Job:
    """Run or follow a job that is in the store, to its end, from event `after` on. As `run_job`."""
    follower = _Follower(identifier, store, on_event, after)
    lock = ExecutorLock(settings, "command")
    try:
        while not follower.ended():
            if lock.try_acquire():
                _execute(follower, settings, store)
            else:
                follower.follow_for(TAKE_OVER_S)
    except KeyboardInterrupt:
        if store.get(identifier).finished:
            raise
        if lock.held:  # interrupted before the job ran, or for the second time
            store.request_cancel(identifier)
            store.finish(identifier, "cancelled")
            return _checked(store.get(identifier))
        where = holder(settings)
        who = "the service" if where and where[1] == "service" else "another command"
        raise Detached(
            f"{identifier} goes on in {who}{f' (process {where[0]})' if where else ''}; "
            f"`catenane jobs cancel {identifier}` stops it"
        ) from None
    finally:
        if lock.held:
            lock.release()
    job = store.get(identifier)
    return _checked(job) if check else job


def attach_early(settings: Settings) -> None:
    """Let the embedded engine start while Python is still loading; its lease ends with this process."""
    if settings.neo4j_uri is None:
        threading.Thread(target=_attach, args=(settings,), daemon=True).start()


def _attach(settings: Settings) -> None:
    from graph.engine import attach

    # Whoever needs the engine is told what is wrong with it.
    with suppress(CataneneError):
        attach(settings)


def _execute(follower: _Follower, settings: Settings, store: JobStore) -> None:
    with suppress(InputError):  # a kind that this version no longer has fails when it is run
        if stage_of(store.get(follower.job).kind).uses_graph:
            attach_early(settings)
    from jobs.executor import Executor

    with Executor(settings, store) as executor:
        try:
            executor.take(follower.job)
            while not follower.ended():
                follower.follow_for(POLL_S)
        except KeyboardInterrupt:
            _cancel(follower, store)
        else:
            _drain(executor)


def _drain(executor: Executor) -> None:
    """Finish what else runs here: jobs of a process that died, or of commands that only follow."""
    others = len(executor.running())
    if others:
        log.warning("finishing %d more unfinished job(s) of this home; Ctrl-C leaves them for later", others)
    with suppress(KeyboardInterrupt):
        executor.drain()


def _cancel(follower: _Follower, store: JobStore) -> None:
    """Ctrl-C in the command that runs the job: cancel it, and leave it resumable."""
    store.request_cancel(follower.job)
    deadline = time.monotonic() + CANCEL_WAIT_S
    while not follower.ended() and time.monotonic() < deadline:
        follower.follow_for(POLL_S)
    store.finish(follower.job, "cancelled")


def _checked(job: Job) -> Job:
    if job.state == "succeeded":
        return job
    if job.error is not None:
        raise job.error.error()
    if job.state == "cancelled":
        raise JobCancelled(f"{job.id} was cancelled; `catenane jobs resume {job.id}` goes on with it")
    raise JobError(f"{job.id} has {job.state}")


class _Follower:
    """Hands the events of one job on, each once and in order."""

    def __init__(self, job: str, store: JobStore, on_event: OnEvent | None, after: int) -> None:
        self.job, self._store, self._on_event, self._seen = job, store, on_event, after

    def ended(self) -> bool:
        """Whether the job has ended; then all its events have been handed on."""
        finished = self._store.get(self.job).finished
        self._hand_on()
        return finished

    def follow_for(self, seconds: float) -> None:
        """Hand events on for a while, or until the job ends."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not self.ended():
            time.sleep(min(POLL_S, seconds))

    def _hand_on(self) -> None:
        for event in self._store.events(self.job, after=self._seen):
            self._seen = event.seq
            if self._on_event is not None:
                self._on_event(event)
