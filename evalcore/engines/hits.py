"""What a search of a scored folder found: counts, pages and places in an order, without reading one of the items."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analysis.selection import Order, Selection
from evalcore.engines.cells import Cells, with_near
from evalcore.engines.hit_kernels import EVERY, LENGTH, POSITION, RANK, Columns, Keys, Table, count_before, count_bins, count_cells, take_between, write_keys
from evalcore.engines.scored_folder import THREADS
from evalcore.scoring.buckets import BUCKETS

BINS = 1 << 12  # Into which positions, and places by id, are counted.
LONGEST = 1 << 16  # Bytes from which on predictions are counted together.
ANY = np.iinfo(np.int64).max

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class Hits:
    """The items a search found, in the order of the folder; ten million of them fit into memory.

    `values` are the distinct F1 in ascending order, NaN last; `searched`
    counts the items that were looked at. Keys are counted in bins, and only
    items of the bins that hold a page are sorted: memory that is new to
    the process costs more than the counting.
    """

    def __init__(self, chunks: Sequence[Columns], values: Floats, searched: int) -> None:
        self.chunks, self.values, self.searched = chunks, values, searched

    @property
    def nbytes(self) -> int:
        """Bytes of the columns."""
        return sum(column.nbytes for chunk in self.chunks for column in chunk[1:])

    @cached_property
    def cells(self) -> Cells:
        """Count the items by F1 and outcome, all as of part 0."""
        counts = np.zeros((len(self.values), len(BUCKETS)), dtype=np.int64)
        for chunk in self.chunks:
            count_cells(chunk, counts)
        ranks, codes = np.nonzero(counts)
        return Cells(np.zeros(len(ranks), dtype=np.int64), self.values[ranks], codes, counts[ranks, codes])

    def page(self, wanted: Selection, first: int, size: int, by_id: Table | None = None) -> Integers:
        """Give the positions of the items at some places of a selection, in its order.

        `by_id`: the place of every item of the folder in the order of ids, needed for that order.
        """
        keys, in_order = self._keys(wanted.order, by_id)
        kept = self._kept(wanted)

        def counted(chunks: Sequence[Columns]) -> Integers:
            counts = np.zeros(keys.most, dtype=np.int64)
            for chunk, found in _with_keys(chunks, keys):
                count_bins(chunk, keys, kept, found, counts)
            return counts

        with ThreadPoolExecutor(THREADS, "whymiss-page") as pool:
            counts = sum(pool.map(counted, [self.chunks[number::THREADS] for number in range(THREADS)]), np.zeros(keys.most, dtype=np.int64))
        upto = np.cumsum(counts)
        last = min(first + size, int(upto[-1])) - 1
        if last < first:
            return np.zeros(0, dtype=np.int64)
        bins = np.searchsorted(upto, [first, last], side="right")
        skip = first - int(upto[bins[0]] - counts[bins[0]])
        limits = np.array([(skip, skip + size) if bins[0] in in_order else (0, ANY), (0, size if bins[1] in in_order else ANY)])
        room = int(counts[bins[0] : bins[1] + 1].sum())
        positions, taken, seen = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64), np.zeros(3, dtype=np.int64)
        for chunk, found in _with_keys(self.chunks, keys):
            take_between(chunk, keys, kept, found, bins, limits, seen, positions, taken)
        begin = 0 if bins[0] in in_order else skip
        ordered = np.argsort(taken[: seen[2]], kind="stable")[begin : begin + last + 1 - first]
        return np.asarray(positions[ordered])

    def place(self, wanted: Selection, position: int, by_id: Table | None = None) -> int | None:
        """Give the place of an item in a selection, None when it is not in it; `by_id` as for a page."""
        keys, _ = self._keys(wanted.order, by_id)
        kept = self._kept(wanted)
        number = bisect_right(self.chunks, position, key=lambda chunk: chunk.start) - 1
        if number < 0:
            return None
        chunk = self.chunks[number]
        row = int(np.searchsorted(chunk.rows, position - chunk.start)) if len(chunk.rows) else position - chunk.start
        is_there = row < len(chunk.ranks) and (not len(chunk.rows) or chunk.rows[row] == position - chunk.start)
        if not is_there or not kept[chunk.ranks[row], chunk.codes[row]]:
            return None
        [(_, found)] = _with_keys([chunk], keys)
        key, before = int(found[row]), 0
        for place, (each, found) in enumerate(_with_keys(self.chunks, keys)):
            before += int(count_before(each, kept, found, key, len(found) if place < number else row if place == number else 0))
        return before

    def _kept(self, wanted: Selection) -> Flags:
        """Tell for every F1 and outcome whether it belongs to the buckets of a selection."""
        buckets = with_near(np.arange(len(BUCKETS)), self.values[:, None], wanted.near)
        return np.isin(buckets, [BUCKETS.index(bucket) for bucket in wanted.buckets or BUCKETS])

    def _keys(self, order: Order, by_id: Table | None) -> tuple[Keys, range]:
        """Give what an order sorts by, items without F1 last, and the bins whose items are in order as they stand."""
        if order == "longest":
            return Keys(LENGTH, EVERY, -1, 1 - LONGEST, 0, LONGEST), range(1, LONGEST)
        if order == "shortest":
            return Keys(LENGTH, EVERY, 1, 0, 0, LONGEST), range(LONGEST - 1)
        if order == "id":
            assert by_id is not None
            return Keys(POSITION, by_id, 1, 0, _shift(len(by_id)), BINS), range(0)
        if order == "file":
            last = self.chunks[-1] if self.chunks else None
            items = 1 if last is None else last.start + 1 + (int(last.rows[-1]) if len(last.rows) else len(last.ranks))
            return Keys(POSITION, EVERY, 1, 0, _shift(items), BINS), range(BINS)
        turned = np.arange(len(self.values), dtype=np.int32)
        known = int(np.count_nonzero(~np.isnan(self.values))) if order == "f1_high" else 0
        turned[:known] = turned[:known][::-1]
        return Keys(RANK, turned, 1, 0, 0, len(turned)), range(len(turned))


def _with_keys(chunks: Sequence[Columns], keys: Keys) -> Iterator[tuple[Columns, Integers]]:
    """Give every chunk with the keys of its items, which stay until the next one is asked for."""
    room = np.empty(max((len(chunk.ranks) for chunk in chunks), default=0), dtype=np.int64)
    for chunk in chunks:
        write_keys(chunk, keys, room)
        yield chunk, room[: len(chunk.ranks)]


def _shift(keys: int) -> int:
    """Give by how many bits keys below a number are shifted to fall into the bins."""
    return max(0, (keys - 1).bit_length() - (BINS - 1).bit_length())
