"""Reasoning graphs: shapes and their names, positive and negative graphs, DOT, GraphML and pictures."""

from __future__ import annotations

from qa.reasoning.dot import to_dot
from qa.reasoning.graphml import to_graphml
from qa.reasoning.negative import KINDS, NegativeOptions, Negatives, Pool, make_negatives
from qa.reasoning.positive import Node, build_positive, positive_id
from qa.reasoning.shapes import GRAPH_TYPES, classify
from qa.reasoning.svg import to_svg

__all__ = [
    "GRAPH_TYPES",
    "KINDS",
    "NegativeOptions",
    "Negatives",
    "Node",
    "Pool",
    "build_positive",
    "classify",
    "make_negatives",
    "positive_id",
    "to_dot",
    "to_graphml",
    "to_svg",
]
