"""Exact match and F1 as 2WikiMultiHopQA's evaluation scripts define them.

Version 1 of the script is HotpotQA's; version 1.1 takes aliases (of the answer's Wikidata item)
and gives each measure its best value over all of them. Without aliases the two agree.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.metrics import hotpot
from evaluation.metrics.hotpot import Score


def score(prediction: str, gold: str, aliases: Sequence[str] = ()) -> Score:
    """Score one answer; yes and no count in full or not at all, for every alias."""
    scores = [hotpot.score(prediction, answer) for answer in (gold, *aliases)]
    return Score(*(max(values) for values in zip(*scores, strict=True)))
