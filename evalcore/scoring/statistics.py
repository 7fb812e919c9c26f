"""Intervals: how far a mean over these items may lie from the mean over all such items."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import fsum, nan, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalcore.scoring.metrics import Floats

LEVEL = 0.95
RESAMPLES = 2000
SEED = 20259
SMALL = 20  # A group of fewer items says little; it is shown, and marked.
MANY_VALUES = 5_000  # Distinct values above which a bootstrap of their mean cannot be told from the normal interval.
CELLS = 4_000_000  # Counts held at once while resampling.
ALIKE = 1e-12  # Means of equal values differ in the last digits, as they are sums by sizes.


@dataclass(frozen=True)
class Interval:
    """An estimate with the interval around it.

    Empty: without items all three numbers are NaN.
    `count`: items behind it; `method`: how it was made, seed included.
    """

    estimate: float
    low: float
    high: float
    count: int
    method: str
    level: float = LEVEL

    @property
    def small(self) -> bool:
        """Tell whether too few items stand behind it to lean on."""
        return self.count < SMALL

    @property
    def width(self) -> float:
        return self.high - self.low

    def excludes(self, value: float) -> bool:
        """Tell whether the value lies outside."""
        return value < self.low or value > self.high


def normal_quantile(level: float) -> float:
    """Give how many standard errors an interval of this level reaches on either side.

    Raises: ValueError unless the level lies between 0 and 1.

    >>> f"{normal_quantile(0.95):.4f}"
    '1.9600'
    """
    if not 0 < level < 1:
        raise ValueError(f"the level is {level!r}; a number between 0 and 1 is needed, such as 0.95")
    return NormalDist().inv_cdf((1 + level) / 2)


def wilson(successes: float, count: int, level: float = LEVEL) -> Interval:
    """Give a share with Wilson's interval.

    Range: 0..1. Empty: a count of 0 gives NaN.
    Raises: ValueError when successes are not between 0 and count.
    Source: E. B. Wilson 1927, JASA 22, 209-212; no continuity correction.

    >>> found = wilson(8, 10)
    >>> f"{found.estimate:.3f} {found.low:.3f} {found.high:.3f}"
    '0.800 0.490 0.943'
    """
    if not 0 <= successes <= count:
        raise ValueError(f"{successes!r} successes of {count!r} items; successes must lie between 0 and the number of items")
    z = normal_quantile(level)
    if count == 0:
        return Interval(nan, nan, nan, 0, "Wilson", level)
    share = successes / count
    spread = z / (1 + z * z / count) * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    centre = (share + z * z / (2 * count)) / (1 + z * z / count)
    low = 0.0 if successes == 0 else centre - spread
    high = 1.0 if successes == count else centre + spread
    return Interval(share, low, high, count, "Wilson", level)


def em_interval(em: Floats, level: float = LEVEL) -> Interval:
    """Give the mean EM with Wilson's interval; NaN is left out.

    Differs: a scorer whose EM of an item lies between 0 and 1, a mean over
    references, gets a bootstrap interval.
    """
    scored = em[~np.isnan(em)]
    if not np.isin(scored, (0.0, 1.0)).all():
        return mean_interval(scored, level=level)
    return wilson(int((scored == 1).sum()), len(scored), level)


def mean_interval(
    values: Floats, *, clusters: npt.NDArray[np.generic] | None = None, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval:
    """Give the mean of values from 0 on, most of them up to 1, with a bootstrap percentile interval; NaN is left out.

    `clusters`: one label an item; items of one label, such as questions on
    one document, are then drawn together.
    Differs: when all values (or the means of all clusters) are alike a bootstrap
    interval would have no width; Wilson's interval, the widest a mean in
    0..1 can need, takes its place. Where all are one value above 1, as
    error rates can be, it is that of 0 to this value.

    >>> found = mean_interval(np.array([0.0, 0.5, 1.0, 1.0, np.nan] * 25))
    >>> f"{found.estimate:.3f} {found.low:.2f} {found.high:.2f} {found.count}"
    '0.625 0.54 0.70 100'
    """
    return bootstrapped(values, clusters, level, resamples, seed, lambda estimate, units: _of_equals(estimate, units, level))


def counted_interval(values: Floats, counts: npt.NDArray[np.int64], level: float = LEVEL) -> Interval:
    """Give the interval that `mean_interval` gives for distinct values, ascending, that stand so often each, in time and memory of the values alone.

    >>> found = counted_interval(np.array([0.0, 0.5, 1.0]), np.array([25, 25, 50]))
    >>> f"{found.estimate:.3f} {found.low:.2f} {found.high:.2f} {found.count}"
    '0.625 0.54 0.70 100'
    """
    units = int(counts.sum())
    if not units:
        return Interval(nan, nan, nan, 0, "bootstrap", level)
    estimate = fsum((values * counts).tolist()) / units
    draws = _drawn(values, np.ones_like(values), counts, "", RESAMPLES, SEED)
    if draws is None:
        return _of_equals(estimate, units, level)
    return Interval(estimate, *draws.percentiles(level), units, draws.method, level)


def _of_equals(estimate: float, units: int, level: float) -> Interval:
    most = max(1.0, estimate)
    found = wilson(min(max(estimate / most, 0.0), 1.0) * units, units, level)
    return Interval(estimate, most * found.low, most * found.high, units, "Wilson, as all values are equal", level)


def bootstrapped(
    values: Floats,
    clusters: npt.NDArray[np.generic] | None,
    level: float,
    resamples: int,
    seed: int,
    of_equals: Callable[[float, int], Interval],
) -> Interval:
    """Give the mean of values with a bootstrap percentile interval; NaN is left out.

    `of_equals(estimate, units)` gives the interval where all units, items or clusters, have one mean.
    """
    kept = ~np.isnan(values)
    known = values[kept]
    if not len(known):
        return Interval(nan, nan, nan, 0, "bootstrap", level)
    sums, sizes = (known, None) if clusters is None else cluster_sums(known, clusters[kept])
    estimate = float(known.mean())
    draws = resampled(sums, sizes, resamples, seed)
    if draws is None:
        return replace(of_equals(estimate, len(sums)), count=len(known))
    low, high = draws.percentiles(level)
    return Interval(estimate, low, high, len(known), draws.method, level)


def mean_of(intervals: Sequence[Interval]) -> Interval:
    """Give the plain mean of independent groups, each counting the same, with an interval from theirs: the macro average.

    Empty: groups without items are left out; NaN when none is left.
    Source: G. Y. Zou and A. Donner 2008, Statistics in Medicine 27,
    1693-1702: the distances to either bound add up as squares.

    >>> found = mean_of([wilson(90, 100), wilson(50, 100)])
    >>> f"{found.estimate:.2f} {found.low:.3f} {found.high:.3f}"
    '0.70 0.639 0.753'
    """
    known = [interval for interval in intervals if interval.count]
    if not known:
        return Interval(nan, nan, nan, 0, "mean of groups")
    estimate = sum(interval.estimate for interval in known) / len(known)
    below = sqrt(sum((interval.estimate - interval.low) ** 2 for interval in known)) / len(known)
    above = sqrt(sum((interval.high - interval.estimate) ** 2 for interval in known)) / len(known)
    count = sum(interval.count for interval in known)
    return Interval(estimate, estimate - below, estimate + above, count, f"mean of {len(known)} groups, Zou-Donner", known[0].level)


class Draws(NamedTuple):
    """Means of resamples, how they were made, and from how many units."""

    means: Floats
    method: str
    units: int

    def percentiles(self, level: float) -> tuple[float, float]:
        """Give the two percentiles that hold the level between them, a little farther out for few units.

        Source: T. C. Hesterberg 2015, The American Statistician 69,
        371-386, the expanded percentile interval: plain percentiles are
        too narrow by the factor that tells Student's t from the normal.
        """
        tail = NormalDist().cdf(-student_quantile(level, self.units - 1) * sqrt(self.units / (self.units - 1)))
        low, high = np.quantile(self.means, [tail, 1 - tail])
        return float(low), float(high)


def student_quantile(level: float, freedom: int) -> float:
    """Give how many standard errors an interval reaches by Student's t.

    Range: within 0.2 % from five degrees of freedom on.
    Source: the first terms of Fisher's expansion around the normal quantile.

    >>> f"{student_quantile(0.95, 10):.3f}"
    '2.228'
    """
    z = normal_quantile(level)
    terms = ((z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))


def cluster_sums(values: Floats, clusters: npt.NDArray[np.generic]) -> tuple[Floats, Floats]:
    """Give the sum and the number of the values of every cluster."""
    codes = np.unique(clusters, return_inverse=True)[1]
    return np.bincount(codes, weights=values).astype(np.float64), np.bincount(codes).astype(np.float64)


def resampled(sums: Floats, sizes: Floats | None = None, resamples: int = RESAMPLES, seed: int = SEED) -> Draws | None:
    """Draw the units with replacement as often as there are units, and give the mean of every draw.

    `sizes`: items in every unit, 1 when left out; a mean is then the sum
    of sums by the sum of sizes.
    Empty: None when all units have one mean, so that every draw would have it too.
    Source: how often each distinct unit is drawn is multinomial, so only
    these counts are drawn: the distribution of the usual loop over
    items, in time that grows with distinct units instead of items. With
    very many distinct units the means follow a normal distribution, and
    its quantiles stand in for draws.

    >>> resampled(np.array([0.0, 1.0] * 50)).method
    'bootstrap, 2000 resamples, seed 20259'
    """
    if sizes is None:
        distinct, counts = np.unique(sums, return_counts=True)
        weights = np.ones_like(distinct)
        unit = ""
    else:
        pairs, counts = np.unique(np.column_stack((sums, sizes)), axis=0, return_counts=True)
        distinct, weights = pairs[:, 0], pairs[:, 1]
        unit = f" of {len(sums)} clusters"
    return _drawn(distinct, weights, counts, unit, resamples, seed)


def _drawn(sums: Floats, sizes: Floats, counts: npt.NDArray[np.int64], unit: str, resamples: int, seed: int) -> Draws | None:
    """Draw from distinct units that stand so often each; `unit` names them in the method."""
    if np.ptp(sums / sizes) <= ALIKE:
        return None
    units = int(counts.sum())
    if len(counts) > MANY_VALUES:
        return Draws(_normal_means(sums, sizes, counts, resamples), f"normal{unit and ',' + unit.removeprefix(' of')}", units)
    return Draws(_multinomial_means(sums, sizes, counts, resamples, seed), f"bootstrap, {resamples} resamples{unit}, seed {seed}", units)


def _multinomial_means(sums: Floats, sizes: Floats, counts: npt.NDArray[np.int64], resamples: int, seed: int) -> Floats:
    generator = np.random.default_rng(seed)
    order = np.argsort(-counts, kind="stable")
    units = int(counts.sum())
    shares = counts[order] / units
    both = np.column_stack((sums[order], sizes[order]))
    rows = max(1, min(resamples, CELLS // len(counts)))
    totals = np.concatenate([generator.multinomial(units, shares, size=min(rows, resamples - done)) @ both for done in range(0, resamples, rows)])
    means: Floats = totals[:, 0] / totals[:, 1]
    return means


def _normal_means(sums: Floats, sizes: Floats, counts: npt.NDArray[np.int64], resamples: int) -> Floats:
    total = (sizes * counts).sum()
    mean = (sums * counts).sum() / total
    error = np.sqrt(((sums - mean * sizes) ** 2 * counts).sum()) / total
    normal = NormalDist()
    quantiles = np.array([normal.inv_cdf((number + 0.5) / resamples) for number in range(resamples)])
    means: Floats = mean + error * quantiles
    return means
