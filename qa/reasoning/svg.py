"""Pictures of reasoning graphs with their sentences: self-contained SVG that opens anywhere.

Nodes stand in columns by the longest way to them, each as far to the right as what it leads to
allows, so arrows lead to the next column. An arrow that passes a column, or closes a cycle, goes
below. Meant for up to eight nodes or so.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from graph.models import ReasoningGraph, Step
from qa.reasoning.shapes import Edge

_WIDTH = 250  # of a node, in pixels
_PADDING = 12
_LINE = 16
_GAP_X, _GAP_Y = 64, 22
_MARGIN = 10
# Average widths at 12 px in a wide sans-serif, the reader's being unknown; wide scripts count twice.
_CHARACTER = 6.9
_TITLE_CHARACTER = 7.6  # in bold
_MOST_LINES = 9
_INK, _FAINT, _FILL, _LINE_COLOUR = "#1c2733", "#5b6b7a", "#f5f8fb", "#7b8fa3"
_ACCENT, _ACCENT_FILL = "#1f6f5c", "#eef7f3"  # the node that the reasoning ends in
_FORBIDDEN = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_FONT = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"


@dataclass
class _Box:
    """A node to be drawn: its lines of text and its place."""

    step: Step
    title: list[str]
    text: list[str]
    last: bool
    answer: list[str]
    x: float = 0.0
    y: float = 0.0

    @property
    def height(self) -> float:
        lines = len(self.title) + len(self.text) + len(self.answer)
        return 2 * _PADDING + lines * _LINE + (5 if self.answer else 0)


def to_svg(graph: ReasoningGraph, with_answers: bool = False) -> str:
    """The graph as one `<svg>` element, with its description for readers that cannot see it.

    The whole text of a node is its tooltip where the drawing cuts it. Sub-answers are drawn only
    `with_answers`.
    """
    columns = _columns(len(graph.steps), graph.edges)
    sources = {source for source, _ in graph.edges}
    last = set(range(len(graph.steps))) - sources if graph.edges and graph.polarity == "positive" else set()
    boxes = [_box(step, step.ordinal in last, with_answers) for step in graph.steps]
    width, height = _place(boxes, columns, graph.edges)
    if any(not _next(boxes[source], boxes[target]) for source, target in graph.edges):
        height += 26  # room for arrows below
    name = f"{graph.polarity.capitalize()} reasoning graph, {graph.graph_type}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img"'
        f' style="max-width:{width:.0f}px;width:100%;height:auto"'
        f' font-family="{html.escape(_FONT)}" font-size="12">',
        f"<title>{html.escape(name)}</title>",
        f"<desc>{html.escape(_description(graph))}</desc>",
        *(_arrow(boxes[source], boxes[target], height) for source, target in graph.edges),
        *(_drawn(box, with_answers) for box in boxes),
        "</svg>",
    ]
    return "\n".join(parts)


def _description(graph: ReasoningGraph) -> str:
    nodes = " ".join(f"{step.ordinal + 1}: {_one_line(step.text)}" for step in graph.steps)
    edges = ", ".join(f"{source + 1} to {target + 1}" for source, target in graph.edges)
    return f"{nodes} Arrows: {edges or 'none'}."


# ---------------------------------------------------------------- layout


def _columns(n: int, edges: Sequence[Edge]) -> list[int]:
    """The column of each node, over the edges that close no cycle; three abreast where there are none."""
    if not edges:
        return [node % 3 for node in range(n)]
    kept: list[Edge] = []
    for edge in edges:
        if not _reaches(edge[1], edge[0], kept):
            kept.append(edge)
    columns = [0] * n
    for _ in range(n):
        for source, target in kept:
            columns[target] = max(columns[target], columns[source] + 1)
    for _ in range(n):
        for node in range(n):
            after = [columns[target] for source, target in kept if source == node]
            columns[node] = min(after) - 1 if after else columns[node]
    return columns


def _next(source: _Box, target: _Box) -> bool:
    """Whether the target stands in the column after the source's."""
    return round(target.x - source.x) == _WIDTH + _GAP_X


def _reaches(start: int, goal: int, edges: Sequence[Edge]) -> bool:
    seen, waiting = {start}, [start]
    while waiting:
        node = waiting.pop()
        for source, target in edges:
            if source == node and target not in seen:
                seen.add(target)
                waiting.append(target)
    return goal in seen


def _place(boxes: Sequence[_Box], columns: Sequence[int], edges: Sequence[Edge]) -> tuple[float, float]:
    """Give every box its place; returns width and height of the drawing.

    A column's order follows that of the nodes leading to it; columns are centred on the tallest.
    """
    order: dict[int, list[int]] = {}
    rank: dict[int, float] = {}
    for column in range(max(columns) + 1):
        members = [node for node in range(len(boxes)) if columns[node] == column]

        def weight(node: int) -> tuple[float, int]:
            before = [rank[source] for source, target in edges if target == node and source in rank]
            return (sum(before) / len(before) if before else float(node), node)

        order[column] = sorted(members, key=weight)
        rank.update({node: float(place) for place, node in enumerate(order[column])})
    heights = {
        column: sum(boxes[node].height for node in nodes) + _GAP_Y * (len(nodes) - 1)
        for column, nodes in order.items()
    }
    tallest = max(heights.values())
    for column, nodes in order.items():
        y = _MARGIN + (tallest - heights[column]) / 2
        for node in nodes:
            boxes[node].x = _MARGIN + column * (_WIDTH + _GAP_X)
            boxes[node].y = y
            y += boxes[node].height + _GAP_Y
    return 2 * _MARGIN + len(order) * _WIDTH + (len(order) - 1) * _GAP_X, 2 * _MARGIN + tallest


