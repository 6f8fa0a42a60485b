"""`catenane graphs`: reasoning graphs."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.console import counted, emit, note, pairs, stdout, write_file
from commands.options import AsJson, Out, Seed, example
from commands.reading import with_graph
from commands.running import run

if TYPE_CHECKING:
    from graph.models import ReasoningGraph
    from graph.store import Graph

app = typer.Typer(help="Reasoning graphs: build negatives, show and export.")

Identifier = Annotated[
    str, typer.Argument(metavar="GRAPH", help="Id of a reasoning graph, or of a question.")
]


@app.command(epilog=example("catenane graphs negatives demo --seed 1"))
def negatives(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A question set or a data set.")],
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Build negative graphs for every accepted question of a set: same content, other structure."""
    job = run("graphs.negatives", {"dataset": name, "seed": seed})
    assert job.result is not None
    emit(job.result, as_json, _show_negatives)


def _show_negatives(document: Mapping[str, Any]) -> None:
    shown = {key: document[key] for key in ("dataset", "questions", "negatives", "built")}
    pairs(shown | {key: counted(document[key]) for key in ("by_kind", "by_hardness", "shortfall")})


async def the_graph(graph: Graph, identifier: str) -> ReasoningGraph:
    """A reasoning graph by its own id, or the positive one of a question.

    Raises:
        NotFoundError: there is neither.
    """
    from errors import NotFoundError

    found = await graph.reasoning.get(identifier)
    if found is None:
        of_question = (await graph.reasoning.of_questions([identifier], "positive"))[identifier]
        if not of_question:
            raise NotFoundError(
                f"There is no reasoning graph, and no question with one, called {identifier!r}."
            )
        found = of_question[0]
    return found


@app.command(epilog=example("catenane graphs show rgr_0123456789abcdef01234567"))
def show(identifier: Identifier, as_json: AsJson = False) -> None:
    """Show a reasoning graph: its steps, and which leads to which."""
    found = with_graph(lambda graph: the_graph(graph, identifier))
    emit(found.model_dump(mode="json"), as_json, _show_one)


def _show_one(document: Mapping[str, Any]) -> None:
    keys = ("id", "question_id", "polarity", "perturbation", "hardness", "graph_type")
    pairs({key: document[key] for key in keys if document[key]})
    for step in document["steps"]:
        leads = [str(target + 1) for source, target in document["edges"] if source == step["ordinal"]]
        arrow = f"  → {', '.join(leads)}" if leads else ""
        title = f"{step['title']}: " if step["title"] else ""
        stdout().print(f"[{step['ordinal'] + 1}] {title}{step['text']}{arrow}", markup=False)


class ExportFormat(StrEnum):
    """What `graphs export` writes."""

    dot = "dot"
    graphml = "graphml"
    json = "json"
    svg = "svg"


@app.command(epilog=example("catenane graphs export rgr_0123456789abcdef01234567 --format svg"))
def export(
    identifier: Identifier,
    format: Annotated[ExportFormat, typer.Option("--format", help="Of the file.")] = ExportFormat.dot,
    answers: Annotated[bool, typer.Option("--answers", help="With sub-questions and sub-answers.")] = False,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Write a reasoning graph as DOT, GraphML, JSON or SVG; with --json, inside of one JSON document."""
    found = with_graph(lambda graph: the_graph(graph, identifier))
    text = rendered(found, format.value, answers)
    if out is not None:
        write_file(out, text)
        document = {"id": found.id, "format": format.value, "file": str(out.absolute())}
        emit(document, as_json, lambda _: note(f"{found.id} in {out}"))
    elif as_json:
        emit({"id": found.id, "format": format.value, "text": text}, as_json=True)
    else:
        print(text)


def rendered(graph: ReasoningGraph, format: str, answers: bool) -> str:
    """The graph as text in one of the export formats."""
    from qa.reasoning.dot import to_dot
    from qa.reasoning.graphml import to_graphml
    from qa.reasoning.svg import to_svg

    if format == "dot":
        return to_dot(graph, with_answers=answers)
    if format == "graphml":
        return to_graphml(graph, with_answers=answers)
    if format == "svg":
        return to_svg(graph, with_answers=answers)
    return graph.model_dump_json(indent=2)
