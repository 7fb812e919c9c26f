"""A text looked for in all items of a scored folder: every text is looked at, on several cores, and what is found is kept."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from evalcore.analysis.reasons.table import CODES
from evalcore.analysis.selection import Selection
from evalcore.data import DataError
from evalcore.engines.found import Hits
from evalcore.engines.scored_folder import THREADS, Part
from evalcore.engines.searchable import Searchable
from evalcore.text.needle import Needle

NUMBERS = ("rank", "outcome", "prediction_bytes")
PIECES = 8  # Of each thread: few enough to open files seldom, many enough to end together.

Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Columns = tuple[npt.NDArray[Any], npt.NDArray[np.int32], npt.NDArray[np.int8], npt.NDArray[np.int32]]  # Positions, ranks of F1, outcomes, lengths.


class Piece(NamedTuple):
    """Some batches of a part; `ranks` leads from the ranks in its file to those in all files."""

    part: Part
    batches: range
    ranks: npt.NDArray[np.int32]


class Asked(NamedTuple):
    """What is looked for, until when; `kept` are the F1 wanted, `kind` is that of positions."""

    needle: Needle
    wanted: Selection
    kept: Flags
    kind: type[np.int32] | type[np.int64]
    until: float


def search(parts: Sequence[Part], wanted: Selection, seconds: float) -> Hits:
    """Find the items that hold the text of a selection and fulfil its other conditions, buckets apart, in order.

    Raises: TimeoutError when it takes longer than so many seconds; DataError when a file cannot be read.
    """
    until = time.monotonic() + seconds
    values, pieces = _pieces(parts, THREADS * PIECES)
    kept = np.ones(len(values), dtype=np.bool_) if wanted.f1 is None else wanted.f1.holds(values)
    asked = Asked(Needle(wanted.text), wanted, kept, _kind(parts), until)
    with ThreadPoolExecutor(THREADS, "whymiss-search") as pool:
        try:
            found = [batch for batches in pool.map(lambda piece: list(_hits(piece, asked)), pieces) for batch in batches]
            columns = [list(column) for column in zip(*found, strict=True)] or [[] for _ in range(4)]
            found.clear()
            positions, ranks, codes, lengths = pool.map(_joined, columns, (asked.kind, np.int32, np.int8, np.int32))
        finally:
            pool.shutdown(cancel_futures=True)
    return Hits(positions, values, ranks, codes, lengths)


def _kind(parts: Sequence[Part]) -> type[np.int32] | type[np.int64]:
    """Give the smallest numbers that hold all positions."""
    return np.int32 if parts[-1].start + parts[-1].items < 1 << 31 else np.int64


def _joined(listed: list[Any], kind: Any) -> Any:
    """Put arrays one after the other, and give their memory back."""
    whole = np.concatenate([np.zeros(0, kind), *listed])
    listed.clear()
    return whole


def _pieces(parts: Sequence[Part], wanted: int) -> tuple[Floats, list[Piece]]:
    """Give the distinct F1 of all parts, and cut these into about so many pieces, but none into less than a batch."""
    most = max(1, sum(part.items for part in parts) // wanted)
    found = []
    for part in parts:
        with _told(part), Searchable(part.search) as file:
            if file.items != part.items:
                raise ValueError(f"its search file tells of {file.items:,} items, not {part.items:,}")
            found.append((part, file.f1, file.batches, max(1, most // file.rows)))
    values = np.unique(np.concatenate([f1 for _, f1, _, _ in found]))
    pieces = []
    for part, f1, batches, each in found:
        ranks = np.searchsorted(values, f1).astype(np.int32)
        pieces += [Piece(part, range(first, min(first + each, batches)), ranks) for first in range(0, batches, each)]
    return values, pieces


def _hits(piece: Piece, asked: Asked) -> Iterator[Columns]:
    """Search batch by batch; numbers are read where something is found."""
    more = [name for name, is_asked in {"em": asked.wanted.em is not None, "reason": bool(asked.wanted.reasons)}.items() if is_asked]
    with _told(piece.part), Searchable(piece.part.search, [*NUMBERS, *more]) as file:
        for batch in piece.batches:
            if time.monotonic() >= asked.until:
                raise TimeoutError
            rows = np.flatnonzero(asked.needle.within_folded(file.texts(batch)))
            if len(rows):
                yield _fulfilling(file.numbers(batch), rows, piece.ranks, piece.part.start + batch * file.rows, asked)


@contextmanager
def _told(part: Part) -> Iterator[None]:
    """Say which file it is that cannot be read."""
    try:
        yield
    except TimeoutError:  # A kind of OSError, too.
        raise
    except (OSError, pa.ArrowException, ValueError) as error:
        raise DataError(f"the items of {part.name!r:.120} cannot be searched ({error!s:.200}); open the folder again, or score the file again") from None


def _fulfilling(numbers: pa.RecordBatch, rows: Rows, to_all: npt.NDArray[np.int32], start: int, asked: Asked) -> Columns:
    """Give the rows that fulfil the other conditions, too."""
    wanted = asked.wanted
    ranks = to_all[numbers.column("rank").to_numpy()]
    keep = asked.kept[ranks]
    if wanted.em is not None:
        keep &= numbers.column("em").to_numpy() == wanted.em
    if wanted.reasons:
        keep &= np.isin(numbers.column("reason").to_numpy(), [CODES[name] for name in wanted.reasons])
    rows = rows[keep[rows]]
    lengths = numbers.column("prediction_bytes").to_numpy()[rows].astype(np.int32)
    return (start + rows).astype(asked.kind), ranks[rows], numbers.column("outcome").to_numpy()[rows], lengths
