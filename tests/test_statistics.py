"""Intervals and tests against SciPy and statsmodels, on tables of counts and values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.coverage import MEASURES, coverage
from evalcore.scoring.paired import detectable, half_tail, holm, mcnemar, mean_difference, share_difference, sign_flip
from evalcore.scoring.statistics import MANY_VALUES, em_interval, mean_interval, mean_of, student_quantile, wilson
from tests.counts import LONG

stats = pytest.importorskip("scipy.stats")
proportion = pytest.importorskip("statsmodels.stats.proportion")

COUNTS = [(0, 1), (1, 1), (0, 20), (1, 20), (8, 10), (250, 500), (3, 7), (500, 500), (12345, 1_000_000)]


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize(("successes", "count"), COUNTS)
def test_wilson_agrees_with_scipy_and_statsmodels(successes, count, level):
    found = wilson(successes, count, level)
    scipy = stats.binomtest(successes, count).proportion_ci(level, method="wilson")
    low, high = proportion.proportion_confint(successes, count, alpha=1 - level, method="wilson")
    assert [found.low, found.high] == pytest.approx([scipy.low, scipy.high], abs=1e-12)
    assert [found.low, found.high] == pytest.approx([low, high], abs=1e-12)


@given(st.integers(1, 5000).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count))))
def test_wilson_stays_in_range_and_holds_its_estimate(pair):
    found = wilson(*pair)
    assert 0 <= found.low <= found.estimate <= found.high <= 1
    assert found.width > 0


@pytest.mark.parametrize(("successes", "count"), [(-1, 3), (4, 3)])
def test_impossible_counts_are_refused(successes, count):
    with pytest.raises(ValueError, match="between 0 and"):
        wilson(successes, count)


@pytest.mark.parametrize("found", [wilson(0, 0), mean_interval(np.array([])), mean_interval(np.array([np.nan])), share_difference(0, 0, 0)])
def test_nothing_scored_is_not_zero(found):
    assert np.isnan([found.estimate, found.low, found.high]).all()
    assert found.count == 0
    assert found.small


def test_unscored_items_do_not_count():
    assert em_interval(np.array([1.0, 0.0, np.nan, 1.0])) == wilson(2, 3)


VALUES = {
    "shares of words": lambda rng: rng.choice([0.0, 0.4, 0.5, 2 / 3, 0.8, 1.0], 700, p=[0.3, 0.1, 0.1, 0.1, 0.1, 0.3]),
    "nearly always right": lambda rng: (rng.random(900) < 0.96).astype(float),
    "all different": lambda rng: rng.beta(2, 5, 600),
}


@pytest.mark.parametrize("name", VALUES)
def test_the_bootstrap_agrees_with_scipy(name):
    values = VALUES[name](np.random.default_rng(3))
    found = mean_interval(values, resamples=20_000)
    ours, theirs = [found.low, found.high], stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(4))
    error = values.std() / np.sqrt(len(values))
    assert ours == pytest.approx(list(theirs.confidence_interval), abs=0.06 * error)


@pytest.mark.parametrize("freedom", [5, 10, 19, 50, 1000])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_students_quantile_agrees_with_scipy(level, freedom):
    assert student_quantile(level, freedom) == pytest.approx(stats.t.ppf((1 + level) / 2, freedom), rel=0.01 if level > 0.95 else 0.002)


def test_a_bootstrap_of_very_many_values_agrees_with_its_draws():
    values = np.random.default_rng(5).beta(2, 5, MANY_VALUES + 1)
    few = np.random.default_rng(5).beta(2, 5, MANY_VALUES + 1)[: MANY_VALUES - 1]
    error = values.std() / np.sqrt(len(values))
    many, drawn = mean_interval(values), mean_interval(few)
    assert many.method == "normal"
    assert drawn.method.startswith("bootstrap")
    assert [many.low, many.high] == pytest.approx([drawn.low, drawn.high], abs=0.15 * error)


def test_equal_values_are_no_certainty():
    found = mean_interval(np.ones(20))
    assert (found.low, found.high) == (wilson(20, 20).low, 1.0)
    assert "equal" in found.method


@pytest.mark.parametrize("count", [1, 30])
def test_the_interval_of_equal_values_above_one_holds_them(count):
    """As the character error rate of a run of one item."""
    found = mean_interval(np.full(count, 2.5))
    assert found.low < found.estimate == found.high == 2.5


@pytest.mark.parametrize("value", [0.0, 1 / 3, 1.0])
def test_equal_values_in_clusters_of_any_size_are_no_certainty(value):
    documents = np.repeat(np.arange(30), np.arange(1, 31))
    share, change = mean_interval(np.full(465, value), clusters=documents), mean_difference(np.full(465, value), clusters=documents)
    assert (share.low, share.high) == pytest.approx((wilson(30 * value, 30).low, wilson(30 * value, 30).high))
    assert change.width >= 3 / 30 - 0.001
    assert "equal" in share.method
    assert "equal" in change.method


def test_the_seed_decides_the_draws():
    values = np.random.default_rng(1).choice([0.0, 0.5, 1.0], 300)
    assert mean_interval(values) == mean_interval(values)
    assert mean_interval(values, seed=1) != mean_interval(values, seed=2)
    assert "seed 1" in mean_interval(values, seed=1).method


def test_clusters_of_one_change_nothing_but_the_draws():
    values = np.random.default_rng(1).choice([0.0, 0.5, 1.0], 3000)
    alone, clustered = mean_interval(values, resamples=20_000), mean_interval(values, clusters=np.arange(3000), resamples=20_000)
    assert [alone.low, alone.high] == pytest.approx([clustered.low, clustered.high], abs=0.001)


def test_items_that_share_a_document_widen_the_interval():
    rng = np.random.default_rng(2)
    documents = np.repeat(np.arange(100), 10)
    values = np.repeat((rng.random(100) < 0.6).astype(float), 10)
    alone, clustered = mean_interval(values), mean_interval(values, clusters=documents)
    assert clustered.width / alone.width == pytest.approx(np.sqrt(10), rel=0.1)
    assert "100 clusters" in clustered.method


@pytest.mark.parametrize(("fixed", "broken"), [(0, 0), (1, 0), (5, 0), (10, 2), (2, 10), (7, 7), (40, 22), (600, 480), (100_000, 99_000)])
def test_mcnemar_agrees_with_scipy_and_statsmodels(fixed, broken):
    contingency = pytest.importorskip("statsmodels.stats.contingency_tables")
    found = mcnemar(fixed, broken).p
    expected = stats.binomtest(fixed, fixed + broken).pvalue if fixed + broken else 1.0
    assert found == pytest.approx(expected, rel=1e-8)
    if fixed + broken:
        assert found == pytest.approx(contingency.mcnemar([[3, broken], [fixed, 4]], exact=True).pvalue, rel=1e-8)


def test_a_tail_too_small_to_write_is_zero_and_not_an_error():
    assert half_tail(0, 5000) == 0.0


@pytest.mark.parametrize("differences", [[0.5, 0.25, 1.0], [0.5, -0.25, 1.0, 0.3, 0.2], [-1, -1, 1, -1, -1, -1, 0, 0], [0.2] * 10, [1 / 3, 2 / 3, -1.0]])
def test_the_sign_flip_of_few_agrees_with_scipy(differences):
    values = np.array(differences, dtype=float)
    expected = stats.permutation_test((values,), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=True, axis=0)
    assert sign_flip(values).p == pytest.approx(expected.pvalue, abs=1e-12)


@pytest.mark.parametrize("shift", [0.0, 0.02, 0.05])
def test_the_sign_flip_of_many_agrees_with_scipy(shift):
    values = np.random.default_rng(8).choice([-1.0, -0.5, 0.0, 0.4, 0.5, 1.0], 400) + shift * (np.arange(400) % 2)
    expected = stats.permutation_test((values,), np.sum, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(1), axis=0)
    assert sign_flip(values, flips=20_000).p == pytest.approx(expected.pvalue, abs=0.02)


def test_a_sign_flip_without_differences_says_so():
    assert sign_flip(np.zeros(50)).p == 1.0


def test_items_of_one_cluster_flip_together():
    values, documents = np.repeat([1.0, 1.0, 1.0, 1.0], 50), np.repeat(np.arange(4), 50)
    assert sign_flip(values, clusters=documents).p == 2 / 2**4
    assert sign_flip(values).p < 0.001


@pytest.mark.parametrize("values", [[0.01, 0.04, 0.03, 0.005], [0.5], [0.9, 0.9], [0.05, 0.05, 0.05], []])
def test_holm_agrees_with_statsmodels(values):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    expected = multitest.multipletests(values, method="holm")[1] if values else []
    assert holm(values).tolist() == pytest.approx(list(expected), abs=1e-12)


def test_paired_differences_agree_with_scipy():
    rng = np.random.default_rng(11)
    before, after = rng.choice([0.0, 0.5, 1.0], 800), rng.choice([0.0, 0.4, 0.8, 1.0], 800)
    found = mean_difference(after - before, resamples=20_000)
    theirs = stats.bootstrap((after, before), lambda a, b, axis=-1: a.mean(axis) - b.mean(axis), paired=True, n_resamples=20_000, method="percentile", rng=rng)
    assert [found.low, found.high] == pytest.approx(list(theirs.confidence_interval), abs=0.002)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 400))
def test_a_share_difference_holds_its_estimate(fixed, broken, same):
    count = fixed + broken + same
    if count:
        found = share_difference(fixed, broken, count)
        assert -1 <= found.low <= found.estimate <= found.high <= 1
        assert found.width > 0


def test_the_detectable_difference_agrees_with_statsmodels():
    power = pytest.importorskip("statsmodels.stats.power")
    effect = power.NormalIndPower(ddof=0).solve_power(nobs1=1000, alpha=0.05, power=0.8, ratio=0)
    assert detectable(0.4, 1000) == pytest.approx(0.4 * effect, rel=1e-3)


def test_a_macro_average_counts_every_group_the_same_and_leaves_out_empty_ones():
    found = mean_of([wilson(99, 100), wilson(0, 10), wilson(0, 0)])
    assert found.estimate == pytest.approx((0.99 + 0.0) / 2)
    assert found.low < found.estimate < found.high
    assert mean_of([wilson(3, 7)]).low == pytest.approx(wilson(3, 7).low)
    assert np.isnan(mean_of([wilson(0, 0)]).estimate)


def test_the_interval_of_a_macro_average_holds_the_truth():
    rng = np.random.default_rng(4)
    shares = (0.9, 0.5, 0.2)
    found = [mean_of([wilson(int(rng.binomial(80, share)), 80) for share in shares]) for _ in range(1000)]
    covered = np.mean([not interval.excludes(sum(shares) / 3) for interval in found])
    assert 0.93 <= covered <= 0.97


@pytest.mark.parametrize("name", MEASURES)
def test_intervals_cover_the_truth_as_often_as_they_say(name):
    draw, truth = MEASURES[name]
    rounds, least, most = (2000, 0.93, 0.97) if LONG else (200, 0.89, 1.0)
    assert least <= coverage(draw, truth(0.2), 500, 0.2, rounds) <= most
