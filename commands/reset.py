"""`catenane reset`: start over."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import typer

from commands.console import emit
from commands.options import AsJson, Yes, example
from commands.reading import with_graph

if TYPE_CHECKING:
    from graph.store import Graph

EPILOG = example("catenane reset --yes")


def reset(yes: Yes = False, as_json: AsJson = False) -> None:
    """Remove the graph, the jobs and the reports of this home. Endpoints and paid replies are kept."""
    from errors import ConflictError
    from jobs.lock import ExecutorLock
    from settings import get_settings

    settings = get_settings()
    if not yes:
        where = settings.neo4j_uri or str(settings.home)
        typer.confirm(
            f"Remove all corpora, questions, runs, jobs and reports in {where}?", abort=True, err=True
        )
    with ExecutorLock(settings, "command") as lock:
        if not lock.try_acquire():
            raise ConflictError("The service or another command works on this home; stop it first.")
        corpora, nodes = with_graph(_empty)
        for name in ("reports", "spool"):
            shutil.rmtree(settings.home / name, ignore_errors=True)
        for database in ("jobs.db", "engine.db"):
            for file in settings.home.glob(f"{database}*"):
                file.unlink(missing_ok=True)
    emit(
        {"items": corpora, "nodes": nodes},
        as_json,
        lambda _: print(f"Removed {nodes} nodes; nothing is left."),
    )


async def _empty(graph: Graph) -> tuple[list[dict[str, Any]], int]:
    return await graph.corpora.list(), await graph.empty()
