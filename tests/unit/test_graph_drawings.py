"""Reasoning graphs as DOT that Graphviz parses, and as SVG."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from graph.models import ReasoningGraph
from qa.datasets.importer import FORMATS, understood
from qa.datasets.reader import Records
from qa.datasets.records import ParsedRecord
from qa.reasoning.dot import to_dot
from qa.reasoning.graphml import to_graphml
from qa.reasoning.negative import Pool, make_negatives
from qa.reasoning.positive import Node, build_positive
from qa.reasoning.shapes import GRAPH_TYPES
from qa.reasoning.svg import to_svg
from samples.datasets.pictures import PICTURES, draw
from settings import REPOSITORY

SVG = "{http://www.w3.org/2000/svg}"
NASTY = [
    'He said "CO₂" — and left.',
    "ends in a backslash \\",
    "a \\N escape, a \\G, a \\\\ and \\\"",
    "two\nlines\r\nand a third\rhere",
    "<b>not HTML</b> & not an entity: &amp;",
    "{records|have|bars}; -> digraph graph node edge strict subgraph",
    "// no comment /* none */ # none",
    "αβγ → 水 H₂O ‘quoted’ “quoted”",
    "",
    " ",
]  # fmt: skip


def graph(texts: list[str], edges: list[tuple[int, int]], answers: bool = True) -> ReasoningGraph:
    nodes = [
        Node(
            text=text,
            title=f"Title {text}",
            sub_question=f"Which {number}?" if answers else None,
            sub_answer=f"secret{number}" if answers else None,
        )
        for number, text in enumerate(texts)
    ]
    return build_positive("qst_1", nodes, edges)


def parsed(dot: str) -> Any:
    """The text as Graphviz's own parser reads it."""
    pygraphviz = pytest.importorskip("pygraphviz", reason="Graphviz's parser is not installed")
    return pygraphviz.AGraph(string=dot)


def unescaped(label: str) -> str:
    """What a label means, by Graphviz's rules for escapes in strings."""
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], label)


def test_graphviz_reads_back_what_was_written() -> None:
    made = graph(NASTY, [(number, number + 1) for number in range(len(NASTY) - 1)])
    read = parsed(to_dot(made))
    assert sorted(read.nodes()) == sorted(f"s{number}" for number in range(1, len(NASTY) + 1))
    assert {tuple(edge) for edge in read.edges()} == {(f"s{n}", f"s{n + 1}") for n in range(1, len(NASTY))}
    for step in made.steps:
        node = read.get_node(f"s{step.ordinal + 1}")
        expected = step.text.replace("\r\n", "\n").replace("\r", "\n")
        assert unescaped(node.attr["label"] or "") == expected
        assert unescaped(node.attr["title"]) == f"Title {expected}"


@settings(max_examples=80, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), min_size=1, max_size=4))
def test_graphviz_reads_any_text(texts: list[str]) -> None:
    read = parsed(to_dot(graph(texts, [])))
    assert len(read.nodes()) == len(texts)
    for number, text in enumerate(texts):
        label = read.get_node(f"s{number + 1}").attr["label"] or ""
        assert unescaped(label) == text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def records() -> Iterator[tuple[str, Any, str]]:
    """Every record of our small data sets and of the real ones, where they are there."""
    shared = REPOSITORY.parent / "shared" / "data"
    for folder in (REPOSITORY / "samples" / "datasets", shared):
        for source_format in FORMATS:
            found = [*folder.glob(f"{source_format}.json*"), *folder.glob(f"{source_format}/*.json*")]
            for path in sorted(found):
                for position, raw in Records(path):
                    yield source_format, raw, f"{path.name} {position}"


def test_graphviz_reads_the_graph_of_every_record() -> None:
    count = 0
    for source_format, raw, place in records():
        parsed_record = FORMATS[source_format](raw, place, "1")
        if isinstance(parsed_record, ParsedRecord):
            made = understood("d", source_format, parsed_record, ()).positive
            read = parsed(to_dot(made))
            assert len(read.nodes()) == len(made.steps), place
            assert len(read.edges()) == len(made.edges), place
            etree.fromstring(to_svg(made, with_answers=True).encode())
            count += 1
    assert count >= 32


