"""`catenane questions`: make them, look at them, export them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.console import counted, emit, note, pairs, stdout, table, write_file
from commands.options import AsJson, Corpus, Cursor, EndpointName, Limit, Out, Seed, example, numbers
from commands.reading import with_graph
from commands.running import run

if TYPE_CHECKING:
    from graph.store import Graph

app = typer.Typer(help="Questions: generate, list, show, export; and what was rejected why.")

SetName = Annotated[str, typer.Argument(metavar="SET", help="Name of the question set.")]


@app.command(epilog=example("catenane questions generate --name first --hops 1,2 --count 10"))
def generate(
    name: Annotated[str, typer.Option("--name", help="Name of the question set.")],
    hops: Annotated[str, typer.Option("--hops", help="Numbers of hops, with commas between.")] = "1,2,3,4",
    count: Annotated[int, typer.Option("--count", min=0, help="Questions for each number of hops.")] = 10,
    seed: Seed = 1,
    corpus: Corpus = None,
    endpoint: EndpointName = None,
    verifier: Annotated[str | None, typer.Option("--verifier", help="Model endpoint that verifies.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make questions of sampled paths, and check them. A set is filled up, never made twice."""
    job = run(
        "questions.generate",
        {
            "name": name,
            "hops": numbers(hops, "--hops"),
            "count": count,
            "seed": seed,
            "corpus": corpus,
            "endpoint": endpoint,
            "verifier": verifier,
        },
    )
    assert job.result is not None
    emit(job.result, as_json, _show_generated)


def _show_generated(document: Mapping[str, Any]) -> None:
    for question in document["questions"]:
        stdout().print(f"{question['hops']}  {question['text']}  [{question['answer']}]", markup=False)
    note(f"{document['accepted']} accepted ({document['added']} new, by {document['backend']})")
    note(f"rejected: {counted(document['rejected'])}")
    for hops, reasons in document["shortfall"].items():
        note(f"{hops} hops: fewer than asked for: {counted(reasons)}")


@app.command("list", epilog=example("catenane questions list demo --hops 3"))
def list_(
    name: Annotated[str | None, typer.Argument(metavar="[SET]", help="Only this set.")] = None,
    hops: Annotated[int | None, typer.Option("--hops", help="Only of so many hops.")] = None,
    status: Annotated[str | None, typer.Option("--status", help="accepted, withdrawn ...")] = None,
    corpus: Corpus = None,
    limit: Limit = None,
    cursor: Cursor = None,
    as_json: AsJson = False,
) -> None:
    """List questions."""
    page = with_graph(
        lambda graph: graph.questions.list(
            name, hops=hops, status=status, corpus=corpus, limit=limit, cursor=cursor
        )
    )
    emit(page.model_dump(mode="json"), as_json, _show_list)


def _show_list(document: Mapping[str, Any]) -> None:
    rows = (
        (item["id"], item["dataset"], item["hops"], item["text"], item["answer"])
        for item in document["items"]
    )
    table(("id", "set", "hops", "question", "answer"), rows, empty="There are no such questions.")


@app.command(epilog=example("catenane questions show qst_0123456789abcdef01234567"))
def show(
    identifier: Annotated[str, typer.Argument(metavar="QUESTION", help="Its id.")], as_json: AsJson = False
) -> None:
    """Show a question with its path, the sentences it rests on, and its reasoning graphs."""
    emit(with_graph(lambda graph: question_document(graph, identifier)), as_json, _show_one)


async def question_document(graph: Graph, identifier: str) -> dict[str, Any]:
    """A question with what it rests on.

    Raises:
        NotFoundError: there is none with this id.
    """
    from commands.relations import relation_row
    from errors import NotFoundError

    question = await graph.questions.get(identifier)
    if question is None:
        raise NotFoundError(f"There is no question {identifier!r}.")
    ids = [hop.relation_id for hop in question.one_hops]
    evidence = await graph.relations.by_ids(ids)
    graphs = (await graph.reasoning.of_questions([identifier]))[identifier]
    return {
        "question": question.model_dump(mode="json"),
        "path": [relation_row(evidence[one]) for one in ids if one in evidence],
        "reasoning_graphs": [one.model_dump(mode="json") for one in graphs],
    }


