"""Answer metrics: the official scripts' exact match and F1, and the chemical match.

`SCORERS` is the one registry of scorers by name; `scorer_of` picks the one a question's source
was published with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from evaluation.metrics import hotpot, musique, wiki2
from evaluation.metrics.hotpot import Score
from graph.models import QuestionRecord

ScorerName = Literal["auto", "hotpot", "musique", "2wiki"]
Scorer = Callable[[str, QuestionRecord], Score]

SCORERS: dict[str, Scorer] = {
    "hotpot": lambda prediction, question: hotpot.score(prediction, question.answer),
    "musique": lambda prediction, question: musique.score(prediction, question.answer, question.aliases),
    "2wiki": lambda prediction, question: wiki2.score(prediction, question.answer, question.aliases),
}

_PUBLISHED_WITH = {"hotpotqa": "hotpot", "musique": "musique", "2wiki": "2wiki"}
# The sources whose answers are names of substances; elsewhere a chemical match means nothing.
_CHEMICAL = frozenset({"catenane", "chemkg"})


def scorer_of(question: QuestionRecord, name: ScorerName = "auto") -> Scorer:
    """The scorer by its name; `auto` is the source's own script, HotpotQA's for chemistry sets."""
    return SCORERS[_PUBLISHED_WITH.get(question.source_format, "hotpot") if name == "auto" else name]


def is_chemical(question: QuestionRecord) -> bool:
    """Whether the answers of the question's source are names of substances."""
    return question.source_format in _CHEMICAL


def chemical_match(prediction: str, question: QuestionRecord) -> bool | None:
    """Same compound or not; None where the question's source has no chemical answers."""
    if not is_chemical(question):
        return None
    # Imported here: it reads a compound table, which general-domain sets never need.
    from evaluation.metrics.chemical import match  # noqa: PLC0415

    return match(prediction, question.answer, question.aliases)


__all__ = ["SCORERS", "Score", "Scorer", "ScorerName", "chemical_match", "is_chemical", "scorer_of"]
