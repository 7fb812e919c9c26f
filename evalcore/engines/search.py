"""A search through all items of a scored folder: every item is looked at, on several cores, and what is found is kept.

What was found so far can be asked for while it runs, so that nobody has to wait for the end to see a page.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from evalcore.analysis.reasons.table import CODES
from evalcore.analysis.selection import Selection, SelectionError
from evalcore.data import DataError
from evalcore.engines.conditions import Query, check, over
from evalcore.engines.database import TOO_LONG, Database
from evalcore.engines.hit_kernels import EVERY, Columns
from evalcore.engines.hits import Hits
from evalcore.engines.scored_folder import THREADS, Part
from evalcore.engines.searchable import Searchable
from evalcore.text.needle import Needle

NUMBERS = ("rank", "outcome", "prediction_bytes")
PIECES = 8  # Of each thread: few enough to open files seldom, many enough to end together.
SOON = 0.5  # Of a patience: a search that will be over so soon after it is waited for.
UNWATCHED = 2.0  # Seconds after which a search that another one has replaced is given up when nobody asks for it.

Rows = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Ranks = npt.NDArray[np.integer[Any]]


class GivenUp(Exception):
    """Nobody asked for a search any more."""


class Piece(NamedTuple):
    """Some batches of a part; `ranks` leads from the ranks in its file to those in all files."""

    part: Part
    batches: range
    items: int
    ranks: Ranks


class Search:
    """The items that fulfil a selection, buckets apart, being looked for in threads of its own from the start.

    `is_replaced`: another search was asked for since. It is given up then when nobody asks for it.
    Raises: SelectionError for a selection that cannot be asked of files, DataError when a file cannot be read.
    """

    def __init__(self, parts: Sequence[Part], wanted: Selection, database: Database) -> None:
        check(parts, wanted)
        is_pattern = wanted.pattern and wanted.text != ""
        if is_pattern:
            database.check_pattern(wanted.text)
        self.wanted, self.database = wanted, database
        self.began = self.asked_at = time.monotonic()
        self.until = self.began + database.seconds
        self.is_replaced = False
        self.values, self.pieces = _pieces(parts, THREADS * PIECES, in_one=is_pattern)
        self.kept = None if wanted.f1 is None else wanted.f1.holds(self.values)
        self.needle = None if is_pattern or not wanted.text else Needle(wanted.text)
        self.lock, self.may_run = threading.Lock(), threading.Event()
        self.may_run.set()
        self.whole: Hits | None = None
        pool = ThreadPoolExecutor(THREADS, "whymiss-search")
        self.futures: list[Future[Columns]] = [pool.submit(self._searched, piece) for piece in self.pieces]
        pool.shutdown(wait=False)

    @property
    def is_over(self) -> bool:
        """Tell whether nothing more will be found."""
        return self.whole is not None or all(future.done() for future in self.futures)

    @property
    def nbytes(self) -> int:
        """Bytes of what was found, once it is over."""
        return 0 if self.whole is None else self.whole.nbytes

    @property
    def searched(self) -> int:
        """Count the items that were looked at."""
        futures = self.futures
        return sum(piece.items for place, piece in enumerate(self.pieces) if not futures or futures[place].done())

    def found(self, patience: float | None = None) -> Hits:
        """Give what was found, at the end, or so far when the patience, in seconds, is over and the end is not near; `searched` of it tells how far that is.

        Raises: SelectionError when it took too long; DataError when a file cannot be read; GivenUp when nobody had asked for long.
        """
        end = np.inf if patience is None else time.monotonic() + patience
        while self.whole is None:
            self.asked_at = time.monotonic()
            done, running = wait(self.futures, max(0.0, min(UNWATCHED / 2, end - self.asked_at)), FIRST_EXCEPTION)
            self._check(done)
            with self.lock:
                if self.whole is None and not running:
                    self.whole, self.futures = self._joined(self.futures), []
                elif self.whole is None and patience is not None and time.monotonic() >= end:
                    if not self._ends_within(SOON * patience):
                        return self._joined(self.futures)
                    end, patience = end + SOON * patience, 0
        return self.whole

    def _ends_within(self, seconds: float) -> bool:
        """Tell whether the rest will be searched in some seconds, going on as before."""
        share = self.searched / sum(piece.items for piece in self.pieces)
        return (time.monotonic() - self.began) * (1 - share) <= seconds * share and seconds > 0

    def _check(self, done: set[Future[Columns]]) -> None:
        """Stop what has not begun when something went wrong, and say what."""
        errors = [error for future in done if not future.cancelled() and (error := future.exception())]
        if not errors:
            return
        for future in self.futures:
            future.cancel()
        if isinstance(errors[0], TimeoutError):
            raise SelectionError(TOO_LONG.format(seconds=self.database.seconds)) from None
        raise errors[0]

    def _joined(self, futures: Sequence[Future[Columns]]) -> Hits:
        """Put together what the pieces that are done found; their order is that of the folder."""
        done = [(piece, future.result()) for piece, future in zip(self.pieces, futures, strict=True) if future.done()]
        return Hits([columns for _, columns in done if len(columns.ranks)], self.values, sum(piece.items for piece, _ in done))

    def _searched(self, piece: Piece) -> Columns:
        """Search batch by batch; numbers are read where something is found."""
        more = [name for name, is_asked in {"em": self.wanted.em is not None, "reason": bool(self.wanted.reasons)}.items() if is_asked]
        with _told(piece.part), Searchable(piece.part.search, [*NUMBERS, *more]) as file:
            rows_of = self._rows_of(piece, file)
            start = file.rows * piece.batches.start
            found = []
            for batch in piece.batches:
                self._go_on()
                rows = rows_of(batch)
                if rows is None or len(rows):
                    found.append(self._fulfilling(file.numbers(batch), rows, piece.ranks, file.rows * batch - start))
        columns = [np.concatenate(column) for column in zip(*found, strict=True)] or [EVERY] * 4
        is_every = len(columns[0]) == piece.items
        return Columns(piece.part.start + start, EVERY if is_every else columns[0], columns[1], columns[2], columns[3])

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let the search rest while somebody works with what it has found."""
        self.may_run.clear()
        try:
            yield
        finally:
            self.may_run.set()

    def _go_on(self) -> None:
        """Rest as long as asked to.

        Raises: TimeoutError or GivenUp when it is time to stop.
        """
        self.may_run.wait(UNWATCHED)
        now = time.monotonic()
        if now >= self.until:
            raise TimeoutError
        if self.is_replaced and now > self.asked_at + UNWATCHED:
            raise GivenUp

    def _rows_of(self, piece: Piece, file: Searchable) -> Callable[[int], Rows | None]:
        """Give what tells the rows of a batch that hold the text; None for all of them."""
        needle = self.needle
        if needle is not None:
            return lambda batch: np.flatnonzero(needle.within_folded(file.texts(batch)))
        if not self.wanted.text:
            return lambda batch: None
        self._go_on()
        found = over([piece.part], [0], "", self.wanted)
        query = Query(f"SELECT row FROM ({found.sql})", found.values)
        rows = np.sort(np.concatenate([np.zeros(0, np.int64), *self.database.numbers(query, self.until)]))
        bounds = np.searchsorted(rows, file.rows * np.arange(file.batches + 1))
        return lambda batch: rows[bounds[batch] : bounds[batch + 1]] - file.rows * batch

    def _fulfilling(self, numbers: pa.RecordBatch, rows: Rows | None, to_all: Ranks, before: int) -> tuple[npt.NDArray[Any], ...]:
        """Give the rows that fulfil the other conditions, too, with their numbers; `before` is how many rows of the piece were before."""
        wanted, ranks = self.wanted, to_all[numbers.column("rank").to_numpy()]
        conditions = [] if self.kept is None else [self.kept[ranks]]
        if wanted.em is not None:
            conditions.append(numbers.column("em").to_numpy() == wanted.em)
        if wanted.reasons:
            conditions.append(np.isin(numbers.column("reason").to_numpy(), [CODES[name] for name in wanted.reasons]))
        if conditions:
            keep = np.logical_and.reduce(conditions)
            rows = np.flatnonzero(keep) if rows is None else rows[keep[rows]]
        columns = (ranks, numbers.column("outcome").to_numpy(), numbers.column("prediction_bytes").to_numpy().astype(np.int32))
        chosen = np.arange(len(ranks), dtype=np.int32) if rows is None else rows.astype(np.int32)
        return (chosen + np.int32(before), *(column if len(chosen) == len(ranks) else column[chosen] for column in columns))


