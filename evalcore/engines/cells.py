"""Items counted by part, F1 and outcome, and the places these counts give them in an order."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.analysis.selection import Order
from evalcore.scoring.buckets import BUCKETS, Bucket

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.integer[Any]]
BY_F1: tuple[Order, ...] = ("f1_high", "f1_low", "file")  # Orders in which cells stand one after the other.


def with_near(codes: Whole, f1: Floats, near: float) -> Integers:
    """Part failed items, all misses before, by their F1 and a threshold; codes index BUCKETS."""
    failed = codes == BUCKETS.index("miss")
    parted = np.where(failed & (f1 > 0), BUCKETS.index("partial"), codes)
    return np.where(failed & (f1 >= near), BUCKETS.index("near_miss"), parted)


@dataclass(frozen=True, eq=False)
class Cells:
    """Items counted by part, F1 and outcome.

    Shape: one row a cell. `f1` is NaN where there is none, `codes` index
    BUCKETS with every failed item as a miss, `counts` are above 0.
    """

    parts: Integers
    f1: Floats
    codes: Integers
    counts: Integers

    def with_near(self, near: float) -> Integers:
        """Give the bucket of every cell under a threshold, as indexes into BUCKETS."""
        return with_near(self.codes, self.f1, near)

    def by_bucket(self, near: float) -> dict[Bucket, int]:
        """Count the items of every bucket."""
        counts = np.zeros(len(BUCKETS), dtype=np.int64)
        np.add.at(counts, self.with_near(near), self.counts)
        return {bucket: int(counts[code]) for code, bucket in enumerate(BUCKETS)}

    def of(self, buckets: Sequence[Bucket], near: float) -> "Cells":
        """Keep the cells of some buckets, all for none."""
        if not buckets:
            return self
        keep = np.isin(self.with_near(near), [BUCKETS.index(bucket) for bucket in buckets])
        return Cells(self.parts[keep], self.f1[keep], self.codes[keep], self.counts[keep])

    def in_order(self, order: Order) -> "Runs":
        """Lay the items one after the other: by F1 without F1 last, then by part; or by part alone."""
        key = {"f1_high": -self.f1, "f1_low": self.f1}.get(order, np.zeros(len(self.f1)))
        known = np.nan_to_num(key, nan=np.inf)
        order_of = np.lexsort((self.parts, known))
        parts, known = self.parts[order_of], known[order_of]
        new = np.ones(len(parts), dtype=bool)
        new[1:] = (parts[1:] != parts[:-1]) | (known[1:] != known[:-1])
        first = np.flatnonzero(new)
        counts = np.add.reduceat(self.counts[order_of], first) if len(first) else self.counts
        f1 = self.f1[order_of][first] if order != "file" else np.full(len(first), np.nan)
        return Runs(parts[first], f1, counts)


@dataclass(frozen=True, eq=False)
class Runs:
    """Items in an order: runs of items of one part and one F1, which stand in the order of the file.

    Shape: one row a run, in order; `f1` is NaN where there is none, or where the order does not ask for it.
    """

    parts: Integers
    f1: Floats
    counts: Integers

    @cached_property
    def starts(self) -> Integers:
        """The place of the first item of every run."""
        return np.cumsum(self.counts) - self.counts

    def between(self, first: int, last: int) -> list[tuple[int, int, int]]:
        """Give the runs that hold the places from `first` to before `last`: run, items to leave out at its start, items to take."""
        begin = int(np.searchsorted(self.starts, first, side="right")) - 1
        found = []
        for run in range(max(0, begin), len(self.parts)):
            start, count = int(self.starts[run]), int(self.counts[run])
            if start >= last:
                break
            skip = max(0, first - start)
            take = min(count, last - start) - skip
            if take > 0:
                found.append((run, skip, take))
        return found

    def start_of(self, part: int, f1: float) -> int | None:
        """Give the place of the first item of a run, None when there is none such."""
        same = (self.f1 == f1) | (np.isnan(self.f1) & (f1 != f1))
        found = np.flatnonzero((self.parts == part) & same)
        return int(self.starts[found[0]]) if len(found) else None
