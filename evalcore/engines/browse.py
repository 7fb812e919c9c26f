"""Pages of a scored folder: filters and sorts run in DuckDB over its files, and only what a page shows is read."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
import platformdirs
import pyarrow as pa

from evalcore.analysis.lanes import Lanes, counted_lanes
from evalcore.analysis.selection import Order, Selection, SelectionError
from evalcore.data import DataError
from evalcore.engines.conditions import Query, check, over, without_buckets
from evalcore.engines.found import BY_F1, Cells, Hits, Integers, Runs
from evalcore.engines.scored_folder import Codes, Positions, ScoredFolder
from evalcore.engines.search import search
from evalcore.engines.searchable import OUTCOME
from evalcore.scoring.buckets import BUCKETS
from evalcore.scoring.scores import Scores

MEMORY = "384MB"
THREADS = 2
SECONDS = 60.0  # A query that takes longer is stopped.
KEPT = 64
TOO_LONG = "the search did not finish within {seconds:g} s; choose a bucket or reasons first, or a simpler search"
MOST_FOUND = 200_000  # Items matching a pattern that are kept by position; the files are searched again for a page of more.
KEYS: dict[Order, str] = {"longest": "prediction_bytes DESC", "shortest": "prediction_bytes", "id": "id"}

PAGES, SMALL = 8, 1 << 22  # Pages whose items are kept, and the bytes of texts each may have.

Value = TypeVar("Value")


class Shown(NamedTuple):
    """The items of a page: positions, scores without contexts, places and metadata, and main reasons as codes, -1 for none; None where none were looked for."""

    positions: Positions
    scores: Scores
    reasons: Codes | None

    @property
    def nbytes(self) -> int:
        """Bytes of the texts."""
        data = self.scores.dataset
        return sum(column.nbytes for column in (data.ids, data.predictions, data.references.texts, data.questions) if column is not None)


class Browser:
    """Counts and pages of one folder; what was found last is kept. Safe to use from several threads."""

    def __init__(self, folder: ScoredFolder, seconds: float = SECONDS) -> None:
        self.folder = folder
        self.seconds = seconds
        self.lock = threading.Lock()
        self.last: tuple[Selection | None, Hits | None] = (None, None)
        self.listing: tuple[Selection | None, Positions | None] = (None, None)
        self.kept: OrderedDict[Hashable, Any] = OrderedDict()
        self.read: OrderedDict[Hashable, Shown] = OrderedDict()

    def warm(self, wanted: Selection, size: int) -> threading.Thread:
        """Load DuckDB, the first items of a selection and the footers of all files in a background thread; give the thread.

        An order that sorts looks into every file, and DuckDB keeps their footers.
        What is wrong with the files is said to who asks for a page.
        """

        def work() -> None:
            with suppress(SelectionError, DataError):
                self.shown(wanted, 0, size)
                every = over(self.folder.parts, range(len(self.folder.parts)), "", Selection())
                self._ask(Query(f"SELECT count(*) FROM ({every.sql})", every.values))

        thread = threading.Thread(target=work, name="whymiss-folder", daemon=True)
        thread.start()
        return thread

    def counts(self, wanted: Selection) -> dict[Any, int]:
        """Count the items of every bucket that fulfil all other conditions.

        Raises: SelectionError for a filter that cannot be applied.
        """
        return self._cells(without_buckets(wanted)).by_bucket(wanted.near)

    def lanes(self, near: float) -> Lanes:
        """Count all items by F1 and bucket, from the statistics."""
        cells = self._told()
        return counted_lanes(cells.f1, cells.with_near(near), cells.counts, near)

    def count(self, wanted: Selection) -> int:
        """Count the items of a selection."""
        return int(self._cells(without_buckets(wanted)).of(wanted.buckets, wanted.near).counts.sum())

    def page(self, wanted: Selection, first: int, size: int) -> Positions:
        """Give the positions of the items at places `first` to before `first + size` of a selection, in its order.

        Raises: SelectionError for a filter that cannot be applied.
        """
        return self._once(("page", wanted, first, size), lambda: self._page(wanted, first, size))

    def shown(self, wanted: Selection, first: int, size: int) -> Shown:
        """Read the items of a page; small ones read last stay, for other ways to show them.

        Raises: SelectionError as `page`; DataError when a file cannot be read any more.
        """
        key = ("shown", wanted, first, size)
        with self.lock:
            known = self.read.get(key)
        if known is None:
            positions = self.page(wanted, first, size)
            known = Shown(positions, *self.folder.listed(positions))
            with self.lock:
                if known.nbytes <= SMALL:
                    self.read[key] = known
                while len(self.read) > PAGES:
                    self.read.popitem(last=False)
        return known

    def place(self, wanted: Selection, position: int) -> int | None:
        """Give the place of an item in a selection, None when it is not in it."""
        for key, kept in list(self.kept.items()):
            if isinstance(key, tuple) and key[:2] == ("page", wanted):
                at = np.flatnonzero(kept == position)
                if len(at):
                    return int(key[2]) + int(at[0])
        return self._once(("place", wanted, position), lambda: self._place(wanted, position))

    def beside(self, wanted: Selection, position: int | None) -> tuple[int | None, int | None]:
        """Give the positions of the items before and after an item.

        Empty: when the item is not in the selection, the next one is the first.
        """
        place = None if position is None else self.place(wanted, position)
        if place is None:
            found = self.page(wanted, 0, 1).tolist()
            return None, found[0] if found else None
        found = self.page(wanted, max(0, place - 1), 3 if place else 2).tolist()
        at = found.index(position)
        return found[at - 1] if at else None, found[at + 1] if at + 1 < len(found) else None

    def _cells(self, asked: Selection) -> Cells:
        hits = self._hits(asked) if asked.text else None
        if hits is not None:
            return hits.cells
        return self._once(("cells", asked), lambda: self._counted(asked))

    def _counted(self, asked: Selection) -> Cells:
        """Count from the statistics where these know all that is asked for, else by a scan."""
        check(self.folder.parts, asked)
        binary = set(self.folder.statistics.values.get("em", {})) <= {0.0, 1.0} and self.folder.preset.has_em
        if not asked.text and (asked.em is None or asked.reasons or binary):
            return _kept_by(self._told(asked.reasons), asked)
        query = over(self.folder.parts, range(len(self.folder.parts)), ", bucket, f1", asked)
        rows = self._ask(Query(f"SELECT part, bucket, f1, count(*) AS items FROM ({query.sql}) GROUP BY ALL", query.values))
        return _cells_of(rows, _whole(rows["items"]))

    def _told(self, reasons: tuple[str, ...] = ()) -> Cells:
        """Give the cells of all items, or of those with one of some main reasons, as the statistics tell them."""

        def made() -> Cells:
            split = ((number, each) for number, part in enumerate(self.folder.parts) for each in part.statistics.by_bucket(reasons).items())
            cells = [(number, f1, BUCKETS.index(bucket), count) for number, (bucket, table) in split for f1, count in table.items()]
            table = np.array(cells, dtype=np.float64).reshape(-1, 4)
            f1 = table[:, 1] if self.folder.preset.has_f1 else np.full(len(table), np.nan)
            return Cells(table[:, 0].astype(np.int64), f1, table[:, 2].astype(np.int64), table[:, 3].astype(np.int64))

        return self._once(("told", reasons), made)

    def _runs(self, wanted: Selection) -> Runs:
        key = ("runs", without_buckets(wanted), wanted.buckets, wanted.near, wanted.order)
        return self._once(key, lambda: self._cells(without_buckets(wanted)).of(wanted.buckets, wanted.near).in_order(wanted.order))

    def _page(self, wanted: Selection, first: int, size: int) -> Positions:
        hits = self._kept_hits(wanted)
        if hits is not None:
            return self._hits_by_id(wanted, hits)[first : first + size] if wanted.order == "id" else hits.page(wanted, first, size)
        if wanted.order not in BY_F1:
            query = over(self.folder.parts, range(len(self.folder.parts)), ", prediction_bytes, id", wanted)
            sql = f"SELECT part, row FROM ({query.sql}) ORDER BY {KEYS[wanted.order]}, part, row LIMIT $size OFFSET $first"
            return self._positions(self._ask(Query(sql, {**query.values, "size": size, "first": first})))
        runs = self._runs(wanted)
        return self._of_runs(wanted, runs, runs.between(first, first + size))

    def _of_runs(self, wanted: Selection, runs: Runs, asked: list[tuple[int, int, int]]) -> Positions:
        """Read the places of runs: those taken whole in one query, the first and last piece in one each."""
        by_run: dict[int, Positions] = {}
        whole = [run for run, skip, take in asked if take == runs.counts[run]]
        for run, skip, take in asked:
            if run not in whole:
                by_run[run] = self._piece(wanted, runs, run, skip, take)
        if whole:
            parts, keys = runs.parts[whole].tolist(), [None if key != key else key for key in runs.f1[whole].tolist()]
            own = "" if wanted.order == "file" else " AND f1 IS NOT DISTINCT FROM key"
            pairs = "SELECT unnest($pair_parts::INTEGER[]) AS pair_part, unnest($pair_keys::DOUBLE[]) AS key, unnest($pair_runs::INTEGER[]) AS run"
            query = over(self.folder.parts, sorted(set(parts)), ", f1", wanted, *_bounds(wanted, runs.f1[whole]))
            sql = f"SELECT run, part, row FROM ({query.sql}) JOIN ({pairs}) ON part = pair_part{own} ORDER BY run, row"
            rows = self._ask(Query(sql, {**query.values, "pair_parts": parts, "pair_keys": keys, "pair_runs": whole}))
            positions = self._positions(rows)
            by_run |= {run: positions[rows["run"] == run] for run in whole}
        return np.concatenate([by_run[run] for run, _, _ in asked]) if asked else np.zeros(0, dtype=np.int64)

    def _piece(self, wanted: Selection, runs: Runs, run: int, skip: int, take: int) -> Positions:
        query = over(self.folder.parts, [int(runs.parts[run])], "", wanted, *_bounds(wanted, runs.f1[run : run + 1]))
        sql = f"SELECT part, row FROM ({query.sql}) ORDER BY row LIMIT $size OFFSET $skip"
        return self._positions(self._ask(Query(sql, {**query.values, "size": take, "skip": skip})))

    def _hits(self, asked: Selection) -> Hits | None:
        """Give the items of a text search in one scan, None when those of a pattern are too many to keep; those of the last search stay."""
        key, found = self.last
        if key != asked:
            found = self._matching(asked) if asked.pattern else self._holding(asked)
            self.last = (asked, found)
        return found

    def _holding(self, asked: Selection) -> Hits:
        check(self.folder.parts, asked)
        try:
            return search(self.folder.parts, asked, self.seconds)
        except TimeoutError:
            raise SelectionError(TOO_LONG.format(seconds=self.seconds)) from None

    def _matching(self, asked: Selection) -> Hits | None:
        query = over(self.folder.parts, range(len(self.folder.parts)), ", f1, bucket, prediction_bytes", asked)
        rows = self._ask(Query(f"SELECT * FROM ({query.sql}) LIMIT $most", {**query.values, "most": MOST_FOUND + 1}))
        if len(rows["row"]) > MOST_FOUND:
            return None
        positions = self._positions(rows)
        order = np.argsort(positions)
        return Hits.of(positions[order], _floats(rows["f1"])[order], _codes(rows["bucket"])[order], _whole(rows["prediction_bytes"])[order])

    def _kept_hits(self, wanted: Selection) -> Hits | None:
        """Give the hits of a text search whatever the bucket, where they are kept; None without a search, too."""
        return self._hits(without_buckets(wanted)) if wanted.text else None

    def _hits_by_id(self, wanted: Selection, hits: Hits) -> Positions:
        """Give all hits in the buckets of a selection by id; the last list stays."""
        key, listed = self.listing
        if key != wanted or listed is None:
            listed = self._by_id(hits.page(wanted, 0, len(hits.positions)))
            self.listing = (wanted, listed)
        return listed

    def _by_id(self, positions: Positions) -> Positions:
        """Sort items by their ids, those of the same id as in the file."""
        if not len(positions):
            return positions
        numbers = np.searchsorted(self.folder.starts, positions, side="right") - 1
        query = over(self.folder.parts, np.unique(numbers).tolist(), ", id", Selection())
        kept = pa.table({"part": numbers, "row": positions - self.folder.starts[numbers]})
        sql = f"SELECT part, row FROM ({query.sql}) SEMI JOIN kept USING (part, row) ORDER BY id, part, row"
        return self._positions(self._ask(Query(sql, query.values), kept))

    def _place(self, wanted: Selection, position: int) -> int | None:
        hits = self._kept_hits(wanted)
        if hits is not None and wanted.order == "id":
            return next(iter(np.flatnonzero(self._hits_by_id(wanted, hits) == position).tolist()), None)
        if hits is not None:
            return hits.place(wanted, position)
        number = int(np.searchsorted(self.folder.starts, position, side="right")) - 1
        row = position - self.folder.parts[number].start
        one = over(self.folder.parts, [number], ", f1, prediction_bytes, id", wanted, "row = $asked", {"asked": row})
        found = self._ask(one)
        if not len(found["row"]):
            return None
        f1 = float(_floats(found["f1"])[0])
        if wanted.order in BY_F1:
            runs = self._runs(wanted)
            start = runs.start_of(number, np.nan if wanted.order == "file" else f1)
            before = over(self.folder.parts, [number], "", wanted, *_bounds(wanted, np.array([f1]), "row < $asked", {"asked": row}))
            return None if start is None else start + int(self._ask(Query(f"SELECT count(*) AS items FROM ({before.sql})", before.values))["items"][0])
        column, _, down = KEYS[wanted.order].partition(" ")
        every = over(self.folder.parts, range(len(self.folder.parts)), f", {column} AS key", wanted)
        ahead = ">" if down else "<"
        sql = f"SELECT count(*) AS items FROM ({every.sql}) WHERE key {ahead} $key OR (key = $key AND (part < $number OR (part = $number AND row < $asked)))"
        key = found[column][0]
        key = key if isinstance(key, str | bytes) else int(key)
        return int(self._ask(Query(sql, {**every.values, "key": key, "number": number, "asked": row}))["items"][0])

    def _positions(self, rows: dict[str, Any]) -> Positions:
        positions: Positions = self.folder.starts[rows["part"].astype(np.int64)] + rows["row"].astype(np.int64)
        return positions

    @cached_property
    def _database(self) -> Any:
        """An empty database that reads the files; it spills large sorts into the user's cache folder, and keeps no copy of the files."""
        import duckdb

        settings: dict[str, Any] = {"threads": THREADS, "memory_limit": MEMORY, "temp_directory": str(platformdirs.user_cache_path("whymiss") / "sorts")}
        settings |= {"enable_external_file_cache": False, "autoinstall_known_extensions": False}
        database = duckdb.connect(":memory:", config=settings)
        database.execute("SET parquet_metadata_cache = true")
        return database

    def _ask(self, query: Query, kept: pa.Table | None = None) -> dict[str, Any]:
        """Run a query of one session, which may read the table `kept`; give its columns.

        Raises: SelectionError for a pattern that is none, or a query that takes too long; DataError when a file cannot be read.
        """
        import duckdb

        cursor = self._database.cursor()
        if kept is not None:
            cursor.register("kept", kept)
        timer = threading.Timer(self.seconds, cursor.interrupt)
        timer.start()
        try:
            found: dict[str, Any] = cursor.execute(query.sql, query.values).fetchnumpy()
            return found
        except duckdb.InterruptException:
            raise SelectionError(TOO_LONG.format(seconds=self.seconds)) from None
        except (duckdb.IOException, duckdb.OutOfMemoryException, duckdb.InvalidInputException) as error:
            _check_pattern(cursor, query.values.get("text", ""))
            raise DataError(f"the files of {self.folder.path} cannot be searched: {str(error).splitlines()[0]:.300}; open the folder again") from None
        finally:
            timer.cancel()
            cursor.close()

    def _once(self, key: Hashable, make: Callable[[], Value]) -> Value:
        with self.lock:
            if key in self.kept:
                self.kept.move_to_end(key)
                known: Value = self.kept[key]
                return known
        value = make()
        with self.lock:
            self.kept[key] = value
            while len(self.kept) > KEPT:
                self.kept.popitem(last=False)
        return value


