"""Counting and choosing among millions of items found: one pass each, and nothing large made on the way."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evalcore.text.compiled import kernel

Numbers = npt.NDArray[np.int32]
Table = npt.NDArray[np.integer[Any]]
Codes = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]
Int = Any  # An int when compiled, a NumPy integer when not.

at = np.uintp  # Unsigned indexes spare a test for negative ones at every access.
EVERY = np.zeros(0, dtype=np.int32)


class Columns(NamedTuple):
    """Items found in one stretch of the folder, from position `start` on; `rows` count from there, empty for every one.

    Shape: one row an item. `ranks` index the distinct F1 of the folder;
    `codes` index BUCKETS with every failed item as a miss; `lengths` are
    the bytes of the prediction.
    """

    start: int
    rows: Numbers
    ranks: Numbers
    codes: Codes
    lengths: Numbers


class Keys(NamedTuple):
    """What an order sorts by, ascending: `sign` times the rank, the length or the position of an item, or what a table has for it.

    A bin holds 2 ** `shift` keys from `least` on; the first and the last
    of `most` bins hold those beyond, too.
    """

    by: int
    table: Table
    sign: int
    least: int
    shift: int
    most: int


RANK, LENGTH, POSITION = range(3)


@kernel
def write_keys(columns: Columns, keys: Keys, out: Integers) -> None:
    """Write the key of every item to the start of `out`."""
    items = columns.ranks.shape[0]
    if keys.by == RANK:
        for row in range(items):
            out[row] = columns.ranks[row]
    elif keys.by == LENGTH:
        for row in range(items):
            out[row] = columns.lengths[row]
    elif columns.rows.shape[0] > 0:
        for row in range(items):
            out[row] = columns.start + np.int64(columns.rows[row])
    else:
        for row in range(items):
            out[row] = columns.start + row
    if keys.table.shape[0] > 0:
        for row in range(items):
            out[row] = keys.table[at(out[row])]
    elif keys.sign < 0:
        for row in range(items):
            out[row] = -out[row]


@kernel
def is_kept(columns: Columns, kept: Flags, row: Int) -> bool:
    """Tell whether rank and outcome of an item are kept."""
    return bool(kept[at(columns.ranks[row]), at(columns.codes[row])])


@kernel
def bin_of(keys: Keys, key: Int) -> Int:
    """Give the bin of a key."""
    return min(max((key - keys.least) >> keys.shift, 0), keys.most - 1)


@kernel
def count_cells(columns: Columns, counts: Integers) -> None:
    """Add the items to counts by rank and outcome."""
    for row in range(columns.ranks.shape[0]):
        counts[at(columns.ranks[row]), at(columns.codes[row])] += 1


@kernel
def count_bins(columns: Columns, keys: Keys, kept: Flags, found: Integers, counts: Integers) -> None:
    """Add the items whose rank and outcome are kept to the counts of their bins; `found` are their keys."""
    for row in range(columns.ranks.shape[0]):
        if is_kept(columns, kept, row):
            counts[at(bin_of(keys, found[row]))] += 1


@kernel
def take_between(
    columns: Columns, keys: Keys, kept: Flags, found: Integers, bins: Integers, limits: Integers, seen: Integers, positions: Integers, taken: Integers
) -> None:
    """Write the positions and keys of kept items from one bin to another behind those written before, of which `seen` ends with the number.

    Of the items of the first and the last bin, `seen` before or now, those
    between two `limits` alone are taken.
    """
    for row in range(columns.ranks.shape[0]):
        number = bin_of(keys, found[row])
        if number < bins[0] or number > bins[1] or not is_kept(columns, kept, row):
            continue
        end = 0 if number == bins[0] else 1
        if number == bins[end]:
            seen[end] += 1
            if seen[end] <= limits[end, 0] or seen[end] > limits[end, 1]:
                continue
        positions[seen[2]] = columns.start + (np.int64(columns.rows[row]) if columns.rows.shape[0] > 0 else row)
        taken[seen[2]] = found[row]
        seen[2] += 1


@kernel
def count_before(columns: Columns, kept: Flags, found: Integers, key: Int, ties: Int) -> Int:
    """Count the kept items of a smaller key, and among the first `ties` those of the same one."""
    before = 0
    for row in range(columns.ranks.shape[0]):
        is_before = found[row] < key or (found[row] == key and row < ties)
        before += is_before and is_kept(columns, kept, row)
    return before
