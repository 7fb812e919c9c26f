"""Statistics of one part of a run that can be put together with those of others.

Every measure is kept as its distinct values and how often each stands, so
that means and intervals do not depend on how the items were parted.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum, isnan, nan
from typing import Any

import numpy as np

from evalcore.scoring.buckets import BUCKETS, NEAR_MISS_F1, bucket_codes
from evalcore.scoring.scores import Scores
from evalcore.scoring.statistics import Interval, em_interval, mean_interval

MEASURES = ("em", "f1", "precision", "recall")
COUNTS = ("items", "scored", "missing", "empty", "emptied")


@dataclass(frozen=True)
class Statistics:
    """Counts of some items.

    `values` maps a measure to its distinct values and their counts;
    `unscored` a reason and `buckets` a bucket to the number of items.
    """

    items: int
    scored: int
    missing: int
    empty: int
    emptied: int
    unscored: Mapping[str, int]
    buckets: Mapping[str, int]
    values: Mapping[str, Mapping[float, int]]

    @classmethod
    def of(cls, scores: Scores, near: float = NEAR_MISS_F1) -> "Statistics":
        """Count the items of a score."""
        summary = scores.summary()
        counted = np.bincount(bucket_codes(scores, near), minlength=len(BUCKETS))
        buckets: dict[str, int] = {name: int(number) for name, number in zip(BUCKETS, counted.tolist(), strict=True)}
        values = {}
        for measure in scores.preset.numbers:
            if measure in MEASURES:
                column = getattr(scores, measure)
                distinct, counts = np.unique(column[~np.isnan(column)], return_counts=True)
                values[measure] = dict(zip(distinct.tolist(), counts.tolist(), strict=True))
        return cls(summary.items, summary.scored, summary.missing, summary.empty, summary.emptied, dict(summary.unscored), buckets, values)

    @classmethod
    def merged(cls, parts: "Iterable[Statistics]") -> "Statistics":
        """Put parts together; their order does not matter.

        Empty: counts of nothing.
        """
        listed = list(parts)
        values = {measure: _added(part.values[measure] for part in listed if measure in part.values) for measure in MEASURES}
        return cls(
            **{name: sum(getattr(part, name) for part in listed) for name in COUNTS},
            unscored=_added(part.unscored for part in listed),
            buckets=_added(part.buckets for part in listed),
            values={measure: table for measure, table in values.items() if table},
        )

    def mean(self, measure: str) -> float:
        """Give the mean of a measure, NaN where there is none.

        >>> Statistics(2, 2, 0, 0, 0, {}, {}, {"em": {0.0: 1, 1.0: 1}}).mean("em")
        0.5
        """
        table = self.values.get(measure, {})
        count = sum(table.values())
        return fsum(value * number for value, number in table.items()) / count if count else nan

    def interval(self, measure: str) -> Interval:
        """Give the mean of a measure with the interval one run over all items has."""
        table = self.values.get(measure, {})
        values = np.repeat(np.array(list(table), dtype=np.float64), np.array(list(table.values()), dtype=np.int64))
        return em_interval(values) if measure == "em" else mean_interval(values)

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form, numbers unrounded, keys in order."""
        values = {measure: [[value, number] for value, number in sorted(table.items())] for measure, table in sorted(self.values.items())}
        counts = {name: getattr(self, name) for name in COUNTS}
        return {**counts, "unscored": dict(sorted(self.unscored.items())), "buckets": dict(sorted(self.buckets.items())), "values": values}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Statistics":
        """Read the JSON form."""
        values = {measure: {float(number): int(count) for number, count in table} for measure, table in value["values"].items()}
        return cls(**{**value, "values": values})

    def summary(self) -> dict[str, Any]:
        """Give counts, means and intervals for a file that people and programs read; None where there is no number."""
        intervals = {measure: self.interval(measure) for measure in self.values}
        measures = {
            measure: {"mean": _number(self.mean(measure)), "low": _number(found.low), "high": _number(found.high), "method": found.method}
            for measure, found in intervals.items()
        }
        content = self.to_json()
        return {**{name: content[name] for name in content if name != "values"}, "measures": measures}


def _added(tables: Iterable[Mapping[Any, int]]) -> dict[Any, int]:
    total: Counter[Any] = Counter()
    for table in tables:
        total.update(table)
    return dict(sorted(total.items()))


def _number(value: float) -> float | None:
    return None if isnan(value) else value
