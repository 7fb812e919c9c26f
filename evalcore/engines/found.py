"""What a scan over a scored folder found, and the places of items in an order, without reading one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from evalcore.analysis.selection import Order, Selection
from evalcore.scoring.buckets import BUCKETS, Bucket

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.integer[Any]]
AT_ONCE = 1 << 20  # Items counted together: what is made on the way stays small.
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


@dataclass(frozen=True, eq=False)
class Hits:
    """The items a text search found, in the order of the folder; ten million of them fit into memory.

    Shape: one row an item. `ranks` index `values`, the distinct F1 in
    ascending order with NaN last; `codes` index BUCKETS with every failed
    item as a miss; `lengths` are the bytes of the prediction.
    """

    positions: Whole
    values: Floats
    ranks: Whole
    codes: Whole
    lengths: Whole

    @classmethod
    def of(cls, positions: Whole, f1: Floats, codes: Whole, lengths: Whole) -> "Hits":
        """Put columns together; positions ascend."""
        distinct = pa.array(f1).dictionary_encode()
        values = np.asarray(distinct.dictionary, dtype=np.float64)
        order = np.argsort(values)
        ranks = np.empty(len(order), dtype=np.int32)
        ranks[order] = np.arange(len(order))
        return cls(positions, values[order], ranks[np.asarray(distinct.indices)], codes, lengths)

    @cached_property
    def cells(self) -> Cells:
        """Count the items by F1 and outcome, all as of part 0."""
        kinds, counts = len(BUCKETS), np.zeros(len(self.values) * len(BUCKETS), dtype=np.int64)
        for start in range(0, len(self.ranks), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            counts += np.bincount(self.ranks[some] * kinds + self.codes[some], minlength=len(counts))
        there = np.flatnonzero(counts)
        return Cells(np.zeros(len(there), dtype=np.int64), self.values[there // kinds], there % kinds, counts[there])

    def page(self, wanted: Selection, first: int, size: int) -> Integers:
        """Give the positions of the items at some places of a selection, in its order; those of order `id` as in the file.

        Nothing but the page is sorted: it holds the keys between those at its first and its last place.
        """
        inside, keys = self._inside(wanted), self._keys(wanted.order)
        if keys is None:
            return self.positions[np.flatnonzero(inside)[first : first + size]].astype(np.int64)
        kept = keys[inside]
        last = min(first + size, len(kept)) - 1
        if last < first:
            return np.zeros(0, dtype=np.int64)
        kept.partition((first, last))
        least, most = kept[first], kept[last]
        rows = np.flatnonzero(inside & (keys >= least) & (keys <= most))
        skip = first - int(np.count_nonzero(kept[:first] < least))
        ordered = rows[np.argsort(keys[rows], kind="stable")]
        return self.positions[ordered[skip : skip + last + 1 - first]].astype(np.int64)

    def place(self, wanted: Selection, position: int) -> int | None:
        """Give the place of an item in a selection whose order is not by id, None when it is not in it."""
        row = int(np.searchsorted(self.positions, position))
        inside, keys = self._inside(wanted), self._keys(wanted.order)
        if row == len(inside) or self.positions[row] != position or not inside[row]:
            return None
        before = np.count_nonzero(inside[:row] if keys is None else inside[:row] & (keys[:row] == keys[row]))
        return int(before) + (0 if keys is None else int(np.count_nonzero(inside & (keys < keys[row]))))

    def _inside(self, wanted: Selection) -> npt.NDArray[np.bool_]:
        """Tell which items are in the buckets of a selection."""
        if not wanted.buckets:
            return np.ones(len(self.positions), dtype=np.bool_)
        codes = np.arange(len(BUCKETS))
        kept = np.isin(with_near(codes, self.values[:, None], wanted.near), [BUCKETS.index(bucket) for bucket in wanted.buckets])
        return np.asarray(kept[self.ranks, self.codes])

    def _keys(self, order: Order) -> Whole | None:
        """Give what an order sorts by, ascending; items without F1 come last. None for the order of the file."""
        if order in ("longest", "shortest"):
            return -self.lengths if order == "longest" else self.lengths
        if order == "f1_high":
            known = int(np.count_nonzero(~np.isnan(self.values)))
            return np.where(self.ranks < known, known - 1 - self.ranks, self.ranks)
        return self.ranks if order == "f1_low" else None
