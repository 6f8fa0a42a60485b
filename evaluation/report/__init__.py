"""Reports: one HTML page that opens offline, all numbers as JSON, all answers as CSV."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Sequence
from pathlib import Path

from evaluation.report.data import ReportData, gather
from evaluation.report.figures import render
from evaluation.report.page import endpoint_names, render_page
from graph.models import AnswerRecord
from graph.store import Graph

__all__ = ["ReportData", "gather", "write_report"]


async def write_report(graph: Graph, run_id: str, out: Path) -> list[Path]:
    """Write `report.html`, `report.json` and `answers.csv` into a folder, which is made if need be.

    Returns:
        The three paths, in this order. Files of an earlier report are replaced.

    Raises:
        NotFoundError: there is no such run.
    """
    data = await gather(graph, run_id)
    answers = await graph.runs.answers(run_id)
    return await asyncio.to_thread(_write, data, answers, out)


def _write(data: ReportData, answers: Sequence[AnswerRecord], out: Path) -> list[Path]:
    figures = render(
        {
            "by_condition": data.by_condition,
            "by_hops": data.by_hops,
            "by_type": data.by_type,
            "by_perturbation": data.by_perturbation,
        },
        endpoint_names(data),
    )
    contents = {
        "report.html": render_page(data, figures),
        "report.json": data.model_dump_json(indent=1) + "\n",
        "answers.csv": _csv(data, answers),
    }
    out.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, content in contents.items():
        part = out / f".{name}.part"
        part.write_text(content, encoding="utf-8", newline="")
        paths.append(part.replace(out / name))
    return paths


def _csv(data: ReportData, answers: Sequence[AnswerRecord]) -> str:
    """One row an answer, with the question and the gold answer; `label` marks the baseline's rows."""
    labels = {endpoint.name: endpoint.label if endpoint.baseline else "" for endpoint in data.endpoints}
    fields = [name for name in AnswerRecord.model_fields if name != "id"]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["question", "gold", "label", *fields])
    for answer in sorted(answers, key=lambda a: (a.endpoint, a.condition, a.question_id, a.epoch)):
        values = answer.model_dump()
        question, gold = data.texts.get(answer.question_id, ("", ""))
        writer.writerow([question, gold, labels.get(answer.endpoint, ""), *(values[name] for name in fields)])
    return text.getvalue()
