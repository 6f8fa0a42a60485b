"""`catenane datasets`: the known data sets of multi-hop questions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.console import counted, emit, leave_refused, note, pairs, table
from commands.options import AsJson, example
from commands.reading import with_graph
from commands.running import run
from commands.spool import readable

if TYPE_CHECKING:
    from graph.store import Graph

app = typer.Typer(help="Data sets: import HotpotQA, MuSiQue, 2WikiMultiHopQA and ChemKGMultiHopQA files.")


class Format(StrEnum):
    """Whose format a file has."""

    hotpotqa = "hotpotqa"
    musique = "musique"
    wiki2 = "2wiki"
    chemkg = "chemkg"


@app.command("import", epilog=example("catenane datasets import hotpotqa train.json --dry-run"))
def import_(
    format: Annotated[Format, typer.Argument(help="Whose format the file has.")],
    file: Annotated[str, typer.Argument(help="The file, .gz too; - is standard input.")],
    name: Annotated[str | None, typer.Option("--name", help="By default format and file stem.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read and check only; starts no engine.")
    ] = False,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Go on after a broken record.")] = False,
    as_json: AsJson = False,
) -> None:
    """Import a file: its questions, the sentences they came with, and their positive reasoning graphs."""
    if dry_run:
        _dry_run(format.value, file, name, skip_bad, as_json)
        return
    from qa.datasets import default_name

    params = {
        "format": format.value,
        "path": str(readable(file, ".json")),
        "name": name or default_name(format.value, file),
        "skip_bad": skip_bad,
    }
    job = run("datasets.import", params, check=False)
    if job.result is None:
        assert job.error is not None
        raise job.error.error()
    emit(job.result, as_json, _show)
    if job.state != "succeeded":
        assert job.error is not None
        note(f"catenane: {job.error.detail}")
        raise typer.Exit(1)
    leave_refused(job.refused)


def _dry_run(format: str, file: str, name: str | None, skip_bad: bool, as_json: bool) -> None:
    import asyncio

    from qa.datasets import import_file

    report = asyncio.run(
        import_file(None, format=format, path=file, name=name, dry_run=True, skip_bad=skip_bad)
    )
    emit({**report.to_json(), "bad": report.bad, "refused": report.refused}, as_json, _show)
    if report.exit_code:
        raise typer.Exit(report.exit_code)


def _show(document: Mapping[str, Any]) -> None:
    shown = {key: document[key] for key in ("dataset", "format", "read", "imported", "added")}
    parts = {key: counted(document[key]) for key in ("skipped", "warnings", "graph_types")}
    pairs({**shown, **parts} | ({"dry run": "nothing was written"} if document["dry_run"] else {}))
    rows = ((error["record"], error["field"], error["reason"]) for error in document["errors"])
    if document["errors"]:
        table(("record", "field", "what is wrong"), rows)


@app.command("list", epilog=example("catenane datasets list"))
def list_(as_json: AsJson = False) -> None:
    """List question sets and imported data sets."""
    emit({"items": with_graph(_sets), "next": None}, as_json, _show_list)


async def _sets(graph: Graph) -> list[dict[str, Any]]:
    return await graph.questions.names()


def _show_list(document: Mapping[str, Any]) -> None:
    rows = (
        (
            item["name"],
            item["source_format"],
            item["questions"],
            item["accepted"],
            counted(item["by_structure"]),
        )
        for item in document["items"]
    )
    table(("name", "format", "questions", "accepted", "graph types"), rows, empty="There are no data sets.")
