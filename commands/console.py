"""What commands print: one JSON document, or a table for people; everything else goes to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

REFUSED = 3  # exit code: finished, with some inputs refused


def stdout() -> Console:
    """For people. Without a terminal it neither colours nor cuts lines at 80 columns."""
    from rich.console import Console

    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=200)


def stderr() -> Console:
    """Progress and notes."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def note(text: str) -> None:
    """A line for the person who looks, never for a program."""
    print(text, file=sys.stderr, flush=True)


def emit(
    document: Mapping[str, Any], as_json: bool, human: Callable[[Mapping[str, Any]], None] | None = None
) -> None:
    """Print the document of a command: as JSON, or in the way that `human` has for it."""
    if as_json or human is None:
        print(json.dumps(document, ensure_ascii=False, indent=2), flush=True)
    else:
        human(document)


def write_file(path: Path, text: str) -> None:
    """Write a file that the user named.

    Raises:
        InputError: it cannot be written; says why.
    """
    from errors import InputError

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error


def leave_refused(refused: int) -> None:
    """End with exit code 3 where inputs were refused."""
    if refused:
        raise typer.Exit(REFUSED)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, empty: str = "nothing") -> None:
    """Print rows under headings; `empty` where there are none."""
    from rich.markup import escape
    from rich.table import Table

    drawn = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        drawn.add_column(column, overflow="fold")
    count = 0
    for row in rows:
        drawn.add_row(*("" if cell is None else escape(str(cell)) for cell in row))
        count += 1
    if count:
        stdout().print(drawn)
    else:
        stdout().print(empty)


def pairs(values: Mapping[str, object]) -> None:
    """Print names and values, one pair a line."""
    table(("", ""), values.items())


def counted(values: Mapping[str, int]) -> str:
    """`3 a, 1 b`, the most frequent first."""
    ordered = sorted(values.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count} {name}" for name, count in ordered) or "none"
