"""How far the scores of single items moved between two runs, as a picture in few numbers."""

import re
from dataclasses import dataclass

import numpy as np

from evalcore.analysis.comparison import Comparison
from evalcore.scoring.metrics import Counts

MOST_BARS = 160


@dataclass(frozen=True, eq=False)
class Strip:
    """The items whose measure changed, sorted from the largest loss to the largest gain.

    Shape: `heights` are means of about as many items each, in that order;
    there are `worse` items below zero, `better` above, `same` without a change.
    """

    measure: str
    heights: tuple[float, ...]
    worse: int
    better: int
    same: int


def strip(comparison: Comparison, measure: str = "f1") -> Strip:
    """Sort the differences of a measure and cut them to at most 160 bars.

    >>> import evalcore
    >>> found = strip(evalcore.compare(evalcore.score(["x", "y"], [["x"], ["z"]]), evalcore.score(["y", "z"], [["x"], ["z"]])))
    >>> found.heights, found.worse, found.better
    ((-1.0, 1.0), 1, 1)
    """
    moved = getattr(comparison.after, measure) - getattr(comparison.before, measure)
    moved = moved[~np.isnan(moved)]
    changed = np.sort(moved[moved != 0])
    parts = np.array_split(changed, min(MOST_BARS, len(changed))) if len(changed) else []
    worse = int((changed < 0).sum())
    return Strip(measure, tuple(float(part.mean()) for part in parts), worse, len(changed) - worse, len(moved) - len(changed))


def moved_most(comparison: Comparison, rows: Counts, measure: str = "f1") -> Counts:
    """Sort rows so that those whose measure moved most come first; rows without a difference come last, in order."""
    moved = np.abs(getattr(comparison.after, measure)[rows] - getattr(comparison.before, measure)[rows])
    return rows[np.argsort(np.where(np.isnan(moved), 0.0, -moved), kind="stable")]


def sentence(comparison: Comparison) -> str:
    """Give the comparison's sentence, with the preset's own name where its EM is no exact match."""
    measure = comparison.after.preset.measure
    said = comparison.sentence
    if measure in ("", "exact match") or comparison.headline.measure != "em":
        return said
    return re.sub(r"\bEM\b", measure, said, count=1)
