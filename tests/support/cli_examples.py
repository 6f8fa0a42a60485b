"""The example documents of `docs/examples/`: made by running every command on a small home, and compared.

    CATENANE_HOME=$(mktemp -d) python -m tests.support.cli_examples

writes them anew. Keys may be added to a document; that one went or changed its kind is what
`faults` finds.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cli
from settings import REPOSITORY, get_settings

EXAMPLES = REPOSITORY / "docs" / "examples"
PAPERS = (
    "02-hydrogenation.xml",
    "04-carbonylation.md",
    "05-hydration.txt",
    "06-dehydration.xml",
    "trap-empty.txt",
)

# Maps whose keys are data: names, reasons, numbers of hops.
OPEN = {
    "rejected",
    "skipped",
    "warnings",
    "graph_types",
    "by_hops",
    "by_structure",
    "by_kind",
    "by_hardness",
    "shortfall",
    "impossible",
    "outcomes",
    "not_applicable",
    "by_endpoint",
    "stages",
    "params",
    "paths",
    "datasets",
    "evaluation",
}

Line = tuple[str, list[str], int]  # name of the example, the command, its exit code


def lines(papers: Path, dataset: Path, found: dict[str, Any]) -> Iterator[Line]:
    """The commands in order; `found` holds the documents printed so far, by name."""

    def first(name: str) -> dict[str, Any]:
        item: dict[str, Any] = found[name]["items"][0]
        return item

    text = papers.parent / "text.txt"
    text.write_text("Methanol is made from CO2 and hydrogen.", encoding="utf-8")
    yield "recognise", ["recognise", str(text)], 0
    yield "ingest", ["ingest", str(papers), "--corpus", "small"], 3
    yield "corpora-list", ["corpora", "list"], 0
    yield "documents-list", ["documents", "list", "--limit", "2"], 0
    yield "documents-show", ["documents", "show", first("documents-list")["id"]], 0
    yield "entities-list", ["entities", "list", "--limit", "2"], 0
    yield "relations-list", ["relations", "list", "--limit", "2"], 0
    relation = first("relations-list")
    yield "entities-show", ["entities", "show", relation["subject_id"]], 0
    yield "graph-search", ["graph", "search", relation["subject"], "--limit", "1"], 0
    yield "graph-neighbours", ["graph", "neighbours", relation["subject_id"], "--limit", "2"], 0
    yield "graph-between", ["graph", "between", relation["subject_id"], relation["object_id"]], 0
    yield "graph-evidence", ["graph", "evidence", relation["id"]], 0
    yield "paths-sample", ["paths", "sample", "--hops", "2", "--count", "200"], 0
    yield (
        "questions-generate",
        ["questions", "generate", "--name", "small", "--hops", "1,2", "--count", "3"],
        0,
    )
    yield "questions-list", ["questions", "list", "small", "--limit", "1"], 0
    yield "questions-show", ["questions", "show", first("questions-list")["id"]], 0
    yield "questions-export", ["questions", "export", "small"], 0
    yield "questions-yield", ["questions", "yield", "small"], 0
    yield "datasets-import", ["datasets", "import", "2wiki", str(dataset), "--name", "sample"], 0
    yield "datasets-list", ["datasets", "list"], 0
    yield "graphs-negatives", ["graphs", "negatives", "small", "--seed", "1"], 0
    yield "graphs-show", ["graphs", "show", first("questions-list")["id"]], 0
    yield "graphs-export", ["graphs", "export", first("questions-list")["id"], "--format", "dot"], 0
    run = ["evaluate", "run", "--questions", "small", "--conditions", "closed_book,gold"]
    yield "evaluate-estimate", [*run, "--estimate"], 0
    yield "evaluate-run", run, 0
    yield "report", ["report", found["evaluate-run"]["run"]], 0
    yield "stats", ["stats", "--corpus", "small"], 0
    yield "jobs-list", ["jobs", "list", "--limit", "2"], 0
    job = first("jobs-list")["id"]
    yield "jobs-show", ["jobs", "show", job], 0
    ingest = next(one for one in _jobs() if one["kind"] == "ingest")
    yield "jobs-retry", ["jobs", "retry", ingest["id"]], 3
    yield "engine-status", ["engine", "status"], 0
    yield "doctor", ["doctor"], 0
    yield "documents-delete", ["documents", "delete", first("documents-list")["id"], "--yes"], 0
    yield "corpora-delete", ["corpora", "delete", "small", "--yes"], 0


def _jobs() -> list[dict[str, Any]]:
    document, _ = printed(["jobs", "list"])
    items: list[dict[str, Any]] = document["items"]
    return items


def printed(arguments: list[str]) -> tuple[dict[str, Any], int]:
    """The one document that a command prints with --json, and its exit code."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = cli.run([*arguments, "--json"])
    document: dict[str, Any] = json.loads(out.getvalue())
    return document, code


def walk(papers: Path, dataset: Path, visit: Callable[[str, dict[str, Any], int, int], None]) -> None:
    """Run every line and show its document to `visit(name, document, exit code, expected code)`."""
    found: dict[str, Any] = {}
    for name, arguments, expected in lines(papers, dataset, found):
        document, code = printed(arguments)
        found[name] = document
        visit(name, document, code, expected)


def faults(example: Any, actual: Any, where: str = "") -> list[str]:
    """What of the example is missing in the document, or is of another kind there."""
    if isinstance(example, dict) and isinstance(actual, dict):
        if where.rsplit(".", 1)[-1] in OPEN:
            some = list(actual.values())[:1]
            return faults(next(iter(example.values())), some[0], f"{where}.*") if example and some else []
        missing = [f"{where}.{key} is missing" for key in example if key not in actual]
        inner = [faults(example[key], actual[key], f"{where}.{key}") for key in example if key in actual]
        return [*missing, *(fault for faulty in inner for fault in faulty)]
    if isinstance(example, list) and isinstance(actual, list):
        return faults(example[0], actual[0], f"{where}[]") if example and actual else []
    if example is None or actual is None or _kind(example) is _kind(actual):
        return []
    return [f"{where} is {type(actual).__name__}, not {type(example).__name__}"]


def _kind(value: Any) -> type:
    return float if isinstance(value, int) and not isinstance(value, bool) else type(value)


def _shortened(value: Any) -> Any:
    """Lists to two items, long texts to a line: an example, not a dump."""
    if isinstance(value, dict):
        return {key: _shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_shortened(item) for item in value[:2]]
    if isinstance(value, str):
        for place, shown in ((str(get_settings().home), "/data"), (str(REPOSITORY), "/app")):
            value = value.replace(place, shown)
        return value if len(value) <= 160 else value[:159] + "…"
    return value


def main() -> None:
    """Write the examples of `docs/examples/` anew."""
    EXAMPLES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        papers = Path(folder) / "papers"
        papers.mkdir()
        for name in PAPERS:
            shutil.copy(REPOSITORY / "samples" / "papers" / name, papers)

        def write(name: str, document: dict[str, Any], code: int, expected: int) -> None:
            assert code == expected, f"{name} ended with {code}: {document}"
            text = json.dumps(_shortened(document), ensure_ascii=False, indent=2)
            text = text.replace(str(folder), "/tmp")
            (EXAMPLES / f"{name}.json").write_text(text + "\n", encoding="utf-8")
            print(name)

        walk(papers, REPOSITORY / "samples" / "datasets" / "2wiki.json", write)


if __name__ == "__main__":
    main()