def _check_pattern(cursor: Any, pattern: str) -> None:
    """Make sure that it was not the pattern which could not be used."""
    import duckdb

    try:
        cursor.execute("SELECT regexp_matches('', $text)", {"text": pattern})
    except duckdb.InvalidInputException as error:
        said = str(error).removeprefix("Invalid Input Error: ").splitlines()[0]
        raise SelectionError(f"the search pattern cannot be used: {said:.200}; correct it, or search for plain text") from None


def _kept_by(cells: Cells, asked: Selection) -> Cells:
    """Keep the cells that fulfil EM and F1 of a selection."""
    keep = np.ones(len(cells.f1), dtype=bool)
    if asked.em is not None:
        keep &= np.isin(cells.codes, [BUCKETS.index(name) for name in (("match", "empty_match") if asked.em else ("miss",))])
    if asked.f1 is not None:
        keep &= asked.f1.holds(cells.f1)
    return Cells(cells.parts[keep], cells.f1[keep], cells.codes[keep], cells.counts[keep])


def _bounds(wanted: Selection, f1: Any, more: str = "", values: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
    """Say between which F1 the runs lie, so that whole row groups are left out."""
    known = f1[~np.isnan(f1)]
    bound = dict(values or {})
    if wanted.order == "file":
        return more, bound
    parts = ["f1 IS NULL"] if len(known) < len(f1) else []
    if len(known):
        bound |= {"least": float(known.min()), "most": float(known.max())}
        parts.append("f1 BETWEEN $least AND $most")
    return " AND ".join(filter(None, [f"({' OR '.join(parts)})", more])), bound


def _cells_of(rows: dict[str, Any], counts: Integers) -> Cells:
    return Cells(_whole(rows["part"]), _floats(rows["f1"]), _codes(rows["bucket"]), counts)


def _codes(names: Any) -> Integers:
    return np.array([OUTCOME[name] for name in names], dtype=np.int64)


def _whole(column: Any) -> Integers:
    return np.asarray(column).astype(np.int64)


def _floats(column: Any) -> Any:
    return np.ma.filled(np.ma.asarray(column, dtype=np.float64), np.nan)
