"""Draw one graph of each type from the small data sets: `python -m samples.datasets.pictures`.

The pictures of docs/reasoning-graphs.md are made by this, with what the product itself draws.
"""

from __future__ import annotations

from qa.datasets.importer import FORMATS, understood
from qa.datasets.reader import Records
from qa.datasets.records import ParsedRecord
from qa.reasoning.shapes import GRAPH_TYPES
from qa.reasoning.svg import to_svg
from samples.datasets.build import FOLDER
from settings import REPOSITORY

PICTURES = REPOSITORY / "docs" / "pictures" / "reasoning-graphs"
FILES = {"hotpotqa": "hotpotqa.json", "musique": "musique.jsonl", "2wiki": "2wiki.json"}


def draw() -> dict[str, str]:
    """The first graph of each of the twelve types, as SVG, by its type."""
    found: dict[str, str] = {}
    for source_format, name in FILES.items():
        for position, raw in Records(FOLDER / name):
            parsed = FORMATS[source_format](raw, name, position)
            if isinstance(parsed, ParsedRecord):
                positive = understood(source_format, source_format, parsed, ()).positive
                found.setdefault(positive.graph_type, to_svg(positive, with_answers=True))
    return {name: found[name] for name in GRAPH_TYPES}


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    for graph_type, svg in draw().items():
        (PICTURES / f"{graph_type}.svg").write_text(svg + "\n", encoding="utf-8")
        print(f"{graph_type}.svg")
