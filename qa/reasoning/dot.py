"""Reasoning graphs in DOT, as they go into a prompt and into a file.

The reasoning-graph paper prompts with the graph in DOT, nodes labelled with their sentences
(its section 3.3). Sub-answers are left out unless asked for: the last one is the answer.
"""

from __future__ import annotations

from graph.models import ReasoningGraph

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": None, "\0": None})


def quoted(text: str) -> str:
    """The text as a DOT string. A backslash of the text stays one, so no label escape can arise."""
    return '"' + text.replace("\r\n", "\n").replace("\r", "\n").translate(_ESCAPES) + '"'


def to_dot(graph: ReasoningGraph, with_answers: bool = False) -> str:
    """The graph as DOT text that Graphviz parses.

    A node is named by its place (`s1`, `s2`, ...), its `label` is the text it states, and its
    `title` the heading that the text stands under, where there is one. Sub-questions and
    sub-answers are written only `with_answers`.
    """
    lines = ["digraph reasoning {"]
    for step in graph.steps:
        attributes = [f"label={quoted(step.text)}"]
        if step.title:
            attributes.insert(0, f"title={quoted(step.title)}")
        if with_answers and step.sub_question:
            attributes.append(f"question={quoted(step.sub_question)}")
        if with_answers and step.sub_answer:
            attributes.append(f"answer={quoted(step.sub_answer)}")
        lines.append(f"  s{step.ordinal + 1} [{', '.join(attributes)}];")
    lines.extend(f"  s{source + 1} -> s{target + 1};" for source, target in graph.edges)
    lines.append("}")
    return "\n".join(lines) + "\n"
