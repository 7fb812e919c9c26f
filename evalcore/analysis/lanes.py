"""Two lanes of F1: how many items match and miss at every F1."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.analysis.selection import F1Range
from evalcore.scoring.buckets import BUCKETS, NEAR_MISS_F1, Bucket, bucket_codes
from evalcore.scoring.scores import Scores

INNER = 20  # With 20 the usual threshold .8 is an edge; with 21 it would fall inside a bar.
EDGES = np.array([number / INNER for number in range(1, INNER)])


@dataclass(frozen=True)
class Bar:
    """The items of one range of F1, by bucket.

    Shape: `counts` has every bucket but `unscored`.
    """

    f1: F1Range
    counts: Mapping[Bucket, int]

    @property
    def exact(self) -> bool:
        """Tell whether the bar holds a single value of F1, 0 or 1."""
        return self.f1.low == self.f1.high

    @property
    def matched(self) -> int:
        """Count the items with EM 1."""
        return self.counts["match"] + self.counts["empty_match"]

    @property
    def missed(self) -> int:
        """Count the items with EM 0."""
        return self.counts["near_miss"] + self.counts["partial"] + self.counts["miss"]


@dataclass(frozen=True)
class Lanes:
    """All bars from F1 0 to F1 1, and the items of every bucket.

    Shape: `bars` has exactly 0, INNER ranges between, and exactly 1. Every
    scored item is in one bar.
    """

    bars: tuple[Bar, ...]
    totals: Mapping[Bucket, int]
    near: float


def lanes(scores: Scores, near: float = NEAR_MISS_F1) -> Lanes:
    """Count items by F1 and bucket.

    Empty: bars of zeros.

    >>> import evalcore
    >>> counted = lanes(evalcore.score(["a b", "c"], [["a b"], ["d"]], preset="raw"))
    >>> counted.bars[0].missed, counted.bars[-1].matched
    (1, 1)
    """
    return counted_lanes(scores.f1, bucket_codes(scores, near).astype(np.int64), np.ones(len(scores), dtype=np.int64), near)


def counted_lanes(f1: npt.NDArray[np.float64], codes: npt.NDArray[np.int64], counts: npt.NDArray[np.int64], near: float) -> Lanes:
    """Count items that are counted already by F1 and bucket.

    Shape: one row a kind of item; `codes` index BUCKETS.
    """
    scored = codes != BUCKETS.index("unscored")
    table = np.zeros((INNER + 2, len(BUCKETS)), dtype=np.int64)
    np.add.at(table, (_places(f1[scored]), codes[scored]), counts[scored])
    totals = np.zeros(len(BUCKETS), dtype=np.int64)
    np.add.at(totals, codes, counts)
    bars = tuple(Bar(_range(place), _by_bucket(table[place])) for place in range(INNER + 2))
    return Lanes(bars, {bucket: int(totals[code]) for code, bucket in enumerate(BUCKETS)}, near)


def missed_by(scores: Scores, codes: npt.NDArray[np.int8], kinds: int) -> npt.NDArray[np.int64]:
    """Count the items that did not match by bar and by a code of 0 to `kinds`; -1 is counted nowhere.

    Shape: one row a bar, one column a code.

    >>> import evalcore
    >>> missed_by(evalcore.score(["a b", "c"], [["a b"], ["d"]], preset="raw"), np.array([-1, 1], np.int8), 2)[0]
    array([0, 1])
    """
    counted = scores.is_scored & (codes >= 0)
    flat = _places(scores.f1[counted]) * kinds + codes[counted]
    return np.bincount(flat, minlength=(INNER + 2) * kinds).reshape(INNER + 2, kinds)


def _places(f1: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Give the bar of every F1."""
    places = np.searchsorted(EDGES, f1, side="right") + 1
    places[f1 == 0] = 0
    places[f1 == 1] = INNER + 1
    return places


def between(counted: Lanes, first: int, last: int) -> F1Range:
    """Give the range of F1 that two bars and all between them span."""
    low, high = counted.bars[first].f1, counted.bars[last].f1
    return F1Range(low.low, high.high, low.low_open, high.high_open)


def _range(place: int) -> F1Range:
    if place in (0, INNER + 1):
        value = float(place > 0)
        return F1Range(value, value)
    return F1Range((place - 1) / INNER, place / INNER, low_open=place == 1, high_open=True)


def _by_bucket(counts: npt.NDArray[np.int64]) -> Mapping[Bucket, int]:
    return {bucket: int(counts[code]) for code, bucket in enumerate(BUCKETS) if bucket != "unscored"}
