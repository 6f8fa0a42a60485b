"""What `catenane demo --exit --json` must print: the keys of the contract, and plausible numbers.

    python -m tests.support.demo_check FIRST.json [SECOND.json]

The second document is of a second run on the same home: it must find nothing to add.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

KEYS = {
    "documents",
    "refused",
    "chunks",
    "entities",
    "relations",
    "paths",
    "questions",
    "reused_sources",
    "leaks",
    "reasoning_graphs",
    "datasets",
    "evaluation",
    "backend",
    "report",
    "url",
}
CONDITIONS = {"closed_book", "gold", "positive_graph", "negative_graph", "bm25"}
TWELVE = {
    "comparison_2_1",
    "bridge_2_1",
    "comparison_3_1",
    "bridge_3_1",
    "compositional_3_2",
    "comparison_4_1",
    "bridge_4_1",
    "compositional_4_2",
    "compositional_4_3",
    "bridge_comparison_4_1",
    "comparison_5_1",
    "bridge_comparison_5_1",
}


def faults(document: dict[str, Any]) -> list[str]:
    """Everything that is not as the issue asks; empty where all is well."""
    found: list[str] = []

    def expect(holds: bool, says: str) -> None:
        if not holds:
            found.append(says)

    expect(set(document) >= KEYS, f"keys missing: {sorted(KEYS - set(document))}")
    if found:
        return found
    questions = document["questions"]
    expect(document["documents"] >= 30, f"documents: {document['documents']}")
    expect(questions["accepted"] >= 60, f"accepted questions: {questions['accepted']}")
    for hops in ("1", "2", "3", "4"):
        expect(questions["by_hops"].get(hops, 0) >= 10, f"{hops}-hop questions: {questions['by_hops']}")
    for hops, least in (("2", 200), ("3", 100), ("4", 50)):
        expect(document["paths"].get(hops, 0) >= least, f"{hops}-hop paths: {document['paths']}")
    expect(sum(questions["by_hops"].values()) == questions["accepted"], "by_hops does not add up")
    expect(document["reused_sources"] == 0, f"reused_sources: {document['reused_sources']}")
    expect(document["leaks"] == 0, f"leaks: {document['leaks']}")
    expect(document["reasoning_graphs"]["positive"] >= questions["accepted"], "positive graphs are missing")
    expect(document["reasoning_graphs"]["negative"] > 0, "there are no negative graphs")
    seen = {kind for data in document["datasets"].values() for kind in data["graph_types"]}
    expect(seen >= TWELVE, f"graph types missing: {sorted(TWELVE - seen)}")
    expect(set(document["evaluation"]) >= CONDITIONS, f"conditions: {sorted(document['evaluation'])}")
    for condition, values in document["evaluation"].items():
        expect(values["n"] > 0, f"{condition}: nothing was answered")
        for metric in ("em", "f1"):
            low, high = values[f"{metric}_ci"]
            expect(0 <= low <= values[metric] <= high <= 1, f"{condition}: {metric} {values}")
    expect(document["backend"] == "offline", f"backend: {document['backend']}")
    expect(Path(document["report"]).is_file(), f"report: {document['report']}")
    reasons = [refused["reason"] for refused in document["refused"]]
    expect(len(reasons) >= 3 and all(reasons), f"refused: {document['refused']}")
    return found


def main(arguments: list[str]) -> int:
    first = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    found = faults(first)
    if len(arguments) > 1:
        second = json.loads(Path(arguments[1]).read_text(encoding="utf-8"))
        found += [
            f"a second run changed {key}: {first[key]} -> {second[key]}"
            for key in sorted(KEYS - {"url", "report"})
            if first[key] != second[key]
        ]
    for fault in found:
        print(f"demo: {fault}", file=sys.stderr)
    print(f"demo_check: {1 if not found else 0} passed, {1 if found else 0} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