def _pieces(parts: Sequence[Part], wanted: int, in_one: bool) -> tuple[Floats, list[Piece]]:
    """Give the distinct F1 of all parts, and cut these into about so many pieces, but none into less than a batch, or `in_one`."""
    most = max(1, sum(part.items for part in parts) // wanted)
    found = []
    for part in parts:
        with _told(part), Searchable(part.search) as file:
            if file.items != part.items:
                raise ValueError(f"its search file tells of {file.items:,} items, not {part.items:,}")
            found.append((part, file.f1, file.batches, file.rows))
    values = np.unique(np.concatenate([f1 for _, f1, _, _ in found]))
    pieces = []
    for part, f1, batches, rows in found:
        ranks: Ranks = np.searchsorted(values, f1).astype(np.int32)
        each = max(1, batches if in_one else most // rows)
        for first in range(0, batches, each):
            some = range(first, min(first + each, batches))
            pieces.append(Piece(part, some, min(part.items, rows * some.stop) - rows * first, ranks))
    return values, pieces


@contextmanager
def _told(part: Part) -> Iterator[None]:
    """Say which file it is that cannot be read."""
    try:
        yield
    except (TimeoutError, SelectionError, DataError):  # Kinds of OSError and ValueError, which say what to do.
        raise
    except (OSError, pa.ArrowException, ValueError) as error:
        raise DataError(f"the items of {part.name!r:.120} cannot be searched ({error!s:.200}); open the folder again, or score the file again") from None
