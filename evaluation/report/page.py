"""The report as one HTML page that opens offline: no script, no font, no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from evaluation.report.data import ReportData
from evaluation.report.labels import condition_label, perturbation_label, signed, source_label
from evaluation.report.samples import Sample
from evaluation.summary import HARD, Cell, Comparison

_HERE = Path(__file__).parent
_OUTCOMES = ("correct", "wrong", "refused", "unparsed", "error")


class Row:
    """One row of a table whose columns are the values of a key: a group and its cells by column."""

    def __init__(self, endpoint: str, group: str) -> None:
        self.endpoint, self.group = endpoint, group
        self.cells: dict[str, Cell] = {}

    @property
    def n(self) -> int:
        """The most questions of a cell in the row."""
        return max(cell.n for cell in self.cells.values())

    @property
    def small(self) -> bool:
        """Whether even the largest cell is small."""
        return all(cell.small for cell in self.cells.values())


def rows(cells: Sequence[Cell], group: str, column: str) -> list[Row]:
    """Rows by endpoint and `group`, each with its cells by `column`, in the cells' order."""
    found: dict[tuple[str, str], Row] = {}
    for cell in cells:
        key = cell.keys["endpoint"], cell.keys[group]
        found.setdefault(key, Row(*key)).cells[cell.keys[column]] = cell
    return list(found.values())


def endpoint_names(data: ReportData) -> dict[str, str]:
    """How each endpoint is called in tables and figures."""
    return {
        each.name: f"{each.name} ({each.label})" if each.baseline else each.name for each in data.endpoints
    }


def findings(data: ReportData) -> list[str]:
    """A few sentences on the first answerer, with the numbers they rest on."""
    first = data.endpoints[0]
    cells = {c.keys["condition"]: c for c in data.by_condition if c.keys["endpoint"] == first.name and c.n}
    if not cells:
        return []
    who = "The extractive baseline" if first.baseline else first.name
    best = max(cells.values(), key=lambda cell: cell.f1)
    lines = [
        f"{who} does best with {condition_label(best.keys['condition'])}: F1 {best.f1:.2f} "
        f"({best.f1_ci.low:.2f}–{best.f1_ci.high:.2f}), exact match {best.em:.2f}, on {best.n} questions."
    ]
    if "closed_book" in cells:
        closed = cells["closed_book"]
        refused = closed.outcomes.get("refused", 0)
        lines.append(
            "Without any text it refuses every question, as it has nothing to pick from."
            if refused == sum(closed.outcomes.values())
            else f"Without any text its F1 is {closed.f1:.2f} "
            f"({closed.f1_ci.low:.2f}–{closed.f1_ci.high:.2f})."
        )
    kinds = {c.second: c for c in data.perturbations if c.within == first.name}
    texts = {
        HARD: "A perturbed graph that keeps the evidence, in place of the positive one, changes F1 by {}.",
        "distractors": "A graph built from distractors only changes it by {}: it holds no evidence.",
    }
    lines += [text.format(_change(kinds[kind])) for kind, text in texts.items() if kind in kinds]
    return lines


def _change(pair: Comparison) -> str:
    """The second less the first, with interval and number of questions."""
    low, high = signed(-pair.f1.interval.high), signed(-pair.f1.interval.low)
    return f"{signed(-pair.f1.difference)} ({low} to {high}; {pair.n} questions)"


def _numbering() -> Callable[[str], int]:
    """Numbers tables (and, with another counter, figures) in the order in which they are named."""
    given: dict[str, int] = {}

    def number(name: str) -> int:
        return given.setdefault(name, len(given) + 1)

    return number


def render_page(data: ReportData, figures: Mapping[str, str]) -> str:
    """The page. `figures` are SVG by name; a missing one is left out."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["attr_get"] = lambda counts, key: counts.get(key, 0)
    template = environment.from_string((_HERE / "report.html.j2").read_text(encoding="utf-8"))
    types = rows(data.by_type, "graph_type", "condition")
    context: dict[str, Any] = {
        "d": data,
        "css": _trusted((_HERE / "report.css").read_text(encoding="utf-8")),
        "figures": _Figures(figures),
        "number": _numbering(),
        "figure_number": _numbering(),
        "names": endpoint_names(data),
        "many": len(data.endpoints) > 1,
        "has_baseline": any(endpoint.baseline for endpoint in data.endpoints),
        "findings": findings(data),
        "template_questions": any(part.templates for part in data.composition),
        "conditions": list(dict.fromkeys(cell.keys["condition"] for cell in data.by_condition)),
        "outcomes": [o for o in _OUTCOMES if any(o in cell.outcomes for cell in data.by_condition)],
        "datasets": rows(data.by_dataset, "dataset", "condition"),
        "by_hops": rows(data.by_hops, "condition", "hops"),
        "hops": sorted({cell.keys["hops"] for cell in data.by_hops}, key=int),
        "types": types,
        "all_types": sorted({t for part in data.composition for t in part.by_type}),
        "condition": condition_label,
        "perturbation": perturbation_label,
        "source": source_label,
        "signed": signed,
        "svg": _svg,
    }
    return template.render(context)


def _trusted(text: str) -> Markup:
    """Our own style sheet, and drawings whose makers escape what they draw."""
    return Markup(text)  # noqa: S704


class _Figures(dict[str, Markup]):
    """SVG by name, as markup; a figure that was not made is empty."""

    def __init__(self, figures: Mapping[str, str]) -> None:
        super().__init__({name: _trusted(svg) for name, svg in figures.items()})

    def __missing__(self, name: str) -> Markup:
        return Markup("")


def _svg(sample: Sample) -> Markup:
    return _trusted(sample.svg)
