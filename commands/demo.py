"""`catenane demo`: the whole main job on the bundled papers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from commands.console import counted, emit, note, stdout, table
from commands.options import AsJson, EndpointName, Seed, example
from commands.running import run

EPILOG = example("catenane demo --exit")


def demo(
    leave: Annotated[bool, typer.Option("--exit", help="End when done; do not serve.")] = False,
    endpoint: EndpointName = None,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Run the whole job on the bundled papers, then serve the results until Ctrl-C."""
    from jobs.service import running_service
    from settings import get_settings

    settings = get_settings()
    job = run("demo", {"seed": seed, "endpoint": endpoint})
    assert job.result is not None
    url = running_service(settings)
    if leave or url is not None:
        emit({**job.result, "url": url}, as_json, _show)
        if url is not None:
            note(f"The service of this home runs at {url}")
        return
    from api.serve import address, bind, serve

    listening = bind(settings.host, settings.port, or_free=True)
    url = address(listening)
    if settings.port and f":{settings.port}/" not in url:
        note(f"Port {settings.port} is taken, so the service takes a free one.")
    emit({**job.result, "url": url}, as_json, _show)
    serve(settings, listening, lambda where: note(f"Catenane serves at {where} until Ctrl-C."))


def _show(document: Mapping[str, Any]) -> None:
    added = document["added"]
    if not any(added.values()):
        stdout().print("Everything was there already; nothing was added.\n", style="bold")
    questions, graphs = document["questions"], document["reasoning_graphs"]
    rows: list[tuple[str, object]] = [
        ("documents", f"{document['documents']}, {len(document['refused'])} inputs refused"),
        ("graph", f"{document['entities']} entities, {document['relations']} relations"),
        ("paths", _numbered(document["paths"])),
        ("questions", f"{questions['accepted']} accepted; rejected: {counted(questions['rejected'])}"),
        ("", _numbered(questions["by_hops"])),
        ("check", f"{document['reused_sources']} reused sources, {document['leaks']} leaks"),
        ("reasoning graphs", f"{graphs['positive']} positive, {graphs['negative']} negative"),
        ("data sets", ", ".join(f"{name} {one['imported']}" for name, one in document["datasets"].items())),
    ]
    table(("", ""), rows)
    if document["refused"]:
        stdout().print("\nRefused, as the traps in the corpus should be:")
        table(("source", "reason"), ((one["source"], one["reason"]) for one in document["refused"]))
    stdout().print(f"\nEvaluation ({_who(document['backend'])}), 95 % intervals:")
    table(("condition", "n", "EM", "F1"), (_cells(name, row) for name, row in document["evaluation"].items()))
    stdout().print(f"\nReport: {document['report']}", markup=False, soft_wrap=True)


def _numbered(by_hops: Mapping[str, int]) -> str:
    return ", ".join(f"{count} of {hops} hop{'' if hops == '1' else 's'}" for hops, count in by_hops.items())


def _who(backend: str) -> str:
    return "offline: an extractive baseline, no language model" if backend == "offline" else backend


def _cells(name: str, row: Mapping[str, Any]) -> tuple[object, ...]:
    def shown(metric: str) -> str:
        low, high = row[f"{metric}_ci"]
        return f"{row[metric]:.3f} [{low:.3f}, {high:.3f}]"

    return name, row["n"], shown("em"), shown("f1")
