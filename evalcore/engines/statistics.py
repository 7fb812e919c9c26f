"""Statistics of one part of a run that can be put together with those of others.

Every measure is kept as its distinct values and how often each stands, so
that means and intervals do not depend on how the items were parted.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import nan
from typing import Any

import numpy as np

from evalcore.engines import groups, tables
from evalcore.engines.groups import Group, Slices
from evalcore.engines.tables import Table
from evalcore.scoring.buckets import BUCKETS, NEAR_MISS_F1, Bucket, bucket_codes
from evalcore.scoring.scores import Flags, Scores
from evalcore.scoring.statistics import Interval

MEASURES = ("em", "em_first", "f1", "precision", "recall")
OUTCOMES = ("match", "empty_match", "failed")
COUNTS = ("items", "scored", "missing", "empty", "emptied")
NAMED = ("unscored", "buckets")
TABLES = ("values", "lanes", "by_reason")


@dataclass(frozen=True)
class Statistics:
    """Counts of some items.

    `values` maps a measure to its distinct values and their counts;
    `unscored` a reason, `buckets` a bucket to the number of items; `slices`
    a way to group to its groups, None where it has too many. `lanes` splits
    the scored items: an outcome to its distinct F1 and their counts; all are
    0 under a preset without F1. `by_reason` does the same for failed items:
    a main reason to their F1. Reasons and slices are empty where they were
    not asked for.
    """

    items: int
    scored: int
    missing: int
    empty: int
    emptied: int
    unscored: Mapping[str, int]
    buckets: Mapping[str, int]
    values: Mapping[str, Table]
    slices: Slices = field(default_factory=dict)
    lanes: Mapping[str, Table] = field(default_factory=dict)
    by_reason: Mapping[str, Table] = field(default_factory=dict)

    @classmethod
    def of(cls, scores: Scores, near: float = NEAR_MISS_F1, reasons: Mapping[str, Flags] | None = None, slices: Slices | None = None) -> "Statistics":
        """Count the items of a score; `reasons` says of every item whether its main reason is this one."""
        summary = scores.summary()
        counted = np.bincount(bucket_codes(scores, near), minlength=len(BUCKETS))
        buckets: dict[str, int] = {name: int(number) for name, number in zip(BUCKETS, counted.tolist(), strict=True)}
        values = {measure: tables.counted(getattr(scores, measure)) for measure in scores.preset.numbers if measure in MEASURES}
        counts = {name: getattr(summary, name) for name in COUNTS}
        exact = scores.score == 1
        outcomes = {"match": exact & ~scores.emptied, "empty_match": exact & scores.emptied, "failed": scores.is_scored & ~exact}
        f1 = np.nan_to_num(scores.f1)
        lanes, by_reason = ({name: tables.counted(f1[rows]) for name, rows in split.items()} for split in (outcomes, reasons or {}))
        named: dict[str, Any] = {"unscored": dict(summary.unscored), "buckets": buckets}
        return cls(**counts, **named, values=values, slices=slices or {}, lanes=lanes, by_reason=by_reason)

    @classmethod
    def merged(cls, parts: "Iterable[Statistics]") -> "Statistics":
        """Put parts together; their order does not matter.

        Empty: counts of nothing.
        """
        listed = list(parts)
        counts: dict[str, Any] = {name: sum(getattr(part, name) for part in listed) for name in COUNTS}
        counts |= {name: tables.added(getattr(part, name) for part in listed) for name in NAMED}
        reasons = sorted({name for part in listed for name in part.by_reason})
        values = {measure: tables.added(part.values[measure] for part in listed if measure in part.values) for measure in MEASURES}
        return cls(
            **counts,
            values={measure: table for measure, table in values.items() if table},
            lanes={name: tables.added(part.lanes.get(name, {}) for part in listed) for name in OUTCOMES},
            by_reason={name: tables.added(part.by_reason.get(name, {}) for part in listed) for name in reasons},
            slices=groups.merged((part.slices, Group(part.items, part.values)) for part in listed),
        )

    @property
    def reasons(self) -> Mapping[str, int]:
        """Count the failed items by main reason, the most frequent first."""
        counts = {name: sum(table.values()) for name, table in self.by_reason.items()}
        return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))

    def by_bucket(self, reasons: Collection[str] = ()) -> dict[Bucket, Table]:
        """Split all items, or those with one of some main reasons, by bucket: each with its distinct F1 and their counts.

        Shape: every failed item is a miss; F1 is NaN for unscored items.
        """
        if reasons:
            return {"miss": tables.added(self.by_reason.get(name, {}) for name in set(reasons))}
        unscored = {nan: self.items - self.scored} if self.items > self.scored else {}
        return {"match": self.lanes["match"], "empty_match": self.lanes["empty_match"], "miss": self.lanes["failed"], "unscored": unscored}

    def mean(self, measure: str) -> float:
        """Give the mean of a measure, NaN where there is none.

        >>> Statistics(2, 2, 0, 0, 0, {}, {}, {"em": {0.0: 1, 1.0: 1}}).mean("em")
        0.5
        """
        return tables.mean(self.values.get(measure, {}))

    def interval(self, measure: str) -> Interval:
        """Give the mean of a measure with the interval one run over all items has."""
        return tables.interval(measure, self.values.get(measure, {}))

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form, numbers unrounded, keys in order."""
        counts = {name: getattr(self, name) for name in COUNTS}
        named = {name: dict(sorted(getattr(self, name).items())) for name in NAMED}
        split = {name: tables.to_json(getattr(self, name)) for name in TABLES}
        return {**counts, **named, **split, "slices": groups.slices_to_json(self.slices)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Statistics":
        """Read the JSON form."""
        found = {name: tables.from_json(value[name]) for name in TABLES}
        return cls(**{**value, **found, "slices": groups.slices_from_json(value.get("slices", {}))})

    def summary(self) -> dict[str, Any]:
        """Give counts, means and intervals for a file that people and programs read; None where there is no number."""
        counts = {name: getattr(self, name) for name in COUNTS}
        named = {name: dict(sorted(getattr(self, name).items())) for name in (*NAMED, "reasons")}
        return {**counts, **named, "measures": tables.summary(self.values), "slices": groups.slices_summary(self.slices, self.items)}
