"""Score a file of any size part by part: statistics and reports are put together, items are given away as they come."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from evalcore.data.errors import DataError, JoinError, listed, quote
from evalcore.data.ids import Matching, matching_ids
from evalcore.data.join import Pairing, Side, joined, numbers, one_file, pair_by_id, with_ids
from evalcore.data.join_report import JoinReport, Listing
from evalcore.data.mapping import laid_over
from evalcore.data.parts import NeedsWhole, Parts
from evalcore.data.read import sides_of
from evalcore.data.table import Table
from evalcore.dataset import Dataset
from evalcore.engines import tables
from evalcore.engines.statistics import Statistics
from evalcore.scoring.preset import Preset
from evalcore.scoring.score import score
from evalcore.scoring.scores import Scores, Summary
from evalcore.scoring.squad_v2 import Figures, Split, has_answer
from evalcore.text.columns import Texts

ROWS_KEPT = 100  # Of every listing of the report.
Items = Callable[[Scores], None]
Progress = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class Streamed:
    """What became of a file: the counts of all its items, the report with the first rows of every listing, and warnings.

    `answers` splits EM and F1 by whether an item has an answer.
    """

    statistics: Statistics
    report: JoinReport
    read: tuple[str, ...]
    warnings: tuple[str, ...]
    answers: Mapping[bool, Mapping[str, tables.Table]]
    preset: Preset

    def summary(self) -> Summary:
        """Give the aggregates; means are those of the exact sums."""
        found = self.statistics
        means: dict[str, Any] = {name: found.mean(name) for name in ("em", "f1", "precision", "recall")}
        counts = {name: getattr(found, name) for name in ("items", "scored", "missing", "empty", "emptied")}
        exact = found.values.get("em", {}).get(1.0, 0)
        signature, scale = self.preset.signature, self.preset.scale
        first = found.mean("em_first")
        return Summary(**counts, **means, unscored=found.unscored, exact=exact, em_first_reference=first, scale=scale, signature=signature)

    def figures(self) -> Figures | None:
        """Give SQuAD v2's figures without thresholds; None where every item has an answer."""
        splits = {has: _split(found) for has, found in self.answers.items()}
        if not splits.get(False):
            return None
        both = _split({name: tables.added(found[name] for found in self.answers.values()) for name in ("em", "f1")})
        return Figures(both or Split(0.0, 0.0, 0), splits.get(True), splits[False])


def score_parts(
    parts: Parts,
    preset: Preset,
    roles: Mapping[str, Any],
    references: Table | None = None,
    items: Items | None = None,
    progress: Progress | None = None,
) -> Streamed:
    """Score the rows of a file part by part, with their references in the file or in a table that is kept and joined by id.

    Items are given to `items` in the order of the file, then those of
    references that no prediction came for; `progress(rows)` is called after every part.
    Raises: DataError when the columns are unclear or nothing can be joined; NeedsWhole when the two cannot be joined by id.
    """
    where = roles.get("where", ())
    asked = {role: columns for role, columns in roles.items() if role != "where"}
    given = (parts.first,) if references is None else (parts.first, references)
    ours, theirs = sides_of(given, (asked, asked))
    if ours.table is not parts.first:
        raise DataError(f"{parts.first.name} holds the references; a file that is read part by part must hold the predictions: give it second")
    if len(ours.mapping.predictions) > 1:
        systems = listed(ours.mapping.predictions)
        raise DataError(f"{parts.first.name} holds the answers of several systems: {systems}; choose one: --map prediction={ours.mapping.predictions[0]}")
    conditions = [laid_over(ours.mapping, {"where": where}, side.table.names).where for side in (ours, theirs)]
    run = _Run(preset, items, progress)
    ours = replace(ours, mapping=replace(ours.mapping, where=conditions[0]))
    for table in given:
        run.read.append(f"{table.name}: {table.recognised}")
    run.warnings.update(dict.fromkeys(references.notes if references is not None else ()))
    if references is None:
        _score_alone(parts, ours, run)
    else:
        _score_joined(parts, ours, Side.of(references, replace(theirs.mapping, where=conditions[1]), named=True), run)
    return run.outcome(where, parts.first.name)


