"""Selections that the statistics of a scored folder can count: their pages are found by DuckDB in the files that hold them."""

from functools import lru_cache
from typing import Any

import numpy as np

from evalcore.analysis.lanes import Lanes, counted_lanes
from evalcore.analysis.selection import Selection
from evalcore.engines.cells import Cells, Runs
from evalcore.engines.conditions import Query, over
from evalcore.engines.database import Database
from evalcore.engines.scored_folder import Positions, ScoredFolder
from evalcore.scoring.buckets import BUCKETS

MOST_KEPT = 16  # Sets of reasons whose cells are kept.


class Counted:
    """The items of a folder, counted by part, F1 and outcome; no condition here is a text, no order another than by F1 or of the files."""

    def __init__(self, folder: ScoredFolder, database: Database) -> None:
        self.folder = folder
        self.database = database
        self._told = lru_cache(MOST_KEPT)(self._made)

    def can_tell(self, wanted: Selection) -> bool:
        """Tell whether the statistics know how many items fulfil the conditions of a selection, whatever its order."""
        binary = set(self.folder.statistics.values.get("em", {})) <= {0.0, 1.0} and self.folder.preset.has_em
        return not wanted.text and (wanted.em is None or bool(wanted.reasons) or binary)

    def cells(self, wanted: Selection) -> Cells:
        """Count the items that fulfil all conditions of a selection but its buckets."""
        return _kept_by(self._told(wanted.reasons), wanted)

    def lanes(self, near: float) -> Lanes:
        """Count all items by F1 and bucket."""
        cells = self._told(())
        return counted_lanes(cells.f1, cells.with_near(near), cells.counts, near)

    def runs(self, wanted: Selection) -> Runs:
        """Lay the items of a selection one after the other, in an order by F1 or of the files."""
        return self.cells(wanted).of(wanted.buckets, wanted.near).in_order(wanted.order)

    def page(self, wanted: Selection, first: int, size: int) -> Positions:
        """Give the positions of the items at some places of a selection, in its order."""
        runs = self.runs(wanted)
        return self._of_runs(wanted, runs, runs.between(first, first + size))

    def place(self, wanted: Selection, position: int) -> int | None:
        """Give the place of an item in a selection, None when it is not in it."""
        number = int(np.searchsorted(self.folder.starts, position, side="right")) - 1
        row = position - self.folder.parts[number].start
        found = self.database.ask(over(self.folder.parts, [number], ", f1", wanted, "row = $asked", {"asked": row}))
        if not len(found["row"]):
            return None
        f1 = float(_floats(found["f1"])[0])
        start = self.runs(wanted).start_of(number, np.nan if wanted.order == "file" else f1)
        before = over(self.folder.parts, [number], "", wanted, *_bounds(wanted, np.array([f1]), "row < $asked", {"asked": row}))
        count = Query(f"SELECT count(*) AS items FROM ({before.sql})", before.values)
        return None if start is None else start + int(self.database.ask(count)["items"][0])

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
            rows = self.database.ask(Query(sql, {**query.values, "pair_parts": parts, "pair_keys": keys, "pair_runs": whole}))
            positions = self._positions(rows)
            by_run |= {run: positions[rows["run"] == run] for run in whole}
        return np.concatenate([by_run[run] for run, _, _ in asked]) if asked else np.zeros(0, dtype=np.int64)

    def _piece(self, wanted: Selection, runs: Runs, run: int, skip: int, take: int) -> Positions:
        query = over(self.folder.parts, [int(runs.parts[run])], "", wanted, *_bounds(wanted, runs.f1[run : run + 1]))
        sql = f"SELECT part, row FROM ({query.sql}) ORDER BY row LIMIT $size OFFSET $skip"
        return self._positions(self.database.ask(Query(sql, {**query.values, "size": take, "skip": skip})))

    def _made(self, reasons: tuple[str, ...]) -> Cells:
        """Give the cells of all items, or of those with one of some main reasons, as the statistics tell them."""
        split = ((number, each) for number, part in enumerate(self.folder.parts) for each in part.statistics.by_bucket(reasons).items())
        cells = [(number, f1, BUCKETS.index(bucket), count) for number, (bucket, table) in split for f1, count in table.items()]
        table = np.array(cells, dtype=np.float64).reshape(-1, 4)
        f1 = table[:, 1] if self.folder.preset.has_f1 else np.full(len(table), np.nan)
        return Cells(table[:, 0].astype(np.int64), f1, table[:, 2].astype(np.int64), table[:, 3].astype(np.int64))

    def _positions(self, rows: dict[str, Any]) -> Positions:
        positions: Positions = self.folder.starts[rows["part"].astype(np.int64)] + rows["row"].astype(np.int64)
        return positions


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


def _floats(column: Any) -> Any:
    return np.ma.filled(np.ma.asarray(column, dtype=np.float64), np.nan)