def _show_one(document: Mapping[str, Any]) -> None:
    question = document["question"]
    stdout().print(question["text"], style="bold", markup=False)
    pairs(
        {key: question[key] for key in ("answer", "id", "dataset", "hops", "graph_type", "status", "backend")}
    )
    for hop, one in zip(question["one_hops"], document["path"], strict=False):
        stdout().print(f"\n{hop['question']}  {hop['answer']}", markup=False)
        stdout().print(
            f"  “{one['evidence']['text']}”  {one['evidence']['title']}, {one['id']}", markup=False
        )
    negative = sum(one["polarity"] == "negative" for one in document["reasoning_graphs"])
    note(f"{len(document['reasoning_graphs']) - negative} positive and {negative} negative reasoning graphs")


class ExportFormat(StrEnum):
    """What `questions export` writes."""

    jsonl = "jsonl"


@app.command(epilog=example("catenane questions export demo --out demo.jsonl"))
def export(
    name: SetName,
    format: Annotated[
        ExportFormat, typer.Option("--format", help="Format of the file.")
    ] = ExportFormat.jsonl,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Write the accepted questions of a set, one JSON object a line; with --json, say what was written."""
    from errors import NotFoundError

    rows = with_graph(lambda graph: _rows(graph, name))
    if not rows:
        raise NotFoundError(f"There are no accepted questions in {name!r}.")
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if out is not None:
        write_file(out, text)
        document = {"file": str(out.absolute()), "format": format.value, "questions": len(rows)}
        emit(document, as_json, lambda _: note(f"{len(rows)} questions in {out}"))
    elif as_json:
        emit({"format": format.value, "questions": len(rows), "items": rows}, as_json=True)
    else:
        print(text, end="")


async def _rows(graph: Graph, name: str) -> list[dict[str, Any]]:
    items = await graph.questions.items(name)
    return [
        {
            "id": item.question.id,
            "question": item.question.text,
            "answer": item.question.answer,
            "aliases": list(item.question.aliases),
            "dataset": item.question.dataset,
            "hops": item.question.hops,
            "graph_type": item.question.graph_type,
            "one_hops": [hop.model_dump() for hop in item.question.one_hops],
            "gold": list(item.gold),
            "reasoning_graph": item.positive.model_dump(mode="json") if item.positive else None,
            "backend": item.question.backend,
        }
        for item in items
    ]


@app.command("yield", epilog=example("catenane questions yield demo"))
def yield_(name: SetName, as_json: AsJson = False) -> None:
    """Say what became of every attempt at a question of a set, and what it took."""
    from errors import NotFoundError

    found = with_graph(lambda graph: graph.questions.yield_of(name))
    if not found.attempts:
        raise NotFoundError(f"No question was ever tried for {name!r}.")
    spent = found.spent
    document = found.model_dump(mode="json") | {
        "rate": found.rate,
        "per_accepted": {
            "calls": found.per_accepted(spent.calls),
            "tokens": found.per_accepted(spent.tokens_in + spent.tokens_out),
            "cost": found.per_accepted(spent.cost),
            "seconds": found.per_accepted(spent.seconds),
        },
    }
    emit(document, as_json, _show_yield)


def _show_yield(document: Mapping[str, Any]) -> None:
    shown = {key: document[key] for key in ("dataset", "attempts", "accepted", "failed", "withdrawn")}
    rate = f"{document['rate']:.0%}" if document["rate"] is not None else "-"
    pairs({**shown, "rejected": counted(document["rejected"]), "accepted of ended": rate})
