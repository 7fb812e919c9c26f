"""A text looked for in all items of a scored folder: every text is read once, on several cores, and what is found is kept."""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from evalcore.analysis.selection import EM_0, Selection
from evalcore.data import DataError
from evalcore.engines.conditions import TEXTS
from evalcore.engines.found import Hits
from evalcore.engines.scored_folder import Part
from evalcore.scoring.buckets import BUCKETS
from evalcore.text.columns import Texts
from evalcore.text.needle import Needle

MOST_THREADS = 4  # A server has other readers.
PIECES = 8  # Of each thread: few enough to open files seldom, many enough to end together.

Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Columns = tuple[Rows, npt.NDArray[np.float64], npt.NDArray[np.int8], Rows]  # Positions, F1, outcomes, bytes of the prediction.
OUTCOME = np.array([BUCKETS.index("miss" if name in EM_0 else name) for name in BUCKETS], dtype=np.int8)


class Piece(NamedTuple):
    """Some row groups of a part; `start` is the position of their first item."""

    part: Part
    groups: range
    start: int


def search(parts: Sequence[Part], wanted: Selection, seconds: float) -> Hits:
    """Find the items that hold the text of a selection and fulfil its other conditions, buckets apart, in order.

    Raises: TimeoutError when it takes longer than so many seconds; DataError when a file cannot be read.
    """
    needle, until = Needle(wanted.text), time.monotonic() + seconds
    threads = min(os.cpu_count() or 1, MOST_THREADS)
    pieces = _pieces(parts, threads * PIECES)
    kinds = (_kind(parts), np.float64, np.int8, np.int32)
    with ThreadPoolExecutor(threads, "whymiss-search") as pool:
        try:
            columns = [list(column) for column in zip(*pool.map(lambda piece: _columns(_hits(piece, needle, wanted, until), kinds), pieces), strict=True)]
        finally:
            pool.shutdown(cancel_futures=True)
    return Hits.of(*map(_joined, columns))


def _kind(parts: Sequence[Part]) -> type[np.int32] | type[np.int64]:
    """Give the smallest numbers that hold all positions."""
    return np.int32 if parts[-1].start + parts[-1].items < 1 << 31 else np.int64


def _columns(found: Iterable[Columns], kinds: Sequence[Any]) -> list[Any]:
    """Put what was found in row groups one after the other."""
    listed = list(zip(*found, strict=True)) or [()] * len(kinds)
    return [np.concatenate([np.zeros(0, kind), *column], dtype=kind) for kind, column in zip(kinds, listed, strict=True)]


def _joined(listed: list[Any]) -> Any:
    """Put arrays one after the other, and give their memory back."""
    whole = np.concatenate(listed)
    listed.clear()
    return whole


def _pieces(parts: Sequence[Part], wanted: int) -> list[Piece]:
    """Cut parts into about so many pieces, but none into less than a row group."""
    most = max(1, sum(len(part.groups) for part in parts) // wanted)
    return [
        Piece(part, range(first, min(first + most, len(part.groups))), part.start + sum(part.groups[:first]))
        for part in parts
        for first in range(0, len(part.groups), most)
    ]


def _hits(piece: Piece, needle: Needle, wanted: Selection, until: float) -> Iterator[Columns]:
    """Search row group by row group; numbers are read where something is found."""
    columns = [name for name in TEXTS if name in piece.part.columns]
    more = [name for name, asked in {"em": wanted.em is not None, "reason": bool(wanted.reasons)}.items() if asked]
    start = piece.start
    try:
        with pq.ParquetFile(piece.part.file, read_dictionary=["bucket"]) as file:
            for group in piece.groups:
                if time.monotonic() >= until:
                    raise TimeoutError
                texts = file.read_row_group(group, columns=columns, use_threads=False)
                rows = np.flatnonzero(_holding(texts, needle))
                if len(rows):
                    numbers = file.read_row_group(group, columns=["f1", "bucket", "prediction_bytes", *more], use_threads=False)
                    yield _fulfilling(numbers, rows, start, wanted)
                start += texts.num_rows
    except TimeoutError:  # A kind of OSError, too.
        raise
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"the items of {piece.part.name!r:.120} cannot be searched ({error!s:.200}); open the folder again, or score the file again") from None


def _holding(table: pa.Table, needle: Needle) -> Flags:
    """Tell which rows hold the needle in one of their texts."""
    found = np.zeros(table.num_rows, dtype=np.bool_)
    for name in table.column_names:
        if name == "references":
            lists = table[name].combine_chunks()
            before = np.concatenate(([0], np.cumsum(needle.within(Texts.from_arrow(lists.values)))))
            bounds = before[np.asarray(lists.offsets)]
            found |= bounds[1:] > bounds[:-1]
        else:
            found |= needle.within(Texts.from_arrow(table[name]))
    return found


def _fulfilling(numbers: pa.Table, rows: Rows, start: int, wanted: Selection) -> Columns:
    """Give the rows that fulfil the other conditions, too."""
    f1 = numbers["f1"].to_numpy()
    keep = np.ones(len(f1), dtype=np.bool_)
    if wanted.em is not None:
        keep &= numbers["em"].to_numpy() == wanted.em
    if wanted.f1 is not None:
        keep &= wanted.f1.holds(f1)
    if wanted.reasons:
        keep &= np.asarray(pc.is_in(numbers["reason"], value_set=pa.array(wanted.reasons, pa.large_string())))
    rows = rows[keep[rows]]
    buckets = numbers["bucket"].combine_chunks()
    codes = OUTCOME[[BUCKETS.index(name) for name in buckets.dictionary.to_pylist()]][np.asarray(buckets.indices)]
    return start + rows, f1[rows], codes[rows], numbers["prediction_bytes"].to_numpy()[rows]
