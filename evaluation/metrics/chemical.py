"""Whether two answers name the same compound: CO2, carbon dioxide and O=C=O do; 3.5 and 35 do not.

Asked after exact match and before any judge, and reported apart from both, because the official
normaliser equates what chemistry keeps apart ("C++" with "C", "Li+" with "Li").
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.compounds import same_compound


def match(prediction: str, gold: str, aliases: Sequence[str] = ()) -> bool:
    """True where the prediction is the gold answer, or one of its aliases, by chemical identity."""
    answer = prediction.strip().rstrip(".")
    if not answer:
        return False
    return any(same_compound(answer, name) for name in (gold, *aliases))
