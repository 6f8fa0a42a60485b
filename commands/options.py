"""Options that several commands have, each with the same name and the same meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document.")]
Corpus = Annotated[str | None, typer.Option("--corpus", help="Only this corpus; all by default.")]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Most items; all by default.")]
Cursor = Annotated[str | None, typer.Option("--cursor", help="Go on where `next` of a list said.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed over the same graph gives the same.")]
EndpointName = Annotated[str | None, typer.Option("--endpoint", help="Model endpoint, by its name.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Write to this file instead of standard output.")
]


def example(text: str) -> str:
    """The line under a command's help that shows how it is used."""
    return f"Example: {text}"


def numbers(text: str, name: str) -> list[int]:
    """`1,2,3` as numbers.

    Raises:
        InputError: something else stands between the commas.
    """
    from errors import InputError

    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise InputError(f"{name}: {text!r} is not a list of numbers such as 1,2,3") from None


def words(text: str) -> list[str]:
    """`a,b` as words."""
    return [part.strip() for part in text.split(",") if part.strip()]
