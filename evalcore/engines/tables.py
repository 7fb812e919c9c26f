"""Tables of distinct values with how often each stands: what means and intervals need, and can be put together."""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import fsum, isnan, nan
from typing import Any, TypeVar

import numpy as np

from evalcore.scoring.metrics import Floats
from evalcore.scoring.statistics import Interval, counted_interval, wilson

Key = TypeVar("Key", str, float)
Table = Mapping[float, int]


def counted(column: Floats) -> Table:
    """Count the distinct values of a column; NaN is left out.

    >>> counted(np.array([1.0, 0.0, np.nan, 1.0]))
    {0.0: 1, 1.0: 2}
    """
    distinct, counts = np.unique(column[~np.isnan(column)], return_counts=True)
    return dict(zip(distinct.tolist(), counts.tolist(), strict=True))


def added(tables: Iterable[Mapping[Key, int]]) -> dict[Key, int]:
    """Add counts up, keys in order; the order of the tables does not matter."""
    total: Counter[Key] = Counter()
    for table in tables:
        total.update(table)
    return dict(sorted(total.items()))


def mean(table: Table) -> float:
    """Give the mean of the values; the exact sum is rounded once. Empty: NaN."""
    count = sum(table.values())
    return fsum(value * number for value, number in table.items()) / count if count else nan


def interval(measure: str, table: Table) -> Interval:
    """Give the mean with the interval one run over all its items has."""
    if measure == "em" and table.keys() <= {0.0, 1.0}:
        return wilson(table.get(1.0, 0), sum(table.values()))
    pairs = sorted(table.items())
    return counted_interval(np.array([value for value, _ in pairs], dtype=np.float64), np.array([number for _, number in pairs], dtype=np.int64))


def to_json(tables: Mapping[str, Table]) -> dict[str, list[list[float]]]:
    """Give tables by measure as lists of pairs, all in order."""
    return {measure: [[value, number] for value, number in sorted(table.items())] for measure, table in sorted(tables.items())}


def from_json(value: Mapping[str, Iterable[Any]]) -> dict[str, Table]:
    """Read what `to_json` gives."""
    return {measure: {float(number): int(count) for number, count in table} for measure, table in value.items()}


def summary(tables: Mapping[str, Table], intervals: bool = True) -> dict[str, dict[str, Any]]:
    """Give mean, interval and method by measure, for a file that people and programs read; None where there is no number.

    Without `intervals` there are means alone.
    """
    if not intervals:
        return {measure: {"mean": _number(mean(table))} for measure, table in tables.items()}
    found = {measure: (mean(table), interval(measure, table)) for measure, table in tables.items()}
    return {
        measure: {"mean": _number(value), "low": _number(around.low), "high": _number(around.high), "method": around.method}
        for measure, (value, around) in found.items()
    }


def _number(value: float) -> float | None:
    return None if isnan(value) else value
