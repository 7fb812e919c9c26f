"""Presets side by side on one run: their numbers, and the items on which two of them disagree."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evalcore.analysis.runs import interval_of
from evalcore.scoring.metrics import Counts
from evalcore.scoring.preset import Preset
from evalcore.scoring.scores import Scores
from evalcore.scoring.statistics import Interval

Order = Literal["EM", "F1", "family"]
ORDERS: tuple[Order, ...] = ("EM", "F1", "family")
Kind = Literal["first", "second", "scored_first", "scored_second", "value"]


@dataclass(frozen=True)
class PresetRow:
    """One preset on a run: its measures with intervals, None where it has no such number."""

    preset: Preset
    em: Interval | None
    f1: Interval | None
    scored: int
    items: int

    @property
    def unscored(self) -> int:
        return self.items - self.scored


def preset_row(scores: Scores) -> PresetRow:
    """Give one row of the table, small enough to keep for every preset.

    >>> from evalcore.scoring.score import score
    >>> row = preset_row(score(["Paris, France"], [["Paris"]], "popqa"))
    >>> row.em.estimate, row.f1
    (1.0, None)
    """
    preset = scores.preset
    return PresetRow(
        preset,
        interval_of(scores, "em") if preset.has_em else None,
        interval_of(scores, "f1") if preset.has_f1 else None,
        int(scores.is_scored.sum()),
        len(scores),
    )


def ordered(rows: Iterable[PresetRow], by: Order) -> tuple[PresetRow, ...]:
    """Sort rows, the highest first; those without the number come last, in the order given."""

    def place(row: PresetRow) -> float:
        side = row.em if by == "EM" else row.f1
        return -side.estimate if side is not None and side.count else np.inf

    return tuple(rows) if by == "family" else tuple(sorted(rows, key=place))


@dataclass(frozen=True)
class Spread:
    """The lowest and the highest row in one measure."""

    lowest: PresetRow
    highest: PresetRow
    points: float


def spread(rows: Sequence[PresetRow]) -> Spread | None:
    """Give how far exact match lies apart among the presets that measure it.

    Empty: None for fewer than two of them.
    """
    measured = [(row.em.estimate, row) for row in rows if row.em is not None and row.em.count and row.preset.measure == "exact match"]
    if len(measured) < 2:
        return None
    low, high = min(measured, key=lambda entry: entry[0]), max(measured, key=lambda entry: entry[0])
    return Spread(low[1], high[1], high[0] - low[0])


@dataclass(frozen=True, eq=False)
class Disagreement:
    """Items that two presets see differently, each in one list.

    `first`, `second`: right under that preset alone. `scored_first`,
    `scored_second`: scored under that preset alone. `value`: neither, and
    a number both presets have differs. `agreed` counts all other items.
    """

    first: Counts
    second: Counts
    scored_first: Counts
    scored_second: Counts
    value: Counts
    agreed: int

    @property
    def lists(self) -> dict[Kind, Counts]:
        """Give the lists by kind."""
        return {
            "first": self.first,
            "second": self.second,
            "scored_first": self.scored_first,
            "scored_second": self.scored_second,
            "value": self.value,
        }


def disagreement(first: Scores, second: Scores) -> Disagreement:
    """Find the items of one run on which two presets disagree.

    Range: right is a headline score of 1: EM, or F1 where the preset has no EM.
    Raises: ValueError when the scores are of different items.
    """
    if len(first) != len(second):
        raise ValueError(f"the scores are of {len(first)} and of {len(second)} items; score the same run under both presets")
    both = first.is_scored & second.is_scored
    was, now = both & (first.score == 1), both & (second.score == 1)
    differs = np.zeros(len(first), dtype=bool)
    for measure in ("em", "f1"):
        ours, theirs = getattr(first, measure), getattr(second, measure)
        differs |= both & ~np.isnan(ours) & ~np.isnan(theirs) & (ours != theirs)
    only_first, only_second = first.is_scored & ~second.is_scored, second.is_scored & ~first.is_scored
    lists = (was & ~now, now & ~was, only_first, only_second, differs & (was == now))
    right_first, right_second, alone_first, alone_second, value = map(np.flatnonzero, lists)
    return Disagreement(right_first, right_second, alone_first, alone_second, value, len(first) - sum(int(rows.sum()) for rows in lists))
