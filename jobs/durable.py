"""The job engine: DBOS, and the only module of the program that knows it.

A job is one workflow, `<job id>:<attempt>`. Its steps are what is not done again after a
crash: a step that has returned is read back from the engine's own tables, the one in flight
runs once more. So a step may run twice, and every stage makes its steps idempotent: the row
in the graph is the real checkpoint, the engine's is what saves looking.

Workflows run on an event loop of their own, in a thread of its own, so a long extraction
never holds up the loop that answers HTTP.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import socket
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeVar

from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer, SetWorkflowID

import errors
from jobs.tables import open_engine
from settings import Settings

T = TypeVar("T")

# The shape of workflows and steps. Raise it when a stage changes its steps, and old unfinished
# jobs are started anew instead of being replayed against other code.
WORKFLOW_VERSION = "1"

# A job that takes the process down with it each time ends as failed after so many starts.
MOST_RECOVERIES = 50


class Steps(Protocol):
    """How a stage makes a piece of work durable."""

    def reserve(self, name: str) -> Callable[[Callable[[], Awaitable[T]]], Awaitable[T]]:
        """Fix the place of a step now, in the order of calls; run it later by calling what comes back.

        The order must be the same each time the job runs. What the step returns is JSON.
        """
        ...


class DurableSteps:
    """Steps of the workflow that is running in this task."""

    def reserve(self, name: str) -> Callable[[Callable[[], Awaitable[T]]], Awaitable[T]]:
        reservation = DBOS.reserve_step()

        async def run(work: Callable[[], Awaitable[T]]) -> T:
            async def step() -> T:
                return await work()

            try:
                return await reservation.run_async({"name": name}, step)
            except Exception as error:
                raise _ours(error) from error

        return run


class PlainSteps:
    """Steps that are simply run: for tests of a stage without the engine."""

    def reserve(self, name: str) -> Callable[[Callable[[], Awaitable[T]]], Awaitable[T]]:
        async def run(work: Callable[[], Awaitable[T]]) -> T:
            return await work()

        return run


def _ours(error: Exception) -> Exception:
    """An error of an earlier run comes back from the engine as a name and a message: make it ours again."""
    name = getattr(error, "name", "")
    kind = getattr(errors, name, None) if isinstance(name, str) and name else None
    if kind is errors.RecordError:
        kind = errors.InputError
    if isinstance(kind, type) and issubclass(kind, errors.CataneneError):
        return kind(str(getattr(error, "message", error)))
    return error


class JobEngine:
    """The engine of this process, with an event loop of its own. One at a time.

    Args:
        settings: where its database is.
        run: what a job does, given its id. It ends the job in the store by itself.
    """

    def __init__(self, settings: Settings, run: Callable[[str], Awaitable[None]]) -> None:
        _Work.run = staticmethod(run)
        self._database = open_engine(settings, "engine.db")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="jobs", daemon=True)
        logging.getLogger("dbos").setLevel(logging.CRITICAL)
        self._config: DBOSConfig = {
            "name": "catenane",
            "system_database_url": self._database.url.render_as_string(hide_password=False),
            "system_database_engine": self._database,
            "serializer": DBOSPortableJSONSerializer(),
            "application_version": WORKFLOW_VERSION,
            "executor_id": _executor_id(settings),
            "log_level": "CRITICAL",
            # Its threads sleep this long between looks: a short command must not wait for them to end.
            "notification_listener_polling_interval_sec": 0.1,
        }

    def start(self) -> None:
        """Launch; unfinished workflows of this home go on by themselves. Blocks for a moment."""
        self._thread.start()
        try:
            self.wait_for(self._launch())
        except Exception as error:
            self.stop()
            where = self._database.url.render_as_string(hide_password=True)
            raise errors.JobError(f"the job engine does not start on {where}: {error}") from error

    async def _launch(self) -> None:
        # Launched inside our loop, so that recovered workflows run on it too. A workflow started
        # from a thread instead would be recorded as failed when the loop stops; one that is a task
        # is only cancelled, and stays unfinished.
        DBOS(config=self._config)
        DBOS.launch()

    def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something on the engine's loop, and wait for it. Not from the loop itself."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def begin(self, job: str, attempt: int) -> None:
        """Run a job, unless this attempt of it was begun before: then it goes on, or is over."""

        async def start() -> None:
            with SetWorkflowID(_workflow_id(job, attempt)):
                await DBOS.start_workflow_async(_job_workflow, job)

        self.wait_for(start())

    def outcome(self, job: str, attempt: int) -> str | None:
        """None while it runs or waits; else how the workflow ended, in the engine's words."""
        status = self.wait_for(DBOS.get_workflow_status_async(_workflow_id(job, attempt)))
        if status is None:
            return "it is not known to the job engine"
        return None if status.status in ("PENDING", "ENQUEUED", "DELAYED") else str(status.status)

    def interrupt(self) -> None:
        """Cut off what runs, where it is. It goes on with the next start."""

        async def cancel() -> None:
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        self.wait_for(cancel())

    def stop(self) -> None:
        """Interrupt what runs, and shut down."""
        if not self._thread.is_alive():
            return
        self.interrupt()
        DBOS.destroy()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        if not self._thread.is_alive():
            self._loop.close()
        self._database.dispose()


class _Work:
    """What the workflow does: it must be a plain registered function, so it finds its work here."""

    run: Callable[[str], Awaitable[None]]


@DBOS.workflow(name="catenane.job", max_recovery_attempts=MOST_RECOVERIES)
async def _job_workflow(job: str) -> None:
    await _Work.run(job)


def _workflow_id(job: str, attempt: int) -> str:
    return f"{job}:{attempt}"


def _executor_id(settings: Settings) -> str:
    """The same for each start on this home, another for each home: recovery goes by it."""
    place = f"{socket.gethostname()}\n{settings.home.resolve()}"
    return hashlib.sha256(place.encode()).hexdigest()[:16]
