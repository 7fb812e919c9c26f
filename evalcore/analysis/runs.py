"""More than two runs: one table, and every pair tested with the number of pairs in mind."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from evalcore.analysis.comparison import Comparison, compare, shared_rows, taken
from evalcore.analysis.effect import Effect
from evalcore.scoring.metrics import Counts
from evalcore.scoring.paired import holm
from evalcore.scoring.scores import Scores
from evalcore.scoring.statistics import Interval, em_interval, mean_interval


@dataclass(frozen=True, eq=False)
class RunRow:
    """One run on the shared items."""

    name: str
    scores: Scores
    interval: Interval
    unmatched: int


@dataclass(frozen=True, eq=False)
class PairRow:
    """Two runs, as indexes into the table's rows; `corrected` is p after Holm's correction."""

    before: int
    after: int
    comparison: Comparison
    effect: Effect
    corrected: float

    @property
    def is_clear(self) -> bool:
        """Tell whether the difference stands after the correction."""
        return self.corrected < 1 - self.effect.difference.level and self.effect.difference.excludes(0.0)


@dataclass(frozen=True, eq=False)
class RunTable:
    """Runs in the order given, and all their pairs; `shared` counts the items all runs have."""

    measure: str
    runs: tuple[RunRow, ...]
    pairs: tuple[PairRow, ...]
    shared: int

    @property
    def settings(self) -> tuple[str, ...]:
        """Give the signatures in use; more than one means that the runs cannot be compared as they are."""
        return tuple(dict.fromkeys(row.scores.signature for row in self.runs))


def compare_runs(runs: Sequence[Scores], measure: str = "em", names: Sequence[str] | None = None, clusters: str | None = None) -> RunTable:
    """Compare runs pairwise on the items that all of them have.

    `clusters`: a column, such as "context", whose equal texts go together.
    Raises: ValueError for fewer than two runs, or when no id is in all of them.
    """
    if len(runs) < 2:
        raise ValueError(f"{len(runs)} run given; at least two are needed to compare")
    rows = shared_rows([scores.dataset.ids for scores in runs])
    if not len(rows[0]):
        raise ValueError(f"the {len(runs)} runs have no id in common; compare runs on the same references")
    cut = [taken(scores, chosen) for scores, chosen in zip(runs, rows, strict=True)]
    labels = None if clusters is None else cluster_labels(cut[0], clusters)
    table = tuple(
        RunRow(name, scores, interval_of(scores, measure, labels), len(given) - len(scores))
        for name, scores, given in zip(names or run_names(runs), cut, runs, strict=True)
    )
    pairs = list(combinations(range(len(runs)), 2))
    comparisons = [compare(cut[first], cut[second]) for first, second in pairs]
    effects = [comparison.effect(measure, clusters=labels) for comparison in comparisons]
    corrected = holm([effect.test.p for effect in effects])
    found = (PairRow(*pair, *rest) for pair, *rest in zip(pairs, comparisons, effects, corrected.tolist(), strict=True))
    return RunTable(measure, table, tuple(found), len(rows[0]))


def interval_of(scores: Scores, measure: str = "em", clusters: npt.NDArray[np.generic] | None = None, rows: Counts | None = None) -> Interval:
    """Give a measure's mean over a run, or some rows of it, with its interval: Wilson's for EM, else by bootstrap.

    `clusters`: one label an item of the run; items of one label are drawn together.
    """
    values = getattr(scores, measure)
    if rows is not None:
        values, clusters = values[rows], None if clusters is None else clusters[rows]
    if measure == "em" and clusters is None:
        return em_interval(values)
    return mean_interval(values, clusters=clusters)


def cluster_labels(scores: Scores, column: str = "context") -> npt.NDArray[np.int64]:
    """Give one number an item, the same for equal texts in the column; each item without a text is on its own.

    `column`: "context", "question" or a metadata column.
    Raises: ValueError listing the columns there are.
    """
    data = scores.dataset
    columns = {"context": data.contexts, "question": data.questions, **data.metadata}
    texts = columns.get(column)
    if texts is None:
        there = ", ".join(name for name, values in columns.items() if values is not None) or "none"
        raise ValueError(f"the run has no column {column!r} to group its items by; columns there are: {there}")
    codes: dict[str, int] = {}
    labels = (-1 - row if text is None else codes.setdefault(text, len(codes)) for row, text in enumerate(texts))
    return np.fromiter(labels, dtype=np.int64, count=len(texts))


def run_names(runs: Sequence[Scores]) -> list[str]:
    """Give every run a name of its own: the system's, else the file's, numbered where they repeat.

    >>> run_names([])
    []
    """
    plain = [scores.dataset.system or scores.dataset.name or f"run {number}" for number, scores in enumerate(runs, 1)]
    return [f"{name} ({plain[: number + 1].count(name)})" if plain.count(name) > 1 else name for number, name in enumerate(plain)]
