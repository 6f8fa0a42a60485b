"""Intervals and tests against textbook values and against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from evaluation.statistics import holm, mcnemar, mean_interval, paired, resampled_means, wilson


def test_wilson_against_scipy() -> None:
    for successes, n in [(0, 10), (3, 10), (10, 10), (81, 263), (1, 1)]:
        expected = binomtest(successes, n).proportion_ci(0.95, method="wilson")
        interval = wilson(successes, n)
        assert interval[:2] == pytest.approx((expected.low, expected.high))
    # Newcombe (1998), table I: 81 of 263, Wilson without continuity correction 0.2553 to 0.3662.
    assert wilson(81, 263)[:2] == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 0).method == "none"


def test_bootstrap_of_single_questions_is_near_the_normal_interval() -> None:
    values = np.tile([0.0, 0.25, 0.5, 1.0], 100)
    interval = mean_interval(values, None, seed=1, proportion=False)
    half = 1.96 * values.std() / np.sqrt(len(values))
    assert interval.method == "bootstrap"
    assert interval.low == pytest.approx(values.mean() - half, abs=0.006)
    assert interval.high == pytest.approx(values.mean() + half, abs=0.006)


def test_clusters_widen_the_interval() -> None:
    # 40 papers of 10 questions each, all alike within a paper: 40 observations, not 400.
    values = np.repeat(np.tile([0.0, 1.0], 20), 10)
    clusters = np.repeat(np.arange(40), 10)
    clustered = mean_interval(values, clusters, seed=1, proportion=True)
    single = mean_interval(values, None, seed=1, proportion=True)
    assert clustered.method == "cluster bootstrap" and single.method == "wilson"
    ratio = (clustered.high - clustered.low) / (single.high - single.low)
    assert ratio == pytest.approx(np.sqrt(10), rel=0.1)


def test_resampled_means_weigh_clusters_by_size() -> None:
    means = resampled_means([1.0, 1.0, 1.0, 0.0], [7, 7, 7, 9], seed=3, draws=4000)
    # Two clusters, two draws: both large (1/4) -> 1, both small (1/4) -> 0, one each (1/2) -> 3/4.
    assert set(np.unique(means)) == {0.0, 0.75, 1.0}
    assert np.mean(means == 0.75) == pytest.approx(0.5, abs=0.03)


def test_the_same_seed_gives_the_same_interval() -> None:
    values = np.linspace(0, 1, 57)
    assert mean_interval(values, None, seed=5, proportion=False) == mean_interval(
        values, None, seed=5, proportion=False
    )
    assert mean_interval(values, None, seed=5, proportion=False) != mean_interval(
        values, None, seed=6, proportion=False
    )


def test_no_certainty_where_nothing_varies() -> None:
    zeros = mean_interval([0.0] * 20, list(range(20)), seed=1, proportion=True)
    assert (zeros.low, zeros.method) == (0.0, "wilson") and zeros.high == pytest.approx(wilson(0, 20).high)
    # One paper is one observation, however many questions come from it.
    one_paper = mean_interval([0.0, 1.0] * 10, [4] * 20, seed=1, proportion=True)
    assert one_paper[:2] == pytest.approx(wilson(0.5, 1)[:2])
    assert mean_interval([], None, seed=1, proportion=True).method == "none"


def test_mcnemar_against_the_binomial_test() -> None:
    for first_only, second_only in [(0, 0), (5, 5), (1, 9), (12, 3), (0, 6)]:
        n = first_only + second_only
        expected = binomtest(first_only, n).pvalue if n else 1.0
        assert mcnemar(first_only, second_only) == pytest.approx(expected)


def test_paired_correctness() -> None:
    gold, closed = [1.0] * 8 + [0.0] * 2, [0.0] * 7 + [1.0] * 2 + [0.0]
    result = paired(gold, closed, None, seed=1, correctness=True)
    # Only the first is right on 7, only the second on 1: p = 2 * (1 + 8) / 2**8.
    assert (result.n, result.first_only, result.second_only) == (10, 7, 1)
    assert result.difference == pytest.approx(0.6)
    assert result.p == pytest.approx(2 * 9 / 256)
    assert result.interval.low > 0 and result.test == "mcnemar"


def test_paired_scores() -> None:
    rng = np.random.default_rng(0)
    base = rng.uniform(size=200)
    same = paired(base, base, None, seed=1, correctness=False)
    assert (same.difference, same.p) == (0.0, 1.0)
    better = paired(base + 0.1, base, np.arange(200) // 4, seed=1, correctness=False)
    # All 200 questions (50 clusters) differ alike: Wilson's bound for 0 of 50 on either side.
    room = wilson(0, 50).high
    assert (
        better.interval[:2] == pytest.approx((0.1 - room, 0.1 + room)) and better.interval.method == "wilson"
    )
    assert better.p == pytest.approx(2 / 2001)
    noise = paired(rng.uniform(size=200), base, None, seed=1, correctness=False)
    assert noise.interval.low < 0 < noise.interval.high and noise.p > 0.05


def test_one_cluster_says_nothing_about_a_difference() -> None:
    assert paired([1.0, 1.0], [0.0, 0.0], [3, 3], seed=1, correctness=False).interval == (-1.0, 1.0, "none")


def test_holm() -> None:
    # By hand: sorted .005 .01 .03 .04 times 4 3 2 1, then made monotone.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
