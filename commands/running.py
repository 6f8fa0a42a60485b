"""Commands that run a job: with live progress on standard error, and its document in the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from commands.console import note, stderr

if TYPE_CHECKING:
    from datetime import datetime

    from rich.progress import Progress, TaskID

    from jobs import Job, JobEvent
    from jobs.run import OnEvent


def run(kind: str, params: Mapping[str, Any], *, check: bool = True) -> Job:
    """Run a job of this kind to its end. Errors pass through; Ctrl-C ends with code 130.

    Without `check` a job that failed is returned, too.
    """
    from jobs import Detached, run_job
    from settings import get_settings

    with progress_display() as on_event:
        try:
            return run_job(kind, params, get_settings(), on_event, check=check)
        except Detached as goes_on:
            note(str(goes_on))
            raise typer.Exit(130) from None


def again(identifier: str, state: str) -> Job:
    """Retry or resume a job and follow it to its end."""
    from jobs import Detached, JobStore, run_submitted
    from settings import get_settings

    settings = get_settings()
    store = JobStore(settings)
    try:
        seen = max((event.seq for event in store.events(identifier, limit=10**9)), default=0)
        # A job that succeeded but refused inputs may be retried: what is there is not done again.
        refusing = state == "failed" and store.get(identifier).refused > 0
        store.again(identifier, ["failed", "succeeded"] if refusing else [state])  # type: ignore[list-item]
        with progress_display() as on_event:
            return run_submitted(identifier, settings, store, on_event, after=seen)
    except Detached as goes_on:
        note(str(goes_on))
        raise typer.Exit(130) from None
    finally:
        store.close()


@contextmanager
def progress_display() -> Iterator[OnEvent]:
    """Shows events as bars on a terminal, and as a line at the end of each stage elsewhere."""
    console = stderr()
    if not console.is_terminal:
        yield _Lines()
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    with Progress(
        SpinnerColumn(finished_text="[green]✓[/green]"),
        TextColumn("{task.description}", style="bold"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}", style="dim"),
        console=console,
    ) as bars:
        yield _Bars(bars)


class _Bars:
    """A bar for each stage, in the order in which they begin."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, event: JobEvent) -> None:
        if event.state is not None:
            return
        if event.stage not in self._tasks:
            self._tasks[event.stage] = self._bars.add_task(event.stage, total=None, note="")
        width = max(10, self._bars.console.width - 80)
        self._bars.update(
            self._tasks[event.stage], completed=event.done, total=event.total, note=event.message[:width]
        )


class _Lines:
    """A line when a stage ends, for logs and for whoever has no terminal."""

    def __init__(self) -> None:
        self._began: dict[str, datetime] = {}
        self._ended: set[str] = set()

    def __call__(self, event: JobEvent) -> None:
        if event.state is not None or event.stage in self._ended:
            return
        began = self._began.setdefault(event.stage, event.at)
        if event.total is not None and event.done >= event.total:
            self._ended.add(event.stage)
            took = (event.at - began).total_seconds()
            note(f"{event.stage}: {event.done} of {event.total} in {took:.1f} s. {event.message}")
