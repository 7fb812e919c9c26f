"""What to judge next: a sample that tells most of the share of right answers, and what it tells."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan, sqrt
from statistics import NormalDist

import numpy as np

from evalcore.analysis.containment import contained
from evalcore.analysis.slices import Slicing
from evalcore.analysis.verdicts import NONE, RIGHT, WRONG, Codes
from evalcore.scoring.metrics import Counts, Floats
from evalcore.scoring.scores import Scores
from evalcore.scoring.statistics import LEVEL, SEED, Interval, student_quantile, wilson

BUDGET = 100
LEAST = 4
DRAWS = 4000
WEIGHT = 1.0  # A stratum's guess counts as much as this many verdicts,
BLUR = 0.15  # and the bounds allow for this share of a verdict more on the other side.
SMALLEST = 0.05  # A part of a group that holds a smaller share of all items is not looked at alone.


@dataclass(frozen=True, eq=False)
class Stratum:
    """Items that are about equally likely to be right; `guess` is that chance before anyone looked."""

    name: str
    guess: float
    rows: Counts


# The guesses say what these words mean, not what some data showed: they only steer
# where to look and how to bound strata with few verdicts.
KINDS: tuple[tuple[str, float], ...] = (
    ("exact match", 0.95),
    ("contains a reference", 0.9),
    ("half of the words or more", 0.7),
    ("some words", 0.4),
    ("no word", 0.1),
)


def strata(scores: Scores, split: Slicing | None = None, budget: int = BUDGET) -> tuple[Stratum, ...]:
    """Group the scored items by EM, containment and F1, and by one more label where given.

    `split`: a label an item, such as the family of its reason; the parts of
    a group with less than a twentieth of the items stay together. It is
    left out where the budget is too small to look at every part.
    Shape: every scored item is in one stratum; none is empty.
    Differs: the groups come from the settings of these scores. Keep the
    same scores for a sample as long as its verdicts count.
    """
    inside = contained(scores)
    kinds = np.select([scores.em == 1, inside, scores.f1 >= 0.5, scores.f1 > 0], [0, 1, 2, 3], 4)
    groups = [Stratum(name, guess, np.flatnonzero(scores.is_scored & (kinds == kind))) for kind, (name, guess) in enumerate(KINDS)]
    whole = tuple(group for group in groups if len(group.rows))
    if split is None:
        return whole
    least = SMALLEST * int(scores.is_scored.sum())
    finer = tuple(part for group in whole for part in _parts(group, split, least))
    return finer if len(finer) * LEAST <= budget else whole


def _parts(group: Stratum, split: Slicing, least: float) -> list[Stratum]:
    """Part a group by label; labels of few items share the last part."""
    codes = split.codes[group.rows]
    sizes = np.bincount(codes, minlength=len(split.labels))
    large = [code for code in range(len(split.labels)) if sizes[code] >= least]
    parts = [Stratum(f"{group.name}: {split.labels[code]}", group.guess, group.rows[codes == code]) for code in large if sizes[code] < len(codes)]
    if not parts:
        return [group]
    rest = Stratum(f"{group.name}: the rest", group.guess, group.rows[~np.isin(codes, large)])
    return [*parts, rest] if len(rest.rows) else parts


def shares(groups: Sequence[Stratum], budget: int, least: int = LEAST) -> Counts:
    """Divide a budget: to every stratum by its size times the spread its guess implies, and at least a few.

    Shape: one count a stratum; their sum is the budget, or all items.
    Source: J. Neyman 1934, Journal of the Royal Statistical Society 97, 558-606.
    """
    sizes = np.array([len(group.rows) for group in groups], dtype=np.float64)
    spreads = np.array([sqrt(max(group.guess * (1 - group.guess), 0.01)) for group in groups])  # No guess is so sure that nobody looks.
    floors = np.minimum(sizes, least)
    budget = int(min(budget, sizes.sum()))
    if floors.sum() >= budget:
        return _rounded(floors * budget / max(floors.sum(), 1), budget)
    low, high = 0.0, 11.0
    for _ in range(100):  # The factor at which clipped shares add up to the budget, by bisection.
        middle = (low + high) / 2
        low, high = (low, middle) if np.clip(middle * spreads * sizes, floors, sizes).sum() > budget else (middle, high)
    return _rounded(np.clip(low * spreads * sizes, floors, sizes), budget)


def _rounded(wanted: Floats, total: int) -> Counts:
    counts = np.floor(wanted + 1e-9).astype(np.int64)
    for number in np.argsort(-(wanted - counts), kind="stable")[: total - int(counts.sum())]:
        counts[number] += 1
    return counts


@dataclass(frozen=True, eq=False)
class Sample:
    """Items to judge, in this order; a start of it, however long, is a sample too.

    Within a stratum the order is random, so every item of a stratum has
    the same known chance to be among the first. Every item has its own
    random number, so samples from other strata, or of another size, share
    as many items as they can.
    """

    groups: tuple[Stratum, ...]
    rows: Counts
    seed: int

    @classmethod
    def of(cls, groups: Sequence[Stratum], budget: int = BUDGET, seed: int = SEED) -> "Sample":
        """Draw items for a budget; the same seed draws the same."""
        sizes = shares(groups, budget)
        numbers = np.random.default_rng(seed).random(1 + max((int(group.rows.max()) for group in groups if len(group.rows)), default=0))
        drawn = [group.rows[np.argsort(numbers[group.rows], kind="stable")[:size]] for group, size in zip(groups, sizes, strict=True)]
        turns = [((place + 0.5) / size, number, place) for number, size in enumerate(sizes.tolist()) for place in range(size)]
        rows = [int(drawn[number][place]) for _, number, place in sorted(turns)]
        return cls(tuple(groups), np.array(rows, dtype=np.int64), seed)

    @cached_property
    def stratum_of(self) -> Counts:
        """The index of the stratum of every sampled row, in the order of `rows`."""
        place = np.zeros(1 + max((int(group.rows.max()) for group in self.groups if len(group.rows)), default=0), dtype=np.int64)
        for number, group in enumerate(self.groups):
            place[group.rows] = number
        return place[self.rows]

    def next(self, codes: Codes) -> int | None:
        """Give the first row without a verdict; None when all are judged."""
        waiting = self.rows[codes[self.rows] == NONE]
        return int(waiting[0]) if len(waiting) else None

    def started(self, codes: Codes) -> "Sample":
        """Give the start of the sample that is judged without a gap.

        What lies behind a gap was chosen by someone, and is left out.
        """
        gaps = np.flatnonzero(codes[self.rows] == NONE)
        return Sample(self.groups, self.rows[: gaps[0]] if len(gaps) else self.rows, self.seed)

    def weights(self, codes: Codes) -> Floats:
        """Give how many items every sampled row with a verdict of right or wrong stands for, 0 elsewhere.

        Shape: one row an item of the dataset.
        """
        weights = np.zeros(len(codes))
        counted = np.isin(codes[self.rows], (RIGHT, WRONG))
        for number, group in enumerate(self.groups):
            rows = self.rows[counted & (self.stratum_of == number)]
            if len(rows):
                weights[rows] = len(group.rows) / len(rows)
        return weights


@dataclass(frozen=True)
class StratumResult:
    """What the verdicts of one stratum say."""

    name: str
    items: int
    judged: int
    right: int


@dataclass(frozen=True)
class Estimate:
    """The share of right answers, as a sample of verdicts tells it.

    `interval.estimate` is every stratum's own share, weighted by its size:
    unbiased once each has a verdict; before, one without counts by its
    guess. `em`: the share of exact matches, which stands beside it as
    the lower bound. `undecided`: sampled items judged unsure, or whose
    reference is wrong; their stratum's other items speak for them.
    """

    interval: Interval
    em: float
    judged: int
    undecided: int
    strata: tuple[StratumResult, ...]


def estimate(sample: Sample, codes: Codes, em: Floats, level: float = LEVEL) -> Estimate:
    """Estimate the share of right answers among all scored items from the verdicts on a sample.

    Shape: `codes` and `em` have one row an item of the dataset.
    Empty: NaN without any verdict.
    """
    judged = sample.started(codes)
    said = codes[judged.rows]
    size = np.array([len(group.rows) for group in judged.groups], dtype=np.int64)
    right = np.bincount(judged.stratum_of[said == RIGHT], minlength=len(size))
    count = right + np.bincount(judged.stratum_of[said == WRONG], minlength=len(size))
    guesses = np.array([group.guess for group in judged.groups])
    scored = em[~np.isnan(em)]
    return Estimate(
        _interval(size, right, count, guesses, level, sample.seed),
        float(scored.mean()) if len(scored) else nan,
        int(count.sum()),
        len(said) - int(count.sum()),
        tuple(StratumResult(group.name, *map(int, row)) for group, *row in zip(judged.groups, size, count, right, strict=True)),
    )


def _interval(size: Counts, right: Counts, count: Counts, guesses: Floats, level: float, seed: int) -> Interval:
    """Bound the share of right items of all strata together.

    Source: the posterior of every stratum under a Beta prior of one
    verdict's weight around its guess. As Clopper and Pearson's bounds do,
    the lower one allows for a part of a wrong verdict more and the upper
    one for a part of a right one; a stratum without right (wrong) verdicts
    may have no right (wrong) item at all. Few verdicts widen the bounds by
    Student's t. Judged items are known, only the rest is drawn.
    """
    total, judged = int(size.sum()), int(count.sum())
    if not judged:
        return Interval(nan, nan, nan, 0, "stratified", level)
    if judged == total:
        share = float(right.sum() / total)
        return Interval(share, share, share, total, "all items judged", level)
    if len(size) == 1:
        return _of_one(int(size[0]), int(right[0]), int(count[0]), level)
    rest = size - count
    alpha, beta = WEIGHT * guesses + right, WEIGHT * (1 - guesses) + count - right
    mean = alpha / (alpha + beta)
    variance = (rest / total) ** 2 * mean * (1 - mean) / (alpha + beta + 1)
    freedom = max(3.0, float(variance.sum() ** 2 / (variance**2 / np.maximum(count, 1)).sum())) if variance.any() else 3.0
    tail = NormalDist().cdf(-student_quantile(level, int(freedom)))
    generator = np.random.default_rng(seed)
    shape = (DRAWS, len(size))
    lower = np.where(right == 0, 0.0, generator.beta(alpha, beta + BLUR, size=shape)) @ rest + right.sum()
    upper = np.where(right == count, 1.0, generator.beta(alpha + BLUR, beta, size=shape)) @ rest + right.sum()
    own = np.where(count > 0, right / np.maximum(count, 1), guesses)
    share = float((own * size).sum() / total)
    low, high = float(np.quantile(lower, tail)) / total, float(np.quantile(upper, 1 - tail)) / total
    return Interval(share, min(low, share), max(high, share), judged, f"stratified, {DRAWS} draws, seed {seed}", level)


def _of_one(size: int, right: int, count: int, level: float) -> Interval:
    """Bound the share of a single stratum: Wilson's interval for the part of the items nobody judged."""
    found = wilson(right, count, level)
    shrink = sqrt((size - count) / max(size - 1, 1))
    share, low, high = found.estimate, found.low, found.high
    return Interval(share, share - (share - low) * shrink, share + (high - share) * shrink, count, "Wilson", level)


def uniform(scores: Scores) -> tuple[Stratum, ...]:
    """Give one stratum of all scored items: a simple random sample."""
    return (Stratum("all items", 0.5, np.flatnonzero(scores.is_scored)),)
