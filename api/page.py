"""The start page: a first look at what is there. Server-rendered, nothing from outside.

Counts, jobs, one question with its path, its sources and its reasoning graph, and the newest
evaluation with its report.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse, HTMLResponse
from fastapi.templating import Jinja2Templates
from markupsafe import Markup

from api.facts import RelationOut
from api.problems import MEANINGS
from api.state import SettingsDep, StateDep
from errors import CataneneError, NotFoundError
from evaluation.baseline import NAME as BASELINE
from graph.models import Counts, QuestionRecord
from graph.store import Graph
from jobs.models import Job, JobEvent
from jobs.stages.evaluation import report_folder
from jobs.store import JobStore
from qa.reasoning.svg import to_svg
from settings import Settings

router = APIRouter(include_in_schema=False)
templates = Jinja2Templates(directory=Path(__file__).parent / "templates")

JOBS_SHOWN = 8
QUESTIONS_SHOWN = 25  # of the set: one at a time, with links to the others
OWN = "catenane"

# Nothing from elsewhere, and no script but our own file.
POLICY = (
    "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True)
class ShownQuestion:
    """One question of a set, and where one goes from it."""

    record: QuestionRecord
    path: list[RelationOut]
    drawing: Markup | None
    position: int
    of: int

    @property
    def least_width(self) -> int:
        """Pixels below which the drawing cannot be read: then it is scrolled, not shrunk."""
        natural = re.search(r"max-width:(\d+)px", self.drawing or "")
        return min(int(natural[1]), 640) if natural else 0


@dataclass(frozen=True)
class ShownRun:
    """The newest evaluation: a row a condition, and the address of its report."""

    run: str
    rows: list[dict[str, Any]]
    offline: bool
    report: str | None


@dataclass
class Sight:
    """All that the page shows; what cannot be had is said in `trouble`."""

    counts: Counts | None = None
    corpora: list[dict[str, Any]] = field(default_factory=list)
    jobs: list[tuple[Job, JobEvent | None]] = field(default_factory=list)
    question: ShownQuestion | None = None
    run: ShownRun | None = None
    trouble: str | None = None


@router.get("/", response_class=HTMLResponse)
async def start_page(
    request: Request, state: StateDep, question: Annotated[int, Query(ge=0, le=QUESTIONS_SHOWN)] = 0
) -> Response:
    """The start page; `question` says which question of the set it shows."""
    sight = Sight()
    sight.jobs = await asyncio.to_thread(_jobs, state.store)
    sight.run = await asyncio.to_thread(_newest_run, state.store, state.settings)
    try:
        graph = await state.graph(patience_s=8.0)
        sight.counts = await graph.stats.counts()
        sight.corpora = await graph.corpora.list()
        sight.question = await _question(graph, question)
    except CataneneError as error:
        sight.trouble = str(error)
    return templates.TemplateResponse(
        request, "start.html", {"sight": sight}, headers={"Content-Security-Policy": POLICY}
    )


def _jobs(store: JobStore) -> list[tuple[Job, JobEvent | None]]:
    shown = []
    for job in store.find(limit=JOBS_SHOWN):
        stages = list(store.latest(job.id).values())
        shown.append((job, stages[-1] if stages and not job.finished else None))
    return shown


async def _question(graph: Graph, position: int) -> ShownQuestion | None:
    """A question of our largest own set (else of any), of as many hops as are drawn well."""
    sets = [one for one in await graph.questions.names() if one["accepted"]]
    if not sets:
        return None
    chosen = max(sets, key=lambda one: (one["source_format"] == OWN, one["accepted"]))
    hops = max((int(each) for each in chosen["by_hops"] if int(each) <= 3), default=None)
    page = await graph.questions.list(chosen["name"], hops=hops, status="accepted", limit=QUESTIONS_SHOWN)
    if not page.items:
        return None
    position %= len(page.items)
    record = page.items[position]
    ids = [hop.relation_id for hop in record.one_hops]
    evidence = await graph.relations.by_ids(ids)
    positive = (await graph.reasoning.of_questions([record.id], "positive"))[record.id]
    return ShownQuestion(
        record=record,
        path=[RelationOut.of(evidence[one]) for one in ids if one in evidence],
        # The drawing escapes all it is given; it is markup of our own.
        drawing=Markup(to_svg(positive[0])) if positive else None,  # noqa: S704
        position=position,
        of=len(page.items),
    )


def _newest_run(store: JobStore, settings: Settings) -> ShownRun | None:
    done = [
        job
        for kind in ("evaluate", "demo")
        for job in store.find(states=["succeeded"], kind=kind, limit=1)
        if job.result
    ]
    if not done:
        return None
    newest = max(done, key=lambda job: job.ended or job.created)
    result = newest.result or {}
    if newest.kind == "demo":
        run, offline = result["run"], result["backend"] == "offline"
        rows = [
            {"answerer": BASELINE if offline else result["backend"], "condition": name, **row}
            for name, row in result["evaluation"].items()
        ]
    else:
        rows = [
            {**cell, "answerer": cell["keys"]["endpoint"], "condition": cell["keys"]["condition"]}
            for cell in result["results"]
        ]
        run, offline = result["run"], any(row["answerer"] == BASELINE for row in rows)
    files = sorted(report_folder(settings.home, run).glob("*.html"))
    return ShownRun(run, rows, offline, f"/reports/{run}/{files[0].name}" if files else None)


@router.get("/reports/{run}/{name}")
async def report_file(run: str, name: str, settings: SettingsDep) -> FileResponse:
    """A file of a report, as it lies in the home."""
    folder = report_folder(settings.home, run).resolve()
    file = (folder / name).resolve()
    if folder.parent != (settings.home / "reports").resolve() or file.parent != folder or not file.is_file():
        raise NotFoundError(f"There is no file {name!r} of a report on {run!r}.")
    return FileResponse(file)


@router.get("/problems/{slug}", response_class=HTMLResponse)
async def problem_page(request: Request, slug: str) -> Response:
    """What a type of problem means, in words."""
    if slug not in MEANINGS:
        raise NotFoundError(f"There is no type of problem {slug!r}.")
    return templates.TemplateResponse(
        request,
        "problem.html",
        {"slug": slug, "meaning": MEANINGS[slug]},
        headers={"Content-Security-Policy": POLICY},
    )
