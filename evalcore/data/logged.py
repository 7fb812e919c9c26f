"""Scores that another tool logged, beside ours."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.scoring.scores import Scores
from evalcore.text.columns import Texts

WORDS = {"true": 1.0, "yes": 1.0, "pass": 1.0, "c": 1.0, "correct": 1.0, "false": 0.0, "no": 0.0, "fail": 0.0, "i": 0.0, "n": 0.0, "incorrect": 0.0, "p": 0.5}
TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class LoggedComparison:
    """One logged column against one of our measures.

    `rows` are the items whose numbers differ, with both numbers beside;
    `compared` items have both. `unread` items have something logged that
    is no number. `scale` is what the logged numbers were divided by.
    """

    column: str
    measure: str
    compared: int
    rows: npt.NDArray[np.int64]
    logged: npt.NDArray[np.float64]
    ours: npt.NDArray[np.float64]
    unread: int
    scale: float = 1.0

    @property
    def equal(self) -> int:
        """Items on which both agree."""
        return self.compared - len(self.rows)


def logged_values(column: Texts) -> npt.NDArray[np.float64]:
    """Read logged scores: numbers, truth values, and the marks C, P, I, N of Inspect.

    Empty: NaN for null, for "", and for what is none of these.

    >>> logged_values(Texts.of(["1.0", "C", "true", None, "?"])).tolist()
    [1.0, 1.0, 1.0, nan, nan]
    """
    return np.array([_number(cell) for cell in column], dtype=np.float64)


def compare_logged(scores: Scores, column: str, measure: str | None = None) -> LoggedComparison:
    """Compare a logged column of the dataset's metadata with ours: `em`, `f1` or the preset's own `score`.

    None takes f1 for a column named so, else the score. Numbers up to 100
    are taken for percents where one is above 1.
    Raises: KeyError when there is no such column.
    """
    measure = measure or measure_of(column)
    logged = logged_values(scores.dataset.metadata[column])
    filled = np.array([bool(cell) for cell in scores.dataset.metadata[column]], dtype=np.bool_)
    scale = 100.0 if np.nanmax(logged, initial=0.0) > 1 else 1.0
    ours: npt.NDArray[np.float64] = np.asarray(getattr(scores, measure), dtype=np.float64)
    both = ~np.isnan(logged) & ~np.isnan(ours)
    rows = np.flatnonzero(both & (np.abs(logged / scale - ours) > TOLERANCE))
    return LoggedComparison(column, measure, int(both.sum()), rows, logged[rows] / scale, ours[rows], int((filled & np.isnan(logged)).sum()), scale)


def compare_all(scores: Scores, columns: Sequence[str]) -> tuple[LoggedComparison, ...]:
    """Compare several columns."""
    return tuple(compare_logged(scores, column) for column in columns)


def measure_of(column: str) -> str:
    """Tell which of our numbers a logged column is likely to be.

    >>> measure_of("score.f1"), measure_of("exact_match,strict-match"), measure_of("em")
    ('f1', 'score', 'em')
    """
    name = column.split(",")[0].casefold().rsplit(".", 1)[-1]
    return "f1" if "f1" in name else "em" if name == "em" else "score"


def _number(cell: str | None) -> float:
    if not cell:
        return float("nan")
    known = WORDS.get(cell.strip().casefold())
    if known is not None:
        return known
    try:
        return float(cell)
    except ValueError:
        return float("nan")
