"""Answers of several spans, aligned one to one as DROP does."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evalcore.scoring.metrics import Floats
from evalcore.scoring.preset import Preset
from evalcore.text.drop import number_in


class SpanScore(NamedTuple):
    """EM and F1 of two lists of spans; F1 is NaN where both are empty."""

    em: float
    f1: float


def score_spans(predicted: Sequence[str], gold: Sequence[str], preset: Preset) -> SpanScore:
    """Score a list of predicted spans against a list of gold spans.

    EM: both hold the same normalized spans, and equally many. F1: the best
    one-to-one alignment, over the longer list, rounded as the preset says.
    Source: DROP's script, get_metrics.
    Differs: `tin, tin, lead` against `tin, lead, lead` has EM 1 and F1 0.67.

    >>> from evalcore.scoring.presets import preset
    >>> score_spans(["tin", "copper"], ["copper"], preset("drop_allennlp"))
    SpanScore(em=0.0, f1=0.5)
    """
    left, right = preset.pipeline.on("prediction"), preset.pipeline.on("reference")
    predicted, gold = [left.apply(text) for text in predicted], [right.apply(text) for text in gold]
    em = float(set(predicted) == set(gold) and len(predicted) == len(gold))
    if not predicted and not gold:
        return SpanScore(em, float("nan"))
    table = np.array([[_f1(set(one.split()), set(other.split()), preset) for other in predicted] for one in gold], dtype=np.float64)
    total = float(aligned(table.reshape(len(gold), len(predicted))).sum())
    mean = total / max(len(gold), len(predicted))
    scale = 100 if preset.rounding == "hundredths_of_percent" else 1
    return SpanScore(em, mean if preset.rounding == "none" else round(mean * scale, 2) / scale)


def _f1(gold: set[str], predicted: set[str], preset: Preset) -> float:
    common = len(gold & predicted)
    if preset.gate == "numbers":
        numbers = {word for word in gold if number_in(word) is not None}
        if numbers and numbers.isdisjoint(predicted):
            return 0.0
    precision = common / len(predicted) if predicted else 1.0
    recall = common / len(gold) if gold else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def aligned(gains: Floats) -> Floats:
    """Give the gain of every row under the best one-to-one alignment.

    Shape: rows and columns in any number; a row without a partner gains 0.
    Source: the assignment method of Kuhn and Munkres, with potentials.

    >>> aligned(np.array([[1.0, 0.9], [0.9, 0.0]])).tolist()
    [0.9, 0.9]
    """
    rows, columns = gains.shape
    if rows > columns:
        result = np.zeros(rows)
        for column, row in enumerate(_partners(gains.T)):
            result[row] = gains[row, column]
        return result
    return np.array([gains[row, column] for row, column in enumerate(_partners(gains))], dtype=np.float64)


def _partners(gains: Floats) -> list[int]:
    """Find a column for every row, with at least as many columns as rows."""
    rows, columns = gains.shape
    of_row, of_column = np.zeros(rows + 1), np.zeros(columns + 1)
    partner = np.zeros(columns + 1, dtype=int)
    for row in range(1, rows + 1):
        partner[0], column = row, 0
        slack, way, seen = np.full(columns + 1, np.inf), np.zeros(columns + 1, dtype=int), np.zeros(columns + 1, dtype=bool)
        while partner[column]:
            seen[column] = True
            at = partner[column]
            reduced = -gains[at - 1] - of_row[at] - of_column[1:]
            closer = ~seen[1:] & (reduced < slack[1:])
            slack[1:][closer], way[1:][closer] = reduced[closer], column
            following = 1 + int(np.argmin(np.where(seen[1:], np.inf, slack[1:])))
            delta = slack[following]
            of_row[partner[seen]] += delta
            of_column[seen] -= delta
            slack[~seen] -= delta
            column = following
        while column:
            partner[column], column = partner[way[column]], way[column]
    found = {int(row) - 1: column - 1 for column, row in enumerate(partner) if column and row}
    return [found[row] for row in range(rows)]
