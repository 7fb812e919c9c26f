"""EM, token overlap and F1, over arrays of pairs."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalcore.text.overlap_kernels import first_best

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


class Overlap(NamedTuple):
    """Token counts of prediction-reference pairs, one row a pair."""

    common: Counts
    predicted: Counts
    gold: Counts


class Measures(NamedTuple):
    """F1, precision and recall of pairs, 0..1."""

    f1: Floats
    precision: Floats
    recall: Floats


def overlap_of(predicted: Sequence[str], gold: Sequence[str], rule: str) -> tuple[int, int, int]:
    """Count common, predicted and gold tokens of one pair.

    >>> overlap_of(["a", "a", "b"], ["a", "a"], "bag"), overlap_of(["a", "a", "b"], ["a", "a"], "set")
    ((2, 3, 2), (1, 2, 1))
    """
    if rule == "set":
        first, second = set(predicted), set(gold)
        return len(first & second), len(first), len(second)
    return (Counter(predicted) & Counter(gold)).total(), len(predicted), len(gold)


def measure(overlap: Overlap, empty_rule: str) -> Measures:
    """Turn counts into F1, precision and recall.

    Empty: one side without tokens gives 0; both give 1 under `v2`, 0 under `v1`.
    Source: F1 is 2PR / (P + R) in the order of SQuAD's script, so the last digit agrees.
    """
    common = overlap.common.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(overlap.predicted > 0, common / overlap.predicted, 0.0)
        recall = np.where(overlap.gold > 0, common / overlap.gold, 0.0)
        f1 = np.where(overlap.common > 0, (2 * precision * recall) / (precision + recall), 0.0)
    if empty_rule == "v2":
        both = (overlap.predicted == 0) & (overlap.gold == 0)
        for values in (f1, precision, recall):
            values[both] = 1.0
    return Measures(f1, precision, recall)


def best_of(values: Floats, starts: Counts, counts: Counts) -> Counts:
    """Give the row of the first best value of every group.

    Shape: group g holds rows starts[g] .. starts[g] + counts[g]; counts are at least 1.
    """
    best: Counts = first_best(values, starts, counts)
    return best


def sequential_sum(values: Floats) -> float:
    """Add from left to right, as the public scripts do, to the last digit."""
    return float(np.add.accumulate(values)[-1]) if len(values) else 0.0
