"""How names of conditions, kinds and sources are written for readers."""

from __future__ import annotations

_CONDITIONS = {
    "closed_book": "closed book",
    "gold": "gold text",
    "positive_graph": "positive graph",
    "negative_graph": "negative graph",
    "bm25": "BM25",
}
_SOURCES = {
    "catenane": "own questions",
    "hotpotqa": "HotpotQA",
    "musique": "MuSiQue",
    "2wiki": "2WikiMultiHopQA",
    "chemkg": "ChemKGMultiHopQA",
}


def condition_label(name: str) -> str:
    """`negative_graph:edge_added` as "negative graph (edge added)"."""
    base, _, kind = name.partition(":")
    label = _CONDITIONS.get(base, base.replace("_", " "))
    return f"{label} ({perturbation_label(kind)})" if kind else label


def perturbation_label(kind: str) -> str:
    """`edge_added` as "edge added"; none is the positive graph."""
    special = {"": "none (positive graph)", "distractors": "distractors only", "hard": "all but distractors"}
    return special.get(kind, kind.replace("_", " "))


def signed(value: float) -> str:
    """A difference to two places with its sign; none where it rounds to nothing."""
    text = f"{value:+.2f}".replace("-", "−")
    return "0.00" if text[1:] == "0.00" else text


def source_label(source_format: str) -> str:
    """The name of a data set's source."""
    return _SOURCES.get(source_format, source_format)
