"""`catenane doctor`: check a set-up."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import typer

from commands.console import emit, stdout
from commands.options import AsJson, example

if TYPE_CHECKING:
    from settings import Settings

EPILOG = example("catenane doctor")


def doctor(as_json: AsJson = False) -> None:
    """Check Python, the data folder, the graph engine, the job store and the model endpoints."""
    from settings import get_settings

    settings = get_settings()
    checks = [
        _check(name, look, settings)
        for name, look in (
            ("python", _python),
            ("home", _home),
            ("engine", _engine),
            ("jobs", _jobs),
            ("service", _service),
            ("endpoints", _endpoints),
        )
    ]
    healthy = all(check["ok"] for check in checks)
    emit({"ok": healthy, "home": str(settings.home), "checks": checks}, as_json, _show)
    if not healthy:
        raise typer.Exit(1)


def _check(name: str, look: Callable[[Settings], str], settings: Settings) -> dict[str, Any]:
    try:
        return {"name": name, "ok": True, "detail": look(settings)}
    except Exception as error:  # whatever it is, it is what the doctor was called for
        return {"name": name, "ok": False, "detail": str(error) or type(error).__name__}


def _python(settings: Settings) -> str:
    return f"{sys.version.split()[0]}, {sys.executable}"


def _home(settings: Settings) -> str:
    settings.home.mkdir(parents=True, exist_ok=True)
    probe = settings.home / ".doctor"
    probe.touch()
    probe.unlink()
    return str(settings.home)


def _engine(settings: Settings) -> str:
    from commands.reading import with_graph

    async def about(graph: Any) -> str:
        return f"{graph.engine.kind} {graph.engine.version} at {graph.engine.uri}"

    return with_graph(about)


def _jobs(settings: Settings) -> str:
    from jobs import JobStore
    from jobs.lock import holder

    store = JobStore(settings)
    counts = store.counts()
    store.close()
    executes = holder(settings)
    who = f"; process {executes[0]} ({executes[1]}) executes" if executes else ""
    return (", ".join(f"{count} {state}" for state, count in sorted(counts.items())) or "no jobs yet") + who


def _service(settings: Settings) -> str:
    from jobs.service import running_service

    return running_service(settings) or "not running; `catenane serve` starts it"


def _endpoints(settings: Settings) -> str:
    from llm import load_endpoints

    found = load_endpoints(settings)
    if not found:
        return f"none: stages use their offline backends. Name models in {settings.endpoints_file}"
    for endpoint in found.values():
        endpoint.api_key()
    return ", ".join(f"{name} ({endpoint.model})" for name, endpoint in found.items())


def _show(document: Mapping[str, Any]) -> None:
    for check in document["checks"]:
        mark = "[green]ok [/green]" if check["ok"] else "[red]bad[/red]"
        stdout().print(mark, end=" ")
        stdout().print(f"{check['name']}: {check['detail']}", markup=False)
