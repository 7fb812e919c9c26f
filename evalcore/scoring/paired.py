"""Paired tests: could a difference on the same items be chance."""

from dataclasses import replace
from math import nan, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalcore.scoring.metrics import Floats
from evalcore.scoring.statistics import CELLS, LEVEL, RESAMPLES, SEED, Interval, bootstrapped, cluster_sums, normal_quantile

FLIPS = 10_000
EXACT_UNITS = 16  # Up to this many units that differ, all their signs are tried (65,536 ways).
POWER = 0.8


class PairedTest(NamedTuple):
    """The result of a test: the chance of a difference at least this large if there is none."""

    p: float
    method: str


def mcnemar(fixed: int, broken: int) -> PairedTest:
    """Test whether fixed and broken items could be equally likely, two-sided and exact.

    Empty: p is 1 when nothing differs.
    Source: the binomial form of Q. McNemar's test, 1947, Psychometrika 12, 153-157.

    >>> f"{mcnemar(10, 2).p:.4f}"
    '0.0386'
    """
    differing, fewer = fixed + broken, min(fixed, broken)
    if min(fixed, broken) < 0:
        raise ValueError(f"{fixed} fixed and {broken} broken items; counts cannot be negative")
    return PairedTest(min(1.0, 2 * half_tail(fewer, differing)), "exact McNemar")


def half_tail(most: int, throws: int) -> float:
    """Give the chance of at most this many heads in throws of a fair coin.

    >>> f"{half_tail(1, 3):.3f}"
    '0.500'
    """
    heads = np.arange(1, most + 1)
    logs = np.concatenate(([0.0], np.cumsum(np.log((throws - heads + 1) / heads)))) - throws * np.log(2)
    return min(1.0, float(np.exp(logs).sum()))


def share_difference(fixed: int, broken: int, count: int, level: float = LEVEL) -> Interval:
    """Give the difference of two shares on the same items, with its interval.

    Range: -1..1. Empty: a count of 0 gives NaN.
    Source: D. G. Bonett and R. M. Price 2012, Journal of Educational and
    Behavioral Statistics 37, 479-488: Wald's interval after adding one
    fixed and one broken item, so it keeps a width when nothing differs.

    >>> found = share_difference(12, 4, 100)
    >>> f"{found.estimate:.2f} {found.low:.3f} {found.high:.3f}"
    '0.08 -0.002 0.159'
    """
    if count == 0:
        return Interval(nan, nan, nan, 0, "Bonett-Price", level)
    up, down = (fixed + 1) / (count + 2), (broken + 1) / (count + 2)
    centre, spread = up - down, normal_quantile(level) * sqrt((up + down - (up - down) ** 2) / (count + 2))
    return Interval((fixed - broken) / count, max(-1.0, centre - spread), min(1.0, centre + spread), count, "Bonett-Price", level)


def mean_difference(
    differences: Floats, *, clusters: npt.NDArray[np.generic] | None = None, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval:
    """Give the mean of paired differences with a bootstrap percentile interval; NaN is left out.

    Differs: when all differences (or the means of all clusters) are alike a bootstrap would
    claim certainty. The interval is then widened by what so many items
    can hide: 3 / n on either side for the level 0.95 (the rule of three).

    >>> found = mean_difference(np.zeros(100))
    >>> f"{found.low:.3f} {found.high:.3f}"
    '-0.030 0.030'
    """

    def of_equals(estimate: float, units: int) -> Interval:
        hidden = -float(np.log(1 - level)) / units
        low, high = max(-1.0, estimate - hidden), min(1.0, estimate + hidden)
        return Interval(estimate, low, high, units, "rule of three, as all differences are equal", level)

    found = bootstrapped(differences, clusters, level, resamples, seed, of_equals)
    return replace(found, method=f"paired {found.method}") if found.method.startswith(("bootstrap", "normal")) else found


def sign_flip(differences: Floats, *, clusters: npt.NDArray[np.generic] | None = None, flips: int = FLIPS, seed: int = SEED) -> PairedTest:
    """Test whether paired differences could centre on zero, two-sided; NaN is left out.

    If the two sides do not differ, every difference was as likely with the
    other sign. All signs are tried where few units differ, else signs are
    drawn; a drawn p is never below 1 / (flips + 1).
    `clusters`: one label an item; the items of a label keep one sign.
    Empty: p is 1 when nothing differs.
    Source: the paired randomization test of R. A. Fisher, 1935.

    >>> sign_flip(np.array([0.5, 0.25, 1.0, 0.125, 0.5])).p
    0.0625
    """
    kept = ~np.isnan(differences)
    units = differences[kept] if clusters is None else cluster_sums(differences[kept], clusters[kept])[0]
    sizes = np.abs(units[units != 0])
    observed = abs(float(units.sum()))
    slack = 1e-12 * (sizes.sum() + 1)  # Sums of the same numbers in another order differ in the last digits.
    if len(sizes) <= EXACT_UNITS:
        return PairedTest(float((np.abs(_all_sums(sizes)) >= observed - slack).mean()), "sign flip, all signs")
    extreme = sum(int((np.abs(sums) >= observed - slack).sum()) for sums in _drawn_sums(sizes, flips, seed))
    return PairedTest((extreme + 1) / (flips + 1), f"sign flip, {flips} draws, seed {seed}")


def _all_sums(sizes: Floats) -> Floats:
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate((sums + size, sums - size))
    return sums


def _drawn_sums(sizes: Floats, flips: int, seed: int) -> "list[Floats]":
    """Draw sums of the sizes with random signs: how many of each distinct size are positive is binomial."""
    generator = np.random.default_rng(seed)
    distinct, counts = np.unique(sizes, return_counts=True)
    if len(distinct) * flips > 10 * CELLS:
        return [generator.normal(0.0, float(np.sqrt((sizes**2).sum())), flips)]
    rows = max(1, CELLS // len(distinct))
    return [(2.0 * generator.binomial(counts, 0.5, size=(min(rows, flips - done), len(counts))) - counts) @ distinct for done in range(0, flips, rows)]


def holm(values: "list[float] | Floats") -> Floats:
    """Correct p-values for their number by Holm's method.

    Shape: one corrected p a value, in the order given, at most 1.
    Source: S. Holm 1979, Scandinavian Journal of Statistics 6, 65-70.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    raw = np.asarray(values, dtype=np.float64)
    order = np.argsort(raw, kind="stable")
    corrected = np.minimum(1.0, np.maximum.accumulate(raw[order] * (len(raw) - np.arange(len(raw)))))
    result = np.empty_like(raw)
    result[order] = corrected
    return result


def detectable(spread: float, count: int, level: float = LEVEL, power: float = POWER) -> float:
    """Give the smallest difference that so many pairs show with this power.

    `spread`: standard deviation of the paired differences.
    Empty: a count of 0 gives NaN.

    >>> f"{detectable(0.4, 1000):.4f}"
    '0.0354'
    """
    if count == 0:
        return nan
    return (normal_quantile(level) + NormalDist().inv_cdf(power)) * spread / sqrt(count)
