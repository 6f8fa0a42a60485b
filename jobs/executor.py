"""The executor: the one process of a home that runs its jobs, while it holds the executor lock."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from types import TracebackType

from errors import CataneneError, EngineError, JobCancelled, JobError
from jobs.context import Resources, StageContext
from jobs.durable import DurableSteps, JobEngine
from jobs.models import Problem
from jobs.progress import StageProgress
from jobs.stages import Refused, stage_of
from jobs.store import JobStore
from settings import Settings

log = logging.getLogger(__name__)

# How often queued jobs are looked for, and running ones compared with the engine's view of them.
DISPATCH_S = 0.1
INSPECT_S = 2.0


class Executor:
    """Runs the jobs of a home. Its owner holds the executor lock for as long as it is started.

    What an earlier process left unfinished goes on with the start.
    """

    def __init__(self, settings: Settings, store: JobStore) -> None:
        self._settings, self._store = settings, store
        self._resources = Resources(settings)
        self._engine = JobEngine(settings, self._run)
        self._stopping = threading.Event()
        self._taking = True
        self._started = False
        self._thread = threading.Thread(target=self._dispatch, name="job-dispatcher", daemon=True)

    def start(self) -> None:
        """Launch the job engine and begin to take jobs. Blocks for a fraction of a second."""
        self._engine.start()
        self._started = True
        for job in self._store.find(states=["running"]):
            # Killed after the claim and before the workflow was stored: then this begins it.
            self._engine.begin(job.id, job.attempt)
        self._thread.start()

    def take(self, identifier: str) -> None:
        """Run this job now, before others that wait, if it is still queued."""
        if self._store.claim(identifier):
            self._engine.begin(identifier, self._store.get(identifier).attempt)

    def drain(self) -> None:
        """Take no more jobs, and wait until those that run have ended."""
        self._taking = False
        while self.running():
            time.sleep(DISPATCH_S)

    def running(self) -> list[str]:
        """Ids of the jobs that run."""
        return [job.id for job in self._store.find(states=["running"])]

    def stop(self) -> None:
        """Stop at once. What runs stays unfinished, and goes on with the next executor."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=10)
        if not self._started:
            return
        self._engine.interrupt()
        try:
            self._engine.wait_for(self._resources.close())
        except Exception:
            log.warning("the graph was not closed cleanly", exc_info=True)
        self._engine.stop()

    def __enter__(self) -> Executor:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # ------------------------------------------------------------ the dispatcher's thread

    def _dispatch(self) -> None:
        inspected = time.monotonic()
        while not self._stopping.wait(DISPATCH_S):
            try:
                if self._taking:
                    self._take_queued()
                if time.monotonic() - inspected > INSPECT_S:
                    inspected = time.monotonic()
                    self._inspect()
            except Exception:
                # A locked database passes; the queue must go on.
                log.warning("the job dispatcher stumbled", exc_info=True)

    def _take_queued(self) -> None:
        queued = self._store.find(states=["queued"])
        if not queued:
            return
        free = self._settings.job_workers - len(self.running())
        for job in reversed(queued[-free:] if free > 0 else []):  # the list is newest first
            self.take(job.id)

    def _inspect(self) -> None:
        """No job stays `running` when nobody runs it any more."""
        for job in self._store.find(states=["running"]):
            ended = self._engine.outcome(job.id, job.attempt)
            if ended is not None:
                reason = JobError(f"{job.id} ended without a result ({ended}); retry it")
                self._store.finish(job.id, "failed", error=Problem.of(reason))

    # ------------------------------------------------------------ the job engine's loop

    async def _run(self, identifier: str) -> None:
        """Do the work of one job, and write down how it ended."""
        job = self._store.get(identifier)
        if job.finished:
            return
        context = StageContext(
            job=identifier,
            settings=self._settings,
            resources=self._resources,
            steps=DurableSteps(),
            progress=lambda stage: StageProgress(self._store, identifier, stage),
        )
        try:
            stage = stage_of(job.kind)
            result = await stage.run(context, stage.validate(job.params))
        except Exception as error:
            await self._fail(identifier, error)
        else:
            self._store.finish(identifier, "succeeded", result=result, refused=stage.refused(result))

    async def _fail(self, identifier: str, error: Exception) -> None:
        error = _single(error)
        if isinstance(error, JobCancelled):
            self._store.finish(identifier, "cancelled", error=Problem.of(error))
            return
        if isinstance(error, EngineError):
            await self._resources.close()
        trace = None if isinstance(error, CataneneError) else "".join(traceback.format_exception(error))
        result = error.result if isinstance(error, Refused) else None
        self._store.finish(identifier, "failed", result=result, error=Problem.of(error), trace=trace)


def _single(error: Exception) -> Exception:
    """The one error that stopped a group of tasks."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error
