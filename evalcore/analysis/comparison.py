"""Two scores side by side: what was fixed, what was broken, what cannot be compared."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.analysis.effect import Effect, effect_between
from evalcore.analysis.setting_differences import SettingDifference, setting_differences
from evalcore.dataset import Dataset, References
from evalcore.scoring.metrics import Counts
from evalcore.scoring.preset import Preset
from evalcore.scoring.score import score
from evalcore.scoring.scores import Scores
from evalcore.scoring.statistics import SMALL
from evalcore.text.amounts import amount
from evalcore.text.columns import Texts


@dataclass(frozen=True, eq=False)
class Comparison:
    """The items two scores share, by what became of them.

    `before` and `after` hold the shared items in one order: the scores
    as given where both have the same items, else cut down to them.
    `fixed`, `broken`, `both_right`, `both_wrong` and, scored on one side
    alone, `only_before` and `only_after` are rows of both.
    Right is EM 1, or F1 1 where a side has no EM; an item that is not
    scored on both sides is in none of the first four.
    `before_rows[row]` and `after_rows[row]` are the same item in the
    scores as given; `unmatched_before` and `unmatched_after` are the
    rows there that the other side does not have.
    """

    before: Scores
    after: Scores
    fixed: Counts
    broken: Counts
    both_right: Counts
    both_wrong: Counts
    only_before: Counts
    only_after: Counts
    before_rows: Counts
    after_rows: Counts
    unmatched_before: Counts
    unmatched_after: Counts
    clusters: npt.NDArray[np.generic] | None = None

    @property
    def compared(self) -> int:
        """Items scored on both sides."""
        return int((self.before.is_scored & self.after.is_scored).sum())

    @cached_property
    def headline(self) -> Effect:
        """The difference in EM, or in F1 where the settings have no EM."""
        return self.f1 if np.isnan(self.after.em).all() and not np.isnan(self.after.f1).all() else self.em

    @cached_property
    def settings_differ(self) -> tuple[SettingDifference, ...]:
        """What differs between the settings of the two sides; empty when they are the same."""
        return setting_differences(self.before.preset, self.after.preset)

    @cached_property
    def references_differ(self) -> Counts:
        """Rows whose references are not the same set of texts on both sides."""
        return _differing_references(self.before.dataset.references, self.after.dataset.references)

    @cached_property
    def em(self) -> Effect:
        """The difference in EM."""
        return self.effect("em")

    @cached_property
    def f1(self) -> Effect:
        """The difference in F1."""
        return self.effect("f1")

    def effect(self, measure: str = "em", rows: npt.ArrayLike | None = None, clusters: npt.NDArray[np.generic] | None = None) -> Effect:
        """Give the difference in a measure, over all shared items or some rows of them.

        `clusters`: one label a row of `before`, those of the comparison
        when left out; items of one label are drawn together.
        """
        clusters = self.clusters if clusters is None else clusters
        before, after = getattr(self.before, measure), getattr(self.after, measure)
        if rows is not None:
            chosen = np.asarray(rows, dtype=np.int64)
            before, after, clusters = before[chosen], after[chosen], None if clusters is None else clusters[chosen]
        return effect_between(measure, before, after, clusters)

    @cached_property
    def sentence(self) -> str:
        """The difference in one plain sentence."""
        return self.headline.sentence

    @cached_property
    def cautions(self) -> tuple[str, ...]:
        """What a reader must know before believing the difference, one sentence each."""
        found = []
        if self.settings_differ:
            parts = "; ".join(str(difference) for difference in self.settings_differ)
            found.append(f"The two sides are scored under different settings ({parts}). Score both under one to compare the answers alone.")
        for rows, side in ((self.unmatched_before, "before"), (self.unmatched_after, "after")):
            if len(rows):
                found.append(f"{amount(len(rows), 'item is', 'items are')} only in the run {side} and not compared.")
        for rows, side in ((self.only_before, "before"), (self.only_after, "after")):
            if len(rows):
                found.append(f"{amount(len(rows), 'shared item is', 'shared items are')} scored only {side} and not compared.")
        if len(self.references_differ):
            found.append(f"{amount(len(self.references_differ), 'shared item is', 'shared items are')} held against other references.")
        if self.clusters is not None:
            drawn = len(np.unique(self.clusters[self.before.is_scored & self.after.is_scored]))
            if drawn < SMALL:
                found.append(f"Only {amount(drawn, 'cluster is', 'clusters are')} drawn; the interval of so few is too narrow.")
        return tuple(found)


def compare(before: Scores, after: Scores) -> Comparison:
    """Compare two scores on the items both have, found by id.

    An id that stands more than once is paired in the order of the rows.
    Raises: ValueError when the two have no id in common.
    """
    before_rows, after_rows = shared_rows([before.dataset.ids, after.dataset.ids])
    if not len(before_rows) and len(before) and len(after):
        raise ValueError(
            f"the two runs have no id in common (before: {_some(before.dataset.ids)}; after: {_some(after.dataset.ids)}); "
            "compare runs on the same references, or map the id columns anew"
        )
    left, right = taken(before, before_rows), taken(after, after_rows)
    both = left.is_scored & right.is_scored
    was, now = left.score == 1, right.score == 1
    return Comparison(
        left,
        right,
        fixed=np.flatnonzero(both & ~was & now),
        broken=np.flatnonzero(both & was & ~now),
        both_right=np.flatnonzero(both & was & now),
        both_wrong=np.flatnonzero(both & ~was & ~now),
        only_before=np.flatnonzero(left.is_scored & ~right.is_scored),
        only_after=np.flatnonzero(right.is_scored & ~left.is_scored),
        before_rows=before_rows,
        after_rows=after_rows,
        unmatched_before=_others(len(before), before_rows),
        unmatched_after=_others(len(after), after_rows),
    )


def _others(count: int, rows: Counts) -> Counts:
    """Give the rows of so many that are not among some."""
    left = np.ones(count, dtype=bool)
    left[rows] = False
    return np.flatnonzero(left)


def compare_under(before: Dataset, after: Dataset, preset: Preset) -> Comparison:
    """Compare two runs scored under one and the same settings."""
    return compare(score(before, preset=preset), score(after, preset=preset))


def shared_rows(columns: Sequence[Texts]) -> list[Counts]:
    """Give for every column of ids the rows of the ids that all columns have.

    Shape: one array a column, all of one length; entry k of each is the
    same item, in the order of the first column.

    >>> [rows.tolist() for rows in shared_rows([Texts.of(["a", "b", "b"]), Texts.of(["b", "c", "a"])])]
    [[0, 1], [2, 0]]
    """
    if all(column == columns[0] for column in columns[1:]):
        return [np.arange(len(columns[0])) for _ in columns]
    places = [_places(column) for column in columns]
    shared = [key for key in places[0] if all(key in other for other in places[1:])]
    return [np.fromiter((place[key] for key in shared), dtype=np.int64, count=len(shared)) for place in places]


def _places(ids: Texts) -> dict[tuple[str | None, int], int]:
    """Map every id, and which time it stands there, to its row."""
    seen: dict[str | None, int] = {}
    places = {}
    for row, name in enumerate(ids):
        times = seen.get(name, 0)
        seen[name] = times + 1
        places[name, times] = row
    return places


def taken(scores: Scores, rows: Counts) -> Scores:
    """Give the scores of some rows; the scores themselves when it is all of them in order."""
    if len(rows) == len(scores) and np.array_equal(rows, np.arange(len(scores))):
        return scores

    def cut(value: Any) -> Any:
        if isinstance(value, Dataset | Texts | References):
            return value.take(rows)
        return value[rows] if isinstance(value, np.ndarray) else value

    return Scores(**{field.name: cut(getattr(scores, field.name)) for field in fields(Scores) if field.init})


def _differing_references(before: References, after: References) -> Counts:
    if before is after or (np.array_equal(before.offsets, after.offsets) and before.texts == after.texts):
        return np.zeros(0, dtype=np.int64)
    first, second = before.texts.to_list(), after.texts.to_list()

    def at(texts: list[str | None], offsets: Counts, row: int) -> set[str | None]:
        return set(texts[offsets[row] : offsets[row + 1]])

    different = (row for row in range(len(before)) if at(first, before.offsets, row) != at(second, after.offsets, row))
    return np.fromiter(different, dtype=np.int64)


def _some(ids: Texts) -> str:
    shown = ", ".join(repr(name)[:40] for name in ids[:3])
    return f"{len(ids)} items, such as {shown}"
