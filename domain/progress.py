"""How a stage says how far it is, without knowing who listens."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called between units of work. It may raise `errors.JobCancelled`: let that pass through."""

    def __call__(self, done: int, total: int | None, message: str = "") -> None: ...


def silent(done: int, total: int | None, message: str = "") -> None:
    """Nobody listens."""
