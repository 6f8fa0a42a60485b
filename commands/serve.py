"""`catenane serve`: the service."""

from __future__ import annotations

from typing import Annotated

import typer

from commands.console import note
from commands.options import example

EPILOG = example("catenane serve --port 0")


def serve(
    host: Annotated[
        str | None, typer.Option("--host", help="Address to listen on; loopback by default.")
    ] = None,
    port: Annotated[int | None, typer.Option("--port", help="0 takes a free one; 8080 by default.")] = None,
) -> None:
    """Run the service, until Ctrl-C: start page, HTTP resources, and the jobs of this home."""
    from api.serve import bind
    from api.serve import serve as run
    from settings import get_settings

    settings = get_settings()
    changed = {key: value for key, value in (("host", host), ("port", port)) if value is not None}
    settings = settings.model_copy(update=changed)
    run(settings, bind(settings.host, settings.port), lambda url: note(f"Catenane serves at {url}"))
