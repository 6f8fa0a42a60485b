"""Numbers that compare: means with intervals, paired differences, tests, and Holm's correction.

Questions from one paper are not independent, so resampling draws whole clusters (the document of
the answer hop). All draws are seeded: the same answers give the same interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binom, norm

DRAWS = 2000
LEVEL = 0.95

Method = Literal["cluster bootstrap", "bootstrap", "wilson", "none"]
Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """A confidence interval and how it was made."""

    low: float
    high: float
    method: Method


class Paired(NamedTuple):
    """A paired difference, first less second, over the same questions.

    `p` is two-sided: McNemar's exact test for correctness, the bootstrap's for other scores.
    """

    n: int
    difference: float
    interval: Interval
    p: float
    test: Literal["mcnemar", "paired bootstrap"]
    first_only: int = 0  # questions that only the first got right (McNemar)
    second_only: int = 0


def wilson(successes: float, n: float, level: float = LEVEL) -> Interval:
    """Wilson's score interval of a proportion; `n` may be an effective number of observations."""
    if n <= 0:
        return Interval(0.0, 1.0, "none")
    z = float(norm.ppf(0.5 + level / 2))
    p = successes / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # Rounding must not put the proportion itself outside, as it would at 0 and 1.
    return Interval(min(p, max(0.0, middle - half)), max(p, min(1.0, middle + half)), "wilson")


def resampled_means(values: ArrayLike, clusters: ArrayLike, *, seed: int, draws: int = DRAWS) -> Floats:
    """Means over resampled clusters, shape (draws,).

    A draw takes as many clusters as there are, with replacement; its mean is over the questions
    of those clusters, so that large clusters weigh more, as they do in the plain mean.

    Args:
        values: one number a question, shape (n,).
        clusters: the cluster of each, as any integers, shape (n,).
        seed: of the draws.
        draws: how many.
    """
    data = np.asarray(values, dtype=float)
    _, member = np.unique(np.asarray(clusters), return_inverse=True)
    count = int(member.max()) + 1
    sums = np.bincount(member, weights=data, minlength=count)
    sizes = np.bincount(member, minlength=count).astype(float)
    rng = np.random.default_rng(seed)
    means = np.empty(draws)
    # Rows of draws at a time: memory stays under some 50 MB however many clusters there are.
    step = max(1, 2_000_000 // count)
    for first in range(0, draws, step):
        drawn = rng.integers(0, count, size=(min(step, draws - first), count), dtype=np.int32)
        means[first : first + len(drawn)] = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    return means


def _quantiles(means: Floats, level: float) -> tuple[float, float]:
    low, high = np.quantile(means, [0.5 - level / 2, 0.5 + level / 2])
    return float(low), float(high)


def mean_interval(
    values: Sequence[float] | Floats,
    clusters: Sequence[int] | NDArray[np.int64] | None,
    *,
    seed: int,
    proportion: bool,
    level: float = LEVEL,
) -> Interval:
    """Confidence interval of a mean of scores in [0, 1].

    With clusters: cluster bootstrap. Without: Wilson for a proportion (exact match, correctness),
    else a bootstrap over questions. Where resampling cannot vary (one cluster, or every score the
    same) it would claim certainty, so Wilson over the number of clusters is given instead.
    """
    data = np.asarray(values, dtype=float)
    if not len(data):
        return Interval(0.0, 1.0, "none")
    if clusters is None and proportion and np.isin(data, (0.0, 1.0)).all():
        return wilson(float(data.sum()), len(data), level)
    groups = np.arange(len(data)) if clusters is None else np.asarray(clusters)
    effective = len(np.unique(groups))
    if effective < 2 or np.ptp(data) == 0:
        return wilson(float(data.mean()) * effective, effective, level)
    low, high = _quantiles(resampled_means(data, groups, seed=seed), level)
    return Interval(low, high, "bootstrap" if clusters is None else "cluster bootstrap")


def mcnemar(first_only: int, second_only: int) -> float:
    """Exact two-sided p of McNemar's test from the two counts of disagreement."""
    n = first_only + second_only
    if n == 0:
        return 1.0
    return min(1.0, 2 * float(binom.cdf(min(first_only, second_only), n, 0.5)))


def paired(
    first: ArrayLike,
    second: ArrayLike,
    clusters: ArrayLike | None,
    *,
    seed: int,
    correctness: bool,
    level: float = LEVEL,
) -> Paired:
    """Compare two sets of scores of the same questions, in the same order.

    Args:
        first, second: one score a question, shape (n,), n >= 1.
        clusters: the cluster of each, or None.
        seed: of the bootstrap.
        correctness: scores are right (>= 0.5) or wrong: McNemar's test; else the bootstrap's p.
        level: of the interval.
    """
    one, two = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    difference = one - two
    groups = np.arange(len(one)) if clusters is None else np.asarray(clusters)
    means = resampled_means(difference, groups, seed=seed)
    method: Method = "bootstrap" if clusters is None else "cluster bootstrap"
    mean = float(difference.mean())
    effective = len(np.unique(groups))
    if effective < 2:
        interval = Interval(-1.0, 1.0, "none")
    elif np.ptp(difference) < 1e-12:
        # Resampling cannot vary. So many observations without an exception still leave room for a
        # share of exceptions up to Wilson's bound, each of which shifts a score by one at most.
        room = wilson(0, effective, level).high
        interval = Interval(max(-1.0, mean - room), min(1.0, mean + room), "wilson")
    else:
        interval = Interval(*_quantiles(means, level), method)
    if correctness:
        right, other = one >= 0.5, two >= 0.5
        only_first, only_second = int((right & ~other).sum()), int((other & ~right).sum())
        p = mcnemar(only_first, only_second)
        return Paired(len(one), mean, interval, p, "mcnemar", only_first, only_second)
    return Paired(len(one), mean, interval, _bootstrap_p(means, difference), "paired bootstrap")


def _bootstrap_p(means: Floats, difference: Floats) -> float:
    """Twice the smaller share of draws on the far side of zero; never below 1 / (draws + 1)."""
    if not difference.any():
        return 1.0
    below, above = int((means <= 0).sum()), int((means >= 0).sum())
    return min(1.0, 2 * (min(below, above) + 1) / (len(means) + 1))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p of a family of tests, in the order given."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda at: p_values[at])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted
