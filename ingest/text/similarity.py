"""Whether two paragraphs are the same text, as printed twice by a preprint server."""

from __future__ import annotations

import re
from collections import Counter

from domain.identity import normalise

_SHORT = 12  # below this many words a paragraph is too short to be told by its words alone


def words_of(text: str) -> list[str]:
    """Runs of letters and digits, normalised and in lower case."""
    return re.findall(r"[^\W_]+", normalise(text).lower())


def same_text(one: str, other: str, share: float = 0.85) -> bool:
    """Whether the shorter paragraph's words nearly all stand in the longer one of like length.

    Two renderings of one abstract differ in formulas and hyphens, so equality is too strict.
    """
    first, second = sorted((words_of(one), words_of(other)), key=len)
    if not first:
        return False
    if len(first) < _SHORT:
        return first == second
    if len(first) < 0.7 * len(second):
        return False
    common = sum((Counter(first) & Counter(second)).values())
    return common >= share * len(first)
