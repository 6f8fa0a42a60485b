"""Exact match and F1 as MuSiQue's `metrics/answer.py` defines them (SQuAD's, over aliases).

The normaliser is HotpotQA's to the letter; two things differ: yes and no get partial credit, and
two answers that both normalise to nothing have F1 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.metrics.hotpot import Score, normalise, overlap


def _score_one(prediction: str, gold: str) -> Score:
    predicted, expected = normalise(prediction), normalise(gold)
    em = float(predicted == expected)
    if not predicted or not expected:
        return Score(em, em, em, em)
    return Score(em, *overlap(predicted.split(), expected.split()))


def score(prediction: str, gold: str, aliases: Sequence[str] = ()) -> Score:
    """Score one answer: each measure is the best over the answer and its aliases, on its own."""
    scores = [_score_one(prediction, answer) for answer in (gold, *aliases)]
    return Score(*(max(values) for values in zip(*scores, strict=True)))
