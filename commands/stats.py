"""`catenane stats`: how much there is, and what the graph is like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from commands.console import emit, pairs, stdout
from commands.options import AsJson, Corpus, example
from commands.reading import with_graph

if TYPE_CHECKING:
    from graph.store import Graph

EPILOG = example("catenane stats --corpus demo")


def stats(corpus: Corpus = None, as_json: AsJson = False) -> None:
    """Count what is in the graph, and describe it (chemistry paper, Table 1)."""
    emit(with_graph(lambda graph: statistics(graph, corpus), corpus=corpus), as_json, _show)


async def statistics(graph: Graph, corpus: str | None) -> dict[str, Any]:
    """The document of `stats`."""
    return {
        "counts": (await graph.stats.counts(corpus)).model_dump(),
        "graph": await graph.stats.graph_statistics(corpus),
        "questions": {one.pop("name"): one for one in await graph.questions.names()},
    }


def _show(document: Mapping[str, Any]) -> None:
    for part, values in document.items():
        stdout().print(part, style="bold")
        pairs(values)
