"""The service's side of the jobs of a home: one service a home, which executes as soon as it may."""

from __future__ import annotations

import json
import logging
import os
import threading
from pathlib import Path

from filelock import FileLock, Timeout

from errors import ConflictError
from jobs.lock import ExecutorLock
from jobs.store import JobStore
from settings import Settings

log = logging.getLogger(__name__)

ASK_S = 0.5


def _note(settings: Settings) -> Path:
    return settings.home / "service.json"


def running_service(settings: Settings) -> str | None:
    """Address of the service that runs on this home, None where there is none."""
    lock = FileLock(settings.home / "service.lock", thread_local=False)
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout:
        try:
            return str(json.loads(_note(settings).read_text(encoding="utf-8"))["url"])
        except (OSError, ValueError, KeyError):
            return "starting"
    lock.release()
    return None


class ServicePlace:
    """The one place for a service on a home; held from before it listens until it has stopped."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = FileLock(settings.home / "service.lock", thread_local=False)

    def take(self, url: str) -> None:
        """Take it, and let others know the address.

        Raises:
            ConflictError: another service has it; the message gives its address.
        """
        self._settings.home.mkdir(parents=True, exist_ok=True)
        try:
            # Half a second: somebody who only looks whether a service runs holds it for a moment.
            self._lock.acquire(timeout=0.5)
        except Timeout:
            where = running_service(self._settings)
            raise ConflictError(f"A service runs on {self._settings.home} already: {where}") from None
        _note(self._settings).write_text(json.dumps({"url": url, "pid": os.getpid()}), encoding="utf-8")

    def leave(self) -> None:
        """Give it back."""
        if self._lock.is_locked:
            _note(self._settings).unlink(missing_ok=True)
            self._lock.release()


class ExecutorKeeper:
    """Makes this process the executor of its home, at once or as soon as the lock is free.

    A command may execute when the service starts; what the service is asked for meanwhile stands
    in the store, and that command runs it.
    """

    def __init__(self, settings: Settings, store: JobStore) -> None:
        self._settings, self._store = settings, store
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="executor-keeper", daemon=True)
        self.executing = threading.Event()
        self.error: Exception | None = None

    def start(self) -> None:
        """Begin to ask for the lock. Does not wait."""
        self._thread.start()

    def stop(self) -> None:
        """Stop executing and give the lock back. What runs goes on with the next executor."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=30)

    def _keep(self) -> None:
        from jobs.executor import Executor  # the job engine takes a second to load: not in the way of HTTP

        with ExecutorLock(self._settings, "service") as lock:
            while not self._stopping.is_set():
                if lock.try_acquire():
                    break
                self._stopping.wait(ASK_S)
            else:
                return
            try:
                with Executor(self._settings, self._store):
                    self.executing.set()
                    self._stopping.wait()
            except Exception as error:
                self.error = error
                log.exception("the service cannot execute jobs")
            finally:
                self.executing.clear()
