"""The report's figures: Altair charts rendered to SVG, readable on light and on dark ground.

Text, axes and grid take the page's own ink (`currentColor`); series colours are mid-tones. The
renderer is slow to start (about a second) and quick afterwards, so all figures are made in one go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evaluation.report.labels import condition_label, perturbation_label
from evaluation.summary import Cell, order

INK = "currentColor"
COLOURS = {
    "closed_book": "#8b929c",
    "bm25": "#c98a1b",
    "gold": "#2f9e77",
    "positive_graph": "#3f82d0",
    "negative_graph": "#cf5b6b",
}
EXACT, OVERLAP = "#3f82d0", "#c98a1b"
_OTHERS = ("#9a6fc4", "#5aa7b8", "#a3763f", "#7d9b3a", "#c46fa3", "#6f7fc4", "#b85a5a", "#4f8f6f")


def render(cells: Mapping[str, Sequence[Cell]], endpoints: Mapping[str, str]) -> dict[str, str]:
    """SVG by figure name; figures without data are left out.

    Args:
        cells: `by_condition`, `by_hops`, `by_type`, `by_perturbation`, `outcomes` (as by_condition).
        endpoints: what each endpoint is called in the figures.
    """
    # Imported here: Altair takes a second to load, and only reports need it.
    import altair as alt  # noqa: PLC0415
    import vl_convert  # noqa: PLC0415

    made = {
        "by_condition": _by_condition(alt, cells["by_condition"], endpoints),
        "outcomes": _outcomes(alt, cells["by_condition"], endpoints),
        "by_hops": _by_hops(alt, cells["by_hops"], endpoints),
        "by_type": _by_type(alt, cells["by_type"], endpoints),
        "by_perturbation": _by_perturbation(alt, cells["by_perturbation"], endpoints),
    }
    return {
        name: vl_convert.vegalite_to_svg(_dressed(alt, chart).to_dict())
        for name, chart in made.items()
        if chart is not None
    }


def _dressed(alt: Any, chart: Any) -> Any:
    """The look that all figures share."""
    return chart.configure(
        background="transparent",
        font="sans-serif",
        view=alt.ViewConfig(stroke=None),
        axis=alt.AxisConfig(
            labelColor=INK,
            titleColor=INK,
            domainColor=INK,
            tickColor=INK,
            gridColor=INK,
            domainOpacity=0.4,
            tickOpacity=0.4,
            gridOpacity=0.12,
            labelFontSize=12,
            titleFontSize=12,
            titleFontWeight="normal",
            labelLimit=260,
            labelPadding=8,
        ),
        header=alt.HeaderConfig(labelColor=INK, titleColor=INK, labelFontSize=12, labelFontWeight="bold"),
        legend=alt.LegendConfig(
            labelColor=INK,
            titleColor=INK,
            labelFontSize=12,
            titleFontSize=12,
            symbolOpacity=1.0,
            labelLimit=260,
        ),
    )


def _rows(cells: Iterable[Cell], endpoints: Mapping[str, str]) -> list[dict[str, Any]]:
    """Cells as flat records, with what the marks need."""
    rows = []
    for cell in cells:
        condition = cell.keys.get("condition", "")
        rows.append(
            {
                **cell.keys,
                "who": endpoints[cell.keys["endpoint"]],
                "shown": condition_label(condition),
                "n": cell.n,
                "small": cell.small,
                "em": cell.em,
                "em_low": cell.em_ci.low,
                "em_high": cell.em_ci.high,
                "f1": cell.f1,
                "f1_low": cell.f1_ci.low,
                "f1_high": cell.f1_ci.high,
                "outcomes": cell.outcomes,
            }
        )
    return [row for row in rows if row["n"]]


def _unique(rows: Iterable[Mapping[str, Any]], key: str) -> list[Any]:
    return list(dict.fromkeys(row[key] for row in rows))


def _score_axis(alt: Any, title: str) -> Any:
    return alt.Axis(title=title, values=[0, 0.2, 0.4, 0.6, 0.8, 1], format=".1f")


def _colours(alt: Any, rows: Sequence[Mapping[str, Any]], legend: bool = True) -> Any:
    """One colour a condition, the same in every figure."""
    conditions = dict.fromkeys((row["shown"], row["condition"]) for row in rows)
    others = iter(_OTHERS * 3)
    values = [COLOURS.get(name) or next(others) for _, name in conditions]
    return alt.Color(
        "shown:N",
        title=None,
        scale=alt.Scale(domain=[shown for shown, _ in conditions], range=values),
        legend=alt.Legend(orient="top", columns=5, symbolType="circle") if legend else None,
    )


def _faceted(alt: Any, chart: Any, rows: Sequence[Mapping[str, Any]]) -> Any:
    """One panel an endpoint, side by side, where there are several."""
    if len(_unique(rows, "who")) < 2:
        return chart
    return chart.facet(facet=alt.Facet("who:N", title=None), columns=2)


def _by_condition(alt: Any, cells: Sequence[Cell], endpoints: Mapping[str, str]) -> Any:
    rows = _rows(cells, endpoints)
    if not rows:
        return None
    points = [
        {
            "who": row["who"],
            "shown": row["shown"],
            "metric": metric,
            "value": row[key],
            "low": row[f"{key}_low"],
            "high": row[f"{key}_high"],
        }
        for row in rows
        for metric, key in (("exact match", "em"), ("F1", "f1"))
    ]
    base = alt.Chart(alt.Data(values=points)).encode(
        y=alt.Y(
            "shown:N", sort=_unique(points, "shown"), title=None, axis=alt.Axis(ticks=False, domain=False)
        ),
        yOffset=alt.YOffset("metric:N", sort=["exact match", "F1"], scale=alt.Scale(paddingOuter=0.55)),
        color=alt.Color(
            "metric:N",
            title=None,
            sort=["exact match", "F1"],
            scale=alt.Scale(domain=["exact match", "F1"], range=[EXACT, OVERLAP]),
            legend=alt.Legend(orient="top", symbolType="circle"),
        ),
    )
    lines = base.mark_rule(strokeWidth=2.5, opacity=0.55, strokeCap="round").encode(
        x=alt.X("low:Q", scale=alt.Scale(domain=[0, 1]), axis=_score_axis(alt, "mean score, 95% interval")),
        x2="high:Q",
    )
    dots = base.mark_circle(size=110, opacity=1).encode(x="value:Q")
    wide = 560 if len(_unique(points, "who")) < 2 else 300
    chart = (lines + dots).properties(width=wide, height=46 * len(_unique(points, "shown")))
    return _faceted(alt, chart, points)


def _outcomes(alt: Any, cells: Sequence[Cell], endpoints: Mapping[str, str]) -> Any:
    order = ["correct", "wrong", "refused", "unparsed", "error"]
    rows = [
        {
            "who": row["who"],
            "shown": row["shown"],
            "outcome": outcome,
            "answers": count,
            "rank": order.index(outcome),
        }
        for row in _rows(cells, endpoints)
        for outcome, count in row["outcomes"].items()
    ]
    if not rows:
        return None
    found = [each for each in order if each in _unique(rows, "outcome")]
    colours = dict(zip(order, ["#2f9e77", "#cf5b6b", "#8b929c", "#c98a1b", "#7d5bb8"], strict=True))
    chart = (
        alt.Chart(alt.Data(values=rows))
        .mark_bar(height=18, cornerRadius=1)
        .encode(
            y=alt.Y(
                "shown:N", sort=_unique(rows, "shown"), title=None, axis=alt.Axis(ticks=False, domain=False)
            ),
            x=alt.X("answers:Q", title="answers"),
            order=alt.Order("rank:O"),
            color=alt.Color(
                "outcome:N",
                title=None,
                scale=alt.Scale(domain=found, range=[colours[each] for each in found]),
                legend=alt.Legend(orient="top"),
            ),
        )
        .properties(
            width=560 if len(_unique(rows, "who")) < 2 else 300, height=32 * len(_unique(rows, "shown"))
        )
    )
    return _faceted(alt, chart, rows)


def _by_hops(alt: Any, cells: Sequence[Cell], endpoints: Mapping[str, str]) -> Any:
    rows = _rows(cells, endpoints)
    if len(_unique(rows, "hops")) < 2:
        return None
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X(
            "hops:O",
            title="hops",
            sort=sorted(_unique(rows, "hops"), key=int),
            axis=alt.Axis(labelAngle=0, grid=False),
        ),
        xOffset=alt.XOffset("shown:N", sort=_unique(rows, "shown"), scale=alt.Scale(paddingOuter=0.3)),
        color=_colours(alt, rows),
    )
    scale = alt.Scale(domain=[0, 1])
    lines = base.mark_rule(strokeWidth=2, opacity=0.55).encode(
        y=alt.Y("f1_low:Q", scale=scale, axis=_score_axis(alt, "F1, 95% interval")), y2="f1_high:Q"
    )
    dots = base.mark_point(size=75, filled=True, opacity=1).encode(
        y=alt.Y("f1:Q", scale=scale),
        shape=alt.condition("datum.small", alt.value("diamond"), alt.value("circle")),
    )
    wide = 140 * len(_unique(rows, "hops")) if len(_unique(rows, "who")) < 2 else 300
    return _faceted(alt, (lines + dots).properties(width=max(320, min(640, wide)), height=260), rows)


def _by_type(alt: Any, cells: Sequence[Cell], endpoints: Mapping[str, str]) -> Any:
    rows = _rows(cells, endpoints)
    if not rows:
        return None
    for row in rows:
        row["label"] = f"{row['f1']:.2f}" + ("†" if row["small"] else "")
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X(
            "shown:N",
            title=None,
            sort=_unique(sorted(rows, key=lambda row: order((row["condition"],))), "shown"),
            axis=alt.Axis(orient="top", labelAngle=0, ticks=False, domain=False, labelLimit=110),
        ),
        y=alt.Y(
            "graph_type:N",
            title=None,
            sort=_unique(rows, "graph_type"),
            axis=alt.Axis(ticks=False, domain=False),
        ),
    )
    scheme = alt.Scale(domain=[0, 1], range=["#eef2f7", "#7fb2e5", "#1d4f91"], interpolate="rgb")
    boxes = base.mark_rect(cornerRadius=3, stroke="transparent", strokeWidth=3).encode(
        color=alt.Color(
            "f1:Q", title="F1", scale=scheme, legend=alt.Legend(orient="right", gradientLength=120)
        )
    )
    numbers = base.mark_text(fontSize=12).encode(
        text="label:N",
        color=alt.condition("datum.f1 > 0.55", alt.value("#ffffff"), alt.value("#16202b")),
    )
    chart = (boxes + numbers).properties(
        width=112 * len(_unique(rows, "shown")), height=30 * len(_unique(rows, "graph_type"))
    )
    if len(_unique(rows, "who")) < 2:
        return chart
    return chart.facet(facet=alt.Facet("who:N", title=None), columns=1)


def _by_perturbation(alt: Any, cells: Sequence[Cell], endpoints: Mapping[str, str]) -> Any:
    rows = _rows(cells, endpoints)
    if len(_unique(rows, "perturbation")) < 2:
        return None
    for row in rows:
        row["kind"] = perturbation_label(row["perturbation"])
        row["series"] = "negative" if row["perturbation"] else "positive"
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("kind:N", sort=_unique(rows, "kind"), title=None, axis=alt.Axis(ticks=False, domain=False)),
        color=alt.Color(
            "series:N",
            title=None,
            scale=alt.Scale(
                domain=["positive", "negative"], range=[COLOURS["positive_graph"], COLOURS["negative_graph"]]
            ),
            legend=None,
        ),
    )
    lines = base.mark_rule(strokeWidth=2.5, opacity=0.55).encode(
        x=alt.X("f1_low:Q", scale=alt.Scale(domain=[0, 1]), axis=_score_axis(alt, "F1, 95% interval")),
        x2="f1_high:Q",
    )
    dots = base.mark_point(size=100, filled=True, opacity=1).encode(
        x="f1:Q", shape=alt.condition("datum.small", alt.value("diamond"), alt.value("circle"))
    )
    wide = 560 if len(_unique(rows, "who")) < 2 else 300
    chart = (lines + dots).properties(width=wide, height=34 * len(_unique(rows, "kind")))
    return _faceted(alt, chart, rows)
