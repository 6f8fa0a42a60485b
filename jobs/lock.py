"""Who executes the jobs of a home: whoever holds this lock, and nobody else.

An operating-system lock on a file: it is freed when its holder dies, however it dies. Beside
it stands a note of who holds it, for messages only.
"""

from __future__ import annotations

import json
import os
from types import TracebackType
from typing import Literal

from filelock import FileLock, Timeout

from settings import Settings

Role = Literal["service", "command"]


class ExecutorLock:
    """The executor lock of one home. Not shared between threads; taken and freed by one owner."""

    def __init__(self, settings: Settings, role: Role) -> None:
        settings.home.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(settings.home / "executor.lock", thread_local=False)
        self._note = settings.home / "executor.json"
        self._role = role

    def try_acquire(self) -> bool:
        """Take the lock if it is free; never waits."""
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        self._note.write_text(json.dumps({"pid": os.getpid(), "role": self._role}), encoding="utf-8")
        return True

    def release(self) -> None:
        """Free it. The next one who asks becomes the executor."""
        self._note.unlink(missing_ok=True)
        self._lock.release()

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return bool(self._lock.is_locked)

    def __enter__(self) -> ExecutorLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.held:
            self.release()


def holder(settings: Settings) -> tuple[int, Role] | None:
    """(process id, role) of whoever said last that it executes here; None where nobody does."""
    try:
        note = json.loads((settings.home / "executor.json").read_text(encoding="utf-8"))
        return int(note["pid"]), note["role"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
