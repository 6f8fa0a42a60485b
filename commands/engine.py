"""`catenane engine`: the embedded graph engine of this home."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.console import emit, pairs
from commands.options import AsJson, example

if TYPE_CHECKING:
    from graph.engine import EngineStatus

app = typer.Typer(help="The embedded graph engine: look at it, keep it running, stop it.")


@app.command(epilog=example("catenane engine status"))
def status(as_json: AsJson = False) -> None:
    """Say whether it runs, and where. Changes nothing."""
    from graph.engine import status as look
    from settings import get_settings

    emit(_document(look(get_settings())), as_json, pairs)


@app.command(epilog=example("catenane engine start"))
def start(as_json: AsJson = False) -> None:
    """Start it, and keep it until `engine stop`. (Other commands start it for as long as they run.)"""
    from graph.engine import start as begin
    from settings import get_settings

    emit(_document(begin(get_settings())), as_json, pairs)


@app.command(epilog=example("catenane engine stop"))
def stop(
    force: Annotated[bool, typer.Option("--force", help="Also while other processes use it.")] = False,
    as_json: AsJson = False,
) -> None:
    """Stop it, and wait until it is down."""
    from graph.engine import stop as end
    from settings import get_settings

    emit(_document(end(get_settings(), force=force)), as_json, pairs)


def _document(status: EngineStatus) -> dict[str, Any]:
    document: dict[str, Any] = {
        "state": status.state,
        "uri": status.uri,
        "version": status.version,
        "pid": status.pid,
        "data": status.data,
        "users": list(status.users),
    }
    return {**document, "reason": status.reason} if status.reason else document
