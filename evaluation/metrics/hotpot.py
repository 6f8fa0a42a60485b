"""Exact match and F1 as HotpotQA's `hotpot_evaluate_v1.py` defines them.

The normaliser deletes ASCII punctuation only: an en dash, a curly quote and ² survive, and a
composed letter differs from its decomposed form. It therefore equates "3.5" with "35" and "C++"
with "C"; `evaluation.metrics.chemical` says where that is wrong. One gold answer: no aliases.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from typing import NamedTuple

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")
# Answers that get no credit for words shared with anything but themselves.
_WHOLE = frozenset({"yes", "no", "noanswer"})


class Score(NamedTuple):
    """How well one prediction fits, each in [0, 1]."""

    em: float
    f1: float
    precision: float
    recall: float


def normalise(text: str) -> str:
    """Lower case, no ASCII punctuation, no articles, single spaces. In this order: it matters."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def overlap(predicted: list[str], gold: list[str]) -> tuple[float, float, float]:
    """F1, precision and recall over bags of words; zeros where they share none (or one is empty)."""
    same = sum((Counter(predicted) & Counter(gold)).values())
    if same == 0:
        return 0.0, 0.0, 0.0
    precision, recall = same / len(predicted), same / len(gold)
    return 2 * precision * recall / (precision + recall), precision, recall


def score(prediction: str, gold: str) -> Score:
    """Score one answer.

    yes, no and noanswer count in full or not at all. Two answers that both normalise to nothing
    are an exact match with F1 0, as the script has it.
    """
    predicted, expected = normalise(prediction), normalise(gold)
    em = float(predicted == expected)
    if not em and (predicted in _WHOLE or expected in _WHOLE):
        return Score(0.0, 0.0, 0.0, 0.0)
    return Score(em, *overlap(predicted.split(), expected.split()))
