"""The plane of precision and recall: in which way failed items miss."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.scoring.scores import Scores

Rows = npt.NDArray[np.int64]
STEPS = 40  # Cells a side; finer ones would lie on top of one another.


@dataclass(frozen=True)
class Spot:
    """The items of one cell: precision and recall of its middle, 0..1, and how many there are."""

    precision: float
    recall: float
    items: int


@dataclass(frozen=True, eq=False)
class Plane:
    """Failed items by precision and recall.

    `spots`: those with a token in common, the largest first. `apart`: the
    number without any, which have no place. `short`, `wordy` and
    `substituted` count items whose precision is above, below and equal to
    their recall.
    """

    scores: Scores
    spots: tuple[Spot, ...]
    apart: int
    short: int
    wordy: int
    substituted: int


def plane(scores: Scores) -> Plane:
    """Count the items with EM 0 by precision and recall.

    >>> from evalcore.scoring.score import score
    >>> found = plane(score(["red", "red fox", "blue"], [["red fox"], ["red dog"], ["red"]], "raw"))
    >>> found.spots, found.apart, found.short, found.substituted
    ((Spot(precision=0.5, recall=0.5, items=1), Spot(precision=1.0, recall=0.5, items=1)), 1, 1, 1)
    """
    failed, ours, theirs = _cells(scores)
    some = scores.f1[failed] > 0
    flat, counts = np.unique(ours[some] * (STEPS + 1) + theirs[some], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    spots = tuple(Spot(int(flat[n]) // (STEPS + 1) / STEPS, int(flat[n]) % (STEPS + 1) / STEPS, int(counts[n])) for n in order.tolist())
    precision, recall = scores.precision[failed][some], scores.recall[failed][some]
    apart = int((~some).sum())
    return Plane(scores, spots, apart, int((precision > recall).sum()), int((precision < recall).sum()), int((precision == recall).sum()))


def rows_at(scores: Scores, precision: float, recall: float) -> Rows:
    """Give the rows of the spot with these middles."""
    failed, ours, theirs = _cells(scores)
    there = (scores.f1[failed] > 0) & (ours == np.rint(precision * STEPS)) & (theirs == np.rint(recall * STEPS))
    return np.asarray(failed[there])


def rows_apart(scores: Scores) -> Rows:
    """Give the rows with EM 0 and no token in common."""
    return np.flatnonzero((scores.em == 0) & (scores.f1 == 0))


def rows_by_side(scores: Scores, side: str) -> Rows:
    """Give the rows of the items that are "short", "wordy" or "substituted"."""
    above = np.sign(scores.precision - scores.recall)
    wanted = {"short": 1, "wordy": -1, "substituted": 0}[side]
    return np.flatnonzero((scores.em == 0) & (scores.f1 > 0) & (above == wanted))


def _cells(scores: Scores) -> tuple[Rows, Rows, Rows]:
    failed = np.flatnonzero((scores.em == 0) & ~np.isnan(scores.f1))
    ours, theirs = (np.rint(values[failed] * STEPS).astype(np.int64) for values in (scores.precision, scores.recall))
    return failed, ours, theirs


def curve(f1: float, points: int = 40) -> tuple[tuple[float, float], ...]:
    """Give precision and recall along one F1, from precision 1 to recall 1.

    >>> [f"{precision:.2f} {recall:.2f}" for precision, recall in curve(0.5, 3)]
    ['1.00 0.33', '0.40 0.67', '0.33 1.00']
    """
    least = f1 / (2 - f1)
    recalls = np.linspace(least, 1.0, points)
    return tuple((float(f1 * recall / (2 * recall - f1)), float(recall)) for recall in recalls)