@dataclass
class _Run:
    """What was found so far."""

    preset: Preset
    items: Items | None
    progress: Progress | None
    statistics: list[Statistics] = field(default_factory=list)
    report: JoinReport | None = None
    read: list[str] = field(default_factory=list)
    warnings: dict[str, None] = field(default_factory=dict)
    answers: dict[bool, dict[str, tables.Table]] = field(default_factory=dict)
    rows: int = 0

    def add(self, datasets: tuple[Dataset, ...], report: JoinReport) -> None:
        """Score the items of a part and count them."""
        scores = score(datasets[0], preset=self.preset)
        self.statistics = [Statistics.merged([*self.statistics, Statistics.of(scores)])]
        self.note(report)
        if self.preset.no_references == "no_answer":
            self._split(scores)
        if self.items is not None and len(scores):
            self.items(scores)

    def note(self, report: JoinReport) -> None:
        self.report = report if self.report is None else self.report.with_part(report, ROWS_KEPT)

    def done(self, table: Table) -> None:
        """Take note that the rows of a table are done."""
        self.warnings.update(dict.fromkeys(table.notes))
        self.rows += len(table)
        if self.progress is not None:
            self.progress(self.rows)

    def _split(self, scores: Scores) -> None:
        answerable = has_answer(scores)
        for has in (True, False):
            rows = scores.is_scored & (answerable == has)
            before = self.answers.get(has, {})
            self.answers[has] = {name: tables.added([before.get(name, {}), tables.counted(getattr(scores, name)[rows])]) for name in ("em", "f1")}

    def outcome(self, where: Any, name: str) -> Streamed:
        if self.report is None or not (len(self.statistics) and self.statistics[0].items):
            fits = f" that fits {quote(dict(where))}" if where else " to score"
            raise JoinError(f"{name} has no row{fits}; check the conditions, and that the files belong together")
        return Streamed(self.statistics[0], self.report, tuple(self.read), tuple(self.warnings), self.answers, self.preset)


def _score_alone(parts: Parts, first: Side, run: _Run) -> None:
    for table in parts:
        side = Side.of(table, first.mapping, named=False, part=True)
        side = side if side.has_ids else replace(side, ids=numbers(run.rows + 1, len(table)))
        datasets, reports, warnings = joined(one_file(side), side, side)
        run.warnings.update(dict.fromkeys(warnings))
        run.add(datasets, reports[0])
        run.done(table)
    if first.has_ids and run.rows > len(parts.first):
        run.warnings["ids that repeat were looked for within each part of the file only"] = None


def _score_joined(parts: Parts, first: Side, references: Side, run: _Run) -> None:
    if not (first.has_ids and references.has_ids):
        raise NeedsWhole("both files need an id to be joined part by part")
    changed = matching_ids(first.ids.take(first.rows), references.ids.take(references.rows))
    references = with_ids(references, changed.theirs if changed else None)
    if changed is not None:
        run.warnings[changed.told(first.table.name, references.table.name)] = None
    used = np.zeros(len(references.table), dtype=np.bool_)
    for table in parts:
        _score_part(table, first, references, changed, used, run)
        run.done(table)
    if not used.any():
        shown = [", ".join(map(repr, side.ids[:3])) for side in (first, references)]
        raise JoinError(
            f"no id of {first.table.name} is in {references.table.name}: ids there are {shown[0]} (column {first.mapping.id!r}), "
            f"and here {shown[1]} (column {references.mapping.id!r}); check that the files belong together, or map other columns to id"
        )
    rest = replace(references, kept=references.kept & ~used)
    rows, again = rest.first_rows()
    empty = replace(first.table, columns={name: column.take([]) for name, column in first.table.columns.items()}, places=first.table.places[:0], bad_rows=())
    nobody = Side.of(empty, first.mapping, named=True, part=True)
    pairing = Pairing("by id", np.full(len(rows), -1, dtype=np.int64), rows, Listing.none(), again, references.left_out())
    datasets, reports, _ = joined(pairing, nobody, replace(rest, table=replace(rest.table, bad_rows=references.table.bad_rows)))
    run.add(datasets, reports[0])


def _score_part(table: Table, first: Side, references: Side, changed: Matching | None, used: npt.NDArray[np.bool_], run: _Run) -> None:
    """Join the rows of a part to the references that nobody answered before, and score them."""
    ours = with_ids(Side.of(table, first.mapping, named=True, part=True), changed.ours if changed else None)
    answered = _in(ours, references.ids.take(np.flatnonzero(used))) & ours.kept
    again = np.flatnonzero(answered)
    duplicated = Listing.of(ours.ids, ours.places, again, ["its id stands before in an earlier part of the file"] * len(again))
    left_out = ours.left_out()
    ours = replace(ours, kept=ours.kept & ~answered)
    wanted = _in(references, ours.ids.take(ours.rows)) & references.kept & ~used
    theirs = replace(references, kept=wanted, table=replace(references.table, bad_rows=()))
    used |= wanted
    pairing = pair_by_id(ours, theirs, left_out, some=False)
    pairing = replace(pairing, duplicated=duplicated + pairing.duplicated)
    datasets, reports, warnings = joined(pairing, ours, theirs)
    if not run.rows:
        run.warnings.update(dict.fromkeys(warnings))
    run.add(datasets, reports[0])


def _in(side: Side, ids: Texts) -> npt.NDArray[np.bool_]:
    """Tell which rows have one of these ids; a row without id has none."""
    return np.asarray(pc.fill_null(pc.is_in(side.ids.array, value_set=ids.array.drop_null()), False))


def _split(found: Mapping[str, tables.Table]) -> Split | None:
    em, f1 = found.get("em", {}), found.get("f1", {})
    total = sum(em.values())
    return Split(_sum(em), _sum(f1), total) if total else None


def _sum(table: tables.Table) -> float:
    return fsum(value * number for value, number in table.items())
