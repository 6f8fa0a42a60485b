"""Reasoning graphs in GraphML, for graph tools."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from graph.models import ReasoningGraph

# Characters that XML 1.0 does not allow.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_OF_GRAPHS = ("question_id", "polarity", "perturbation", "hardness", "graph_type")
_OF_NODES = ("title", "text")
_ANSWERS = ("sub_question", "sub_answer")


def to_graphml(graph: ReasoningGraph, with_answers: bool = False) -> str:
    """The graph as a GraphML document; nodes are `s1`, `s2`, ... as in DOT.

    Sub-questions and sub-answers are written only `with_answers`.
    """
    of_nodes = (*_OF_NODES, *_ANSWERS) if with_answers else _OF_NODES
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *(_key(name, "graph") for name in _OF_GRAPHS),
        *(_key(name, "node") for name in of_nodes),
        f'  <graph id={quoteattr(graph.id)} edgedefault="directed">',
        *_data(graph, _OF_GRAPHS, "    "),
    ]
    for step in graph.steps:
        lines += [f'    <node id="s{step.ordinal + 1}">', *_data(step, of_nodes, "      "), "    </node>"]
    lines += [f'    <edge source="s{source + 1}" target="s{target + 1}"/>' for source, target in graph.edges]
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _key(name: str, place: str) -> str:
    return f'  <key id="{name}" for="{place}" attr.name="{name}" attr.type="string"/>'


def _data(record: object, names: tuple[str, ...], indent: str) -> list[str]:
    values = ((name, getattr(record, name)) for name in names)
    return [
        f'{indent}<data key="{name}">{escape(_FORBIDDEN.sub(" ", value))}</data>'
        for name, value in values
        if value
    ]
