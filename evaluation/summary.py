"""Results of a run as cells (means with intervals) and paired comparisons, from its answers alone."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from evaluation.statistics import Interval, Paired, holm, mean_interval, paired
from graph.models import AnswerRecord

SMALL = 10  # a cell with fewer questions is marked: its mean says little

Key = Callable[[AnswerRecord], str]
KEYS: Mapping[str, Key] = {
    "endpoint": lambda answer: answer.endpoint,
    "condition": lambda answer: answer.condition,
    "dataset": lambda answer: answer.dataset,
    "hops": lambda answer: str(answer.hops),
    "graph_type": lambda answer: answer.graph_type,
    "perturbation": lambda answer: answer.perturbation or "",
}


class Cell(BaseModel):
    """One group of answers. Means are over questions; epochs of one question are averaged first.

    `n` counts questions with an answer that is no error; refused and unparsed ones score 0 in it.
    `outcomes` counts answers, errors included. `chemical` is the share of questions whose answer
    names the gold compound, over sets of chemistry only.
    """

    keys: dict[str, str]
    n: int
    clusters: int
    small: bool
    em: float
    em_ci: Interval
    f1: float
    f1_ci: Interval
    correct: float
    correct_ci: Interval
    chemical: float | None
    outcomes: dict[str, int]
    latency_s: float  # mean of an answer
    tokens_in: float
    tokens_out: float
    cost: float  # sum


class Comparison(BaseModel):
    """Two sets of answers to the same questions; differences are `first` less `second`.

    Two conditions of one endpoint, two endpoints under one condition, or the positive graph and
    the negative graphs of one kind. The adjusted p are Holm's over all that were compared together.
    """

    within: str  # the endpoint, or the condition, that both share
    kind: str  # "conditions", "endpoints" or "perturbations"
    first: str
    second: str
    n: int
    correct: Paired
    correct_p_holm: float
    f1: Paired
    f1_p_holm: float


def cells(answers: Iterable[AnswerRecord], by: Sequence[str], *, seed: int) -> list[Cell]:
    """Cells by the named keys (see `KEYS`), in order of first appearance of sorted answers."""
    groups: dict[tuple[str, ...], list[AnswerRecord]] = defaultdict(list)
    for answer in answers:
        groups[tuple(KEYS[name](answer) for name in by)].append(answer)
    return [_cell(dict(zip(by, key, strict=True)), groups[key], seed) for key in sorted(groups, key=order)]


ORDER = ("closed_book", "bm25", "gold", "positive_graph", "negative_graph")


def order(key: tuple[str, ...]) -> tuple[tuple[int, int, str], ...]:
    """Sort key: conditions by how much they show, numbers by size, the rest by name."""

    def place(part: str) -> tuple[int, int, str]:
        base = part.partition(":")[0]
        return (
            ORDER.index(base) if base in ORDER else len(ORDER),
            int(part) if part.isdigit() else 0,
            part,
        )

    return tuple(place(part) for part in key)


class _Questions:
    """Scores of a group by question: epochs averaged, errors left out."""

    def __init__(self, answers: Sequence[AnswerRecord]) -> None:
        by_question: dict[str, list[AnswerRecord]] = defaultdict(list)
        for answer in answers:
            if answer.status != "error":
                by_question[answer.question_id].append(answer)
        self.ids = sorted(by_question)
        self.em = self._means(by_question, lambda answer: answer.em)
        self.f1 = self._means(by_question, lambda answer: answer.f1)
        self.correct = self._means(by_question, lambda answer: float(answer.status == "correct"))
        chemical = [
            [float(a.chemical_match) for a in by_question[each] if a.chemical_match is not None]
            for each in self.ids
        ]
        compared = [float(np.mean(matches)) for matches in chemical if matches]
        self.chemical = _mean(compared) if compared else None
        names = [by_question[each][0].cluster for each in self.ids]
        self.clusters: NDArray[np.int64] | None = None
        if any(names):
            # A question without a cluster is one of its own.
            own = [name or f"\x1f{each}" for name, each in zip(names, self.ids, strict=True)]
            self.clusters = np.unique(own, return_inverse=True)[1]

    def _means(
        self, by_question: Mapping[str, list[AnswerRecord]], value: Callable[[AnswerRecord], float]
    ) -> NDArray[np.float64]:
        return np.array([sum(map(value, by_question[i])) / len(by_question[i]) for i in self.ids])


def _mean(values: NDArray[np.float64] | list[float]) -> float:
    return float(np.mean(values)) if len(values) else 0.0


def _cell(keys: dict[str, str], answers: Sequence[AnswerRecord], seed: int) -> Cell:
    scores = _Questions(answers)
    given = [answer for answer in answers if answer.status != "error"]
    n = len(scores.ids)

    def interval(values: NDArray[np.float64], proportion: bool) -> Interval:
        return mean_interval(values, scores.clusters, seed=seed, proportion=proportion)

    return Cell(
        keys=keys,
        n=n,
        clusters=n if scores.clusters is None else len(np.unique(scores.clusters)),
        small=n < SMALL,
        em=_mean(scores.em),
        em_ci=interval(scores.em, True),
        f1=_mean(scores.f1),
        f1_ci=interval(scores.f1, False),
        correct=_mean(scores.correct),
        correct_ci=interval(scores.correct, True),
        chemical=scores.chemical,
        outcomes=dict(sorted(Counter(answer.status for answer in answers).items())),
        latency_s=_mean([answer.latency_s for answer in given]),
        tokens_in=_mean([float(answer.tokens_in) for answer in given]),
        tokens_out=_mean([float(answer.tokens_out) for answer in given]),
        cost=sum(answer.cost for answer in answers),
    )


def comparisons(answers: Iterable[AnswerRecord], *, seed: int) -> list[Comparison]:
    """All pairs of conditions within an endpoint, and of endpoints within a condition.

    A pair is compared on the questions that both answered. Holm's correction is over all pairs,
    apart for correctness and for F1.
    """
    groups: dict[tuple[str, str], list[AnswerRecord]] = defaultdict(list)
    for answer in answers:
        groups[answer.endpoint, answer.condition].append(answer)
    scores = {key: _Questions(groups[key]) for key in sorted(groups, key=order)}
    pairs = [
        (first, second, kind)
        for first, second in itertools.combinations(scores, 2)
        for kind, at in (("conditions", 0), ("endpoints", 1))
        if first[at] == second[at]
    ]
    found = []
    for second, first, kind in pairs:  # the richer condition first: differences read as gains
        shared, differ = (0, 1) if kind == "conditions" else (1, 0)
        names = {"within": first[shared], "kind": kind, "first": first[differ], "second": second[differ]}
        found.append(_compare(names, scores[first], scores[second], seed))
    return _adjusted([comparison for comparison in found if comparison is not None])


HARD = "hard"  # all negative graphs but those built from distractors alone


def against_positive(answers: Iterable[AnswerRecord], *, seed: int) -> list[Comparison]:
    """The positive graph against the negative ones of each kind, on the questions that had that kind.

    The last of an endpoint, `hard`, takes all kinds together that keep (most of) the evidence;
    graphs of distractors hold none of it.
    """
    positive: dict[str, list[AnswerRecord]] = defaultdict(list)
    negative: dict[tuple[str, str], list[AnswerRecord]] = defaultdict(list)
    for answer in answers:
        if answer.condition == "positive_graph":
            positive[answer.endpoint].append(answer)
        elif answer.perturbation:
            negative[answer.endpoint, answer.perturbation].append(answer)
            if answer.perturbation != "distractors":
                negative[answer.endpoint, HARD].append(answer)
    found = []
    for endpoint, kind in sorted(negative, key=lambda key: (key[0], key[1] == HARD, key[1])):
        names = {"within": endpoint, "kind": "perturbations", "first": "positive_graph", "second": kind}
        one, two = _Questions(positive[endpoint]), _Questions(negative[endpoint, kind])
        found.append(_compare(names, one, two, seed))
    return _adjusted([comparison for comparison in found if comparison is not None])


def _compare(names: Mapping[str, str], one: _Questions, two: _Questions, seed: int) -> Comparison | None:
    """Two groups on the questions they share, p not yet adjusted; None where they share none."""
    shared = sorted(set(one.ids) & set(two.ids))
    if not shared:
        return None
    at_one, at_two = np.searchsorted(one.ids, shared), np.searchsorted(two.ids, shared)
    clusters = None if one.clusters is None else one.clusters[at_one]
    correct = paired(one.correct[at_one], two.correct[at_two], clusters, seed=seed, correctness=True)
    f1 = paired(one.f1[at_one], two.f1[at_two], clusters, seed=seed, correctness=False)
    return Comparison(
        **names, n=len(shared), correct=correct, correct_p_holm=correct.p, f1=f1, f1_p_holm=f1.p
    )


def _adjusted(found: Sequence[Comparison]) -> list[Comparison]:
    """With Holm's p over all of them, apart for correctness and for F1."""
    correct_p, f1_p = holm([each.correct.p for each in found]), holm([each.f1.p for each in found])
    return [
        each.model_copy(update={"correct_p_holm": p_correct, "f1_p_holm": p_f1})
        for each, p_correct, p_f1 in zip(found, correct_p, f1_p, strict=True)
    ]