# ---------------------------------------------------------------- text


def _box(step: Step, last: bool, with_answers: bool) -> _Box:
    room = _WIDTH - 2 * _PADDING
    title = _wrapped(f"{step.ordinal + 1}  {_one_line(step.title)}".rstrip(), room / _TITLE_CHARACTER, 2)
    answer = (
        _wrapped(f"→ {_one_line(step.sub_answer)}", room / _TITLE_CHARACTER, 2)
        if (with_answers and step.sub_answer)
        else []
    )
    return _Box(step, title, _wrapped(_one_line(step.text), room / _CHARACTER, _MOST_LINES), last, answer)


def _one_line(text: str | None) -> str:
    """White space single, and without characters that XML does not allow."""
    return " ".join(_FORBIDDEN.sub(" ", text or "").split())


def _measure(text: str) -> float:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _wrapped(text: str, room: float, most: int) -> list[str]:
    """Lines of at most `room` characters; words that are longer are cut, what is left over is "…"."""
    lines, line = [], ""
    for word in text.split():
        rest = word
        while rest:
            if _measure(f"{line} {rest}".strip()) <= room:
                line, rest = f"{line} {rest}".strip(), ""
            elif line:
                lines.append(line)
                line = ""
            else:
                cut = max(1, int(room))
                while cut > 1 and _measure(rest[:cut]) > room:
                    cut -= 1
                line, rest = rest[:cut], rest[cut:]
    lines += [line] if line else []
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], f"{lines[most - 1][: max(1, int(room) - 2)]}…"]


# ---------------------------------------------------------------- drawing


def _drawn(box: _Box, with_answers: bool) -> str:
    stroke, fill = (_ACCENT, _ACCENT_FILL) if box.last else (_LINE_COLOUR, _FILL)
    tip = f"{box.step.title}: {box.step.text}" if box.step.title else box.step.text
    if with_answers and box.step.sub_question:
        tip += f" [{box.step.sub_question} {box.step.sub_answer or ''}]"
    x, y = box.x + _PADDING, box.y + _PADDING + 11
    rows = []
    for line in box.title:
        rows.append(
            f'<text x="{x:.0f}" y="{y:.0f}" font-weight="600" fill="{_INK}">{html.escape(line)}</text>'
        )
        y += _LINE
    for line in box.text:
        rows.append(f'<text x="{x:.0f}" y="{y:.0f}" fill="{_INK}">{html.escape(line)}</text>')
        y += _LINE
    for line in box.answer:
        rows.append(
            f'<text x="{x:.0f}" y="{y + 5:.0f}" font-weight="600" fill="{_ACCENT}">{html.escape(line)}</text>'
        )
        y += _LINE
    return (
        f"<g><title>{html.escape(_one_line(tip))}</title>"
        f'<rect x="{box.x:.0f}" y="{box.y:.0f}" width="{_WIDTH}" height="{box.height:.0f}" rx="8"'
        f' fill="{fill}" stroke="{stroke}" stroke-width="1.2"/>' + "".join(rows) + "</g>"
    )


def _arrow(source: _Box, target: _Box, height: float) -> str:
    """A curve with its own head, since ids of markers would clash where several drawings share a page."""
    if _next(source, target):
        x1, y1 = source.x + _WIDTH, source.y + source.height / 2
        x2, y2 = target.x, target.y + target.height / 2
        bend = max(24.0, (x2 - x1) / 2)
        path = f"M{x1:.0f},{y1:.0f} C{x1 + bend:.0f},{y1:.0f} {x2 - bend:.0f},{y2:.0f} {x2 - 7:.0f},{y2:.0f}"
        head = f"M{x2:.0f},{y2:.0f} l-9,-4.5 v9 z"
    else:  # below everything
        x1, y1 = source.x + _WIDTH / 2 + 14, source.y + source.height
        x2, y2 = target.x + _WIDTH / 2 - 14, target.y + target.height
        low = height - 4
        path = f"M{x1:.0f},{y1:.0f} C{x1:.0f},{low:.0f} {x2:.0f},{low:.0f} {x2:.0f},{y2 + 7:.0f}"
        head = f"M{x2:.0f},{y2:.0f} l-4.5,9 h9 z"
    return (
        f'<path d="{path}" fill="none" stroke="{_FAINT}" stroke-width="1.6"/>'
        f'<path d="{head}" fill="{_FAINT}"/>'
    )
