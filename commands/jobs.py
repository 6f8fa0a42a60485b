"""`catenane jobs`: what runs, what ran, what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.console import emit, leave_refused, pairs, stdout, table
from commands.options import AsJson, Limit, example

if TYPE_CHECKING:
    from jobs import Job, JobStore

app = typer.Typer(help="Jobs: list, show, cancel, resume, retry.")

Identifier = Annotated[str, typer.Argument(metavar="JOB", help="Its id, as `jobs list` prints it.")]


@contextmanager
def _store() -> Iterator[JobStore]:
    from jobs import JobStore
    from settings import get_settings

    store = JobStore(get_settings())
    try:
        yield store
    finally:
        store.close()


@app.command("list", epilog=example("catenane jobs list --limit 10"))
def list_(limit: Limit = None, as_json: AsJson = False) -> None:
    """List jobs, the newest first."""
    with _store() as store:
        items = [job.model_dump(mode="json", exclude={"result"}) for job in store.find(limit=limit)]
    emit({"items": items, "next": None}, as_json, _show_list)


def _show_list(document: Mapping[str, Any]) -> None:
    rows = (
        (item["id"], item["kind"], item["state"], item["created"][:19].replace("T", " "), _why(item))
        for item in document["items"]
    )
    table(("id", "kind", "state", "asked for (UTC)", ""), rows, empty="There are no jobs.")


def _why(item: Mapping[str, Any]) -> str:
    if item["error"]:
        return str(item["error"]["detail"])
    return f"{item['refused']} inputs refused" if item["refused"] else ""


@app.command(epilog=example("catenane jobs show job_0123456789abcdef01234567"))
def show(identifier: Identifier, as_json: AsJson = False) -> None:
    """Show a job: what it was asked, how far each stage is, its result or why it failed."""
    with _store() as store:
        job = store.get(identifier)
        stages = {
            stage: {"done": event.done, "total": event.total, "message": event.message}
            for stage, event in store.latest(identifier).items()
        }
        document = job.model_dump(mode="json") | {"stages": stages, "trace": store.trace(identifier)}
    emit(document, as_json, _show_one)


def _show_one(document: Mapping[str, Any]) -> None:
    shown = {key: document[key] for key in ("id", "kind", "state", "attempt", "created", "started", "ended")}
    pairs({**shown, "asked": document["params"], "": _why(document)})
    rows = (
        (stage, f"{at['done']} of {at['total'] if at['total'] is not None else '?'}", at["message"])
        for stage, at in document["stages"].items()
    )
    table(("stage", "", ""), rows, empty="")
    if document["trace"]:
        stdout().print(document["trace"], markup=False)


@app.command(epilog=example("catenane jobs cancel job_0123456789abcdef01234567"))
def cancel(identifier: Identifier, as_json: AsJson = False) -> None:
    """Ask a job to stop at its next unit of work. What it has finished is kept."""
    with _store() as store:
        job = store.request_cancel(identifier)
    emit(job.model_dump(mode="json"), as_json, _show_state)


def _show_state(document: Mapping[str, Any]) -> None:
    asked = " It stops at its next unit of work." if document["state"] == "running" else ""
    print(f"{document['id']} is {document['state']}.{asked}")


@app.command(epilog=example("catenane jobs resume job_0123456789abcdef01234567"))
def resume(identifier: Identifier, as_json: AsJson = False) -> None:
    """Go on with a cancelled job, and follow it to its end."""
    _go_on(identifier, "cancelled", as_json)


@app.command(epilog=example("catenane jobs retry job_0123456789abcdef01234567"))
def retry(identifier: Identifier, as_json: AsJson = False) -> None:
    """Run a failed job again, or one that refused inputs; what is there is not done twice."""
    _go_on(identifier, "failed", as_json)


def _go_on(identifier: str, state: str, as_json: bool) -> None:
    from commands.running import again

    job: Job = again(identifier, state)
    emit(job.model_dump(mode="json"), as_json, _show_state)
    leave_refused(job.refused)
