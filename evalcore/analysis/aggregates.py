"""The aggregates of a run with their intervals, and its split into answerable and unanswerable items."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import numpy as np

from evalcore.analysis.runs import cluster_labels, interval_of
from evalcore.analysis.slices import (
    SliceRow,
    Slicing,
    by_answer_type,
    by_column,
    by_question_type,
    by_reference_length,
    by_script,
)
from evalcore.dataset import Dataset
from evalcore.scoring.metrics import Counts
from evalcore.scoring.preset import Preset
from evalcore.scoring.scores import Scores
from evalcore.scoring.squad_v2 import has_answer
from evalcore.scoring.statistics import Interval

MEASURES = ("em", "f1", "precision", "recall")
NAMES = {"em": "EM", "f1": "F1", "precision": "precision", "recall": "recall"}
MANY = 50_000
LOOKED_AT = 2_000  # Rows that tell whether a column may group; the whole column decides when it is chosen.

By = Literal["as they come", "items", "EM", "F1", "gap"]
ORDERS: tuple[By, ...] = ("as they come", "items", "EM", "F1", "gap")


def intervals(scores: Scores, clusters: str | None = None) -> Mapping[str, Interval]:
    """Give the mean of every measure the preset has, with its interval.

    `clusters`: a column, such as "context", whose equal texts go together.

    >>> from evalcore.scoring.score import score
    >>> list(intervals(score(["a"], [["a"]], "popqa")))
    ['em']
    """
    labels = None if clusters is None else cluster_labels(scores, clusters)
    return {measure: interval_of(scores, measure, labels) for measure in MEASURES if measure in scores.preset.numbers}


def method(found: Mapping[str, Interval], preset: Preset, clusters: str | None = None) -> str:
    """Say in one line how intervals of a preset's measures were made, seed included.

    `clusters`: the column whose equal texts went together.
    Empty: no interval.
    """
    ways: dict[str, list[str]] = {}
    for measure, interval in found.items():
        ways.setdefault(interval.method, []).append(preset.measure if measure == "em" and preset.measure != "exact match" else NAMES[measure])
    if not found:
        return ""
    level = f"{100 * next(iter(found.values())).level:g} % intervals"
    together = f"; items of one {clusters} are drawn together" if clusters else ""
    return f"{level}: {'; '.join(f'{_listed(names)} by {way}' for way, names in ways.items())}{together}"


def _listed(names: list[str]) -> str:
    return ", ".join(names)


def by_answerable(scores: Scores) -> Slicing | None:
    """Group items by whether they have a reference; None where the preset or the data know no such items.

    Source: SQuAD v2's HasAns and NoAns.
    """
    answerable = has_answer(scores)
    if scores.preset.no_references != "no_answer" or answerable.all() or not answerable.any():
        return None
    return Slicing("answerable", ("has an answer", "has no answer"), np.where(answerable, 0, 1).astype(np.int64))


def ways(data: Dataset) -> Mapping[str, Callable[[], Slicing | None]]:
    """Give the names of all ways to group these items, and what groups them.

    A column is offered when its first rows group; None when the whole
    column does not. Nothing is grouped before it is asked for.
    """
    found: dict[str, Callable[[], Slicing | None]] = {}
    if data.questions is not None:
        questions = data.questions
        found["question type"] = lambda: by_question_type(questions)
    found["answer type"] = lambda: by_answer_type(data)
    found["reference length"] = lambda: by_reference_length(data)
    found["script"] = lambda: by_script(data)
    for name, column in data.metadata.items():
        shown = f"column {name}" if name in found else name
        seen = by_column(name, column[: min(LOOKED_AT, len(column))])
        if seen is not None and len(seen.labels) > 1:
            found[shown] = lambda name=name, column=column: by_column(name, column)  # type: ignore[misc]
    return found


def first_way(data: Dataset) -> str:
    """Name the way to begin with: what questions ask for, or by length where there are none or so many that reading them takes seconds."""
    return "question type" if data.questions is not None and len(data) <= MANY else "reference length"


def ordered(rows: Iterable[SliceRow], by: By) -> tuple[SliceRow, ...]:
    """Sort groups: the largest first by items, the lowest first by EM or F1, the widest first by gap; NaN comes last."""

    def place(row: SliceRow) -> float:
        value = {"items": -len(row.rows), "EM": row.em.estimate, "F1": row.f1.estimate, "gap": -row.gap}[by]
        return value if value == value else np.inf

    return tuple(rows) if by == "as they come" else tuple(sorted(rows, key=place))


def missed(scores: Scores, row: SliceRow) -> Counts:
    """Give the scored items of a group that are not right: EM below 1, or F1 below 1 without an EM."""
    return row.rows[scores.score[row.rows] < 1]