def test_sub_answers_are_in_the_dot_only_when_asked_for() -> None:
    made = graph(["one", "two"], [(0, 1)])
    assert "secret" not in to_dot(made)
    assert "Which" not in to_dot(made)
    assert 'answer="secret1"' in to_dot(made, with_answers=True)


def test_the_dot_of_a_small_graph() -> None:
    made = build_positive("qst_1", [Node(text="A is B.", title="A"), Node(text='B is "C".')], [(0, 1)])
    assert to_dot(made) == (
        "digraph reasoning {\n"
        '  s1 [title="A", label="A is B."];\n'
        '  s2 [label="B is \\"C\\"."];\n'
        "  s1 -> s2;\n"
        "}\n"
    )


def test_graphml_is_read_back_by_another_library() -> None:
    made = graph([*NASTY, "\x07bell"], [(0, 1), (1, 2)])
    read = nx.read_graphml(io.BytesIO(to_graphml(made, with_answers=True).encode()))
    assert set(read.edges()) == {("s1", "s2"), ("s2", "s3")}
    assert len(read.nodes()) == len(made.steps)
    assert read.nodes["s1"] == {
        "title": f"Title {NASTY[0]}",
        "text": NASTY[0],
        "sub_question": "Which 0?",
        "sub_answer": "secret0",
    }
    assert "secret" not in to_graphml(made)


def boxes(svg: str) -> list[tuple[float, float, float, float]]:
    """Left, top, right, bottom of each node."""
    found = []
    for rect in etree.fromstring(svg.encode()).iter(f"{SVG}rect"):
        x, y, width, height = (float(rect.get(name, "0")) for name in ("x", "y", "width", "height"))
        found.append((x, y, x + width, y + height))
    return found


@pytest.mark.parametrize("name", list(GRAPH_TYPES))
def test_drawings_are_self_contained_and_nodes_do_not_overlap(name: str) -> None:
    n, edges = GRAPH_TYPES[name]
    gold = graph(
        [f"Fact {number} is long enough to be wrapped. " * (number + 1) for number in range(n)], list(edges)
    )
    pool = tuple(Node(text=f"Foreign {number}.") for number in range(9))
    for drawn in (gold, *make_negatives(gold, Pool(pool, pool, "0"), seed=1).graphs):
        svg = to_svg(drawn)
        root = etree.fromstring(svg.encode())
        assert root.findtext(f"{SVG}title") == (
            f"{drawn.polarity.capitalize()} reasoning graph, {drawn.graph_type}"
        )
        assert all(step.text.strip() in (root.findtext(f"{SVG}desc") or "") for step in drawn.steps)
        assert "href" not in svg
        assert "url(" not in svg
        assert "secret" not in svg
        width, height = (float(part) for part in root.get("viewBox", "").split()[2:])
        places = boxes(svg)
        assert len(places) == len(drawn.steps)
        assert all(x1 >= 0 and y1 >= 0 and x2 <= width and y2 <= height for x1, y1, x2, y2 in places)
        for number, (x1, y1, x2, y2) in enumerate(places):
            for left, top, right, bottom in places[:number]:
                assert x2 <= left or right <= x1 or y2 <= top or bottom <= y1


def test_arrows_lead_to_the_next_column() -> None:
    _, edges = GRAPH_TYPES["compositional_4_3"]  # 1→2→4, 3→4
    lefts = [box[0] for box in boxes(to_svg(graph(["a", "b", "c", "d"], list(edges))))]
    assert lefts[0] < lefts[1] == lefts[2] < lefts[3]


def test_any_text_can_be_drawn_and_long_words_are_cut() -> None:
    texts = [*NASTY, "x" * 300, "水" * 100, "\x00\x07bell", "word " * 200]
    svg = to_svg(graph(texts, [(0, 1), (1, 2)]), with_answers=True)
    root = etree.fromstring(svg.encode())
    lines = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert max(len(line) for line in lines) < 40
    assert any(line.endswith("…") for line in lines)
    assert "→ secret0" in lines


def test_the_pictures_of_the_documentation_are_what_the_product_draws() -> None:
    for name, svg in draw().items():
        assert (PICTURES / f"{name}.svg").read_text(encoding="utf-8") == svg + "\n", (
            "run python -m samples.datasets.pictures"
        )
