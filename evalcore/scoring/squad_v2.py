"""SQuAD v2's figures: answerable and unanswerable items, and no-answer probabilities."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from evalcore.scoring.metrics import Floats, sequential_sum
from evalcore.scoring.scores import Scores
from evalcore.text.drop import number_in

Variant = Literal["official", "hugging_face"]
Flags = npt.NDArray[np.bool_]
PROBABILITY_COLUMN = "no_answer_probability"  # Where na_prob.json and null_odds.json land when they are read.


class ProbabilityError(ValueError):
    """No-answer probabilities do not cover the items; the message says which lack one."""


@dataclass(frozen=True)
class Split:
    """Sums of EM and F1 over some items; the means are 0..1, NaN without items."""

    exact_sum: float
    f1_sum: float
    total: int

    @property
    def exact(self) -> float:
        return self.exact_sum / self.total if self.total else float("nan")

    @property
    def f1(self) -> float:
        return self.f1_sum / self.total if self.total else float("nan")


@dataclass(frozen=True)
class Best:
    """The best sum a threshold reaches, and the first threshold that does.

    Range: the threshold is inclusive: items up to it are answered. Applying a threshold keeps items up to it as well, so the two agree.
    """

    sum: float
    total: int
    threshold: float

    @property
    def value(self) -> float:
        return self.sum / self.total if self.total else float("nan")


@dataclass(frozen=True)
class PrecisionRecall:
    """The curve over rising no-answer probability, and its average precision, 0..1."""

    recalls: tuple[float, ...]
    precisions: tuple[float, ...]
    average_precision: float


@dataclass(frozen=True)
class Figures:
    """What SQuAD v2's script prints, over the scored items.

    A split without items is None, and so are the best thresholds and the
    curves where there are no probabilities or no answerable items.
    """

    all: Split
    has_answer: Split | None
    no_answer: Split | None
    best_exact: Best | None = None
    best_f1: Best | None = None
    pr_exact: PrecisionRecall | None = None
    pr_f1: PrecisionRecall | None = None
    pr_oracle: PrecisionRecall | None = None

    def as_script(self) -> dict[str, Any]:
        """Give the script's own names, in percent and to its last digit."""
        named: dict[str, Any] = {}
        for prefix, split in (("", self.all), ("HasAns_", self.has_answer), ("NoAns_", self.no_answer)):
            if split is not None and split.total:
                named[f"{prefix}exact"] = 100.0 * split.exact_sum / split.total
                named[f"{prefix}f1"] = 100.0 * split.f1_sum / split.total
                named[f"{prefix}total"] = split.total
        for name, best in (("best_exact", self.best_exact), ("best_f1", self.best_f1)):
            if best is not None:
                named[name], named[f"{name}_thresh"] = 100.0 * best.sum / best.total, best.threshold
        for name, curve in (("pr_exact", self.pr_exact), ("pr_f1", self.pr_f1), ("pr_oracle", self.pr_oracle)):
            if curve is not None:
                named[f"{name}_ap"] = 100.0 * curve.average_precision
        return named


def probabilities_by_id(scores: Scores, values: Mapping[str, float]) -> tuple[float, ...]:
    """Put no-answer probabilities in the order of the items.

    Source: the files null_odds.json and na_prob.json, an object of id to number.
    Raises: ProbabilityError naming ids of scored items that have none.
    """
    ids = scores.dataset.ids.to_list()
    absent = [repr(name)[:80] for name, scored in zip(ids, scores.is_scored, strict=True) if scored and name not in values]
    if absent:
        raise ProbabilityError(
            f"{len(absent)} of {int(scores.is_scored.sum())} scored items have no no-answer probability: {', '.join(absent[:10])}; "
            "give one number for every id, or leave the file out"
        )
    return tuple(float(values.get(name or "", float("nan"))) for name in ids)


def recorded_probabilities(scores: Scores) -> tuple[float, ...] | None:
    """Give the no-answer probabilities that came with the items, None where none came.

    Raises: ProbabilityError naming scored items whose value is no number.
    """
    column = scores.dataset.metadata.get(PROBABILITY_COLUMN)
    if column is None:
        return None
    ids = scores.dataset.ids.to_list()
    numbers = {name or "": number for name, text in zip(ids, column, strict=True) if (number := number_in(text or "")) is not None}
    return probabilities_by_id(scores, numbers)


def has_answer(scores: Scores) -> Flags:
    """Tell which items have a reference that is a text, whatever it normalizes to.

    Empty: an item without references has none, nor has one whose references are all empty, as an impossible question is read.
    """
    references = scores.dataset.references
    filled = np.concatenate([[0], np.cumsum(references.texts.byte_lengths() > 0)])
    answerable: Flags = filled[references.offsets[1:]] > filled[references.offsets[:-1]]
    return answerable


def apply_threshold(scores: Scores, probabilities: Sequence[float], threshold: float = 1.0, variant: Variant = "official") -> Scores:
    """Take every item above the threshold as "no answer", whatever was predicted.

    Range: above means strictly greater.
    """
    silent = (_numbers(scores, probabilities, variant) > threshold) & scores.is_scored
    right = (~has_answer(scores)).astype(np.float64)

    def silenced(values: Floats) -> Floats:
        return np.where(silent, right, values)

    return replace(
        scores,
        em=silenced(scores.em),
        f1=silenced(scores.f1),
        precision=silenced(scores.precision),
        recall=silenced(scores.recall),
        em_first=silenced(scores.em_first),
    )


def figures(scores: Scores, probabilities: Sequence[float] | None = None, threshold: float = 1.0, variant: Variant = "official") -> Figures:
    """Give all figures of SQuAD v2.

    `official` follows the script of the data set: thresholds need
    probabilities. `hugging_face` follows the metric of evaluate: without
    probabilities they are all 0, and they pass through float32.
    Raises: ProbabilityError when there is not one probability an item.
    """
    scored, answerable = scores.is_scored, has_answer(scores)
    if probabilities is None and variant == "hugging_face":
        probabilities = [0.0] * len(scores)
    after = scores if probabilities is None else apply_threshold(scores, probabilities, threshold, variant)

    def split(rows: Flags) -> Split:
        return Split(sequential_sum(after.em[rows]), sequential_sum(after.f1[rows]), int(rows.sum()))

    both = split(scored)
    with_answer, without = (split(rows) if rows.any() else None for rows in (scored & answerable, scored & ~answerable))
    if probabilities is None:
        return Figures(both, with_answer, without)
    order = _rising(scores, _numbers(scores, probabilities, variant))
    best_exact, best_f1 = (_best(scores, values, order) for values in (scores.em, scores.f1))
    if with_answer is None:
        return Figures(both, with_answer, without, best_exact, best_f1)
    exact, f1, oracle = (_curve(values, order, answerable[order.rows]) for values in (scores.em, scores.f1, np.ones(len(scores))))
    return Figures(both, with_answer, without, best_exact, best_f1, exact, f1, oracle)


@dataclass(frozen=True)
class _Order:
    """Scored rows by rising probability; equal ones keep their order."""

    rows: npt.NDArray[np.int64]
    probabilities: Floats


def _numbers(scores: Scores, probabilities: Sequence[float], variant: Variant) -> Floats:
    if len(probabilities) != len(scores):
        raise ProbabilityError(f"{len(probabilities)} no-answer probabilities for {len(scores)} items; give one an item")
    values = np.asarray(probabilities, dtype=np.float64)
    return values.astype(np.float32).astype(np.float64) if variant == "hugging_face" else values


def _rising(scores: Scores, probabilities: Floats) -> _Order:
    rows = np.flatnonzero(scores.is_scored)
    rows = rows[np.argsort(probabilities[rows], kind="stable")]
    return _Order(rows, probabilities[rows])


def _best(scores: Scores, values: Floats, order: _Order) -> Best:
    """Answer one item more at a time, from none to all; a strict improvement moves the threshold.

    Source: find_best_thresh. An unanswerable item whose raw prediction is
    not empty counts as lost, even where it normalizes to nothing.
    """
    answerable = has_answer(scores)[order.rows]
    spoken = scores.dataset.predictions.byte_lengths()[order.rows] > 0
    gains = np.where(answerable, values[order.rows], np.where(spoken, -1.0, 0.0))
    reached = np.add.accumulate(np.concatenate(([float((~answerable).sum())], gains)))
    best = int(np.argmax(reached))
    return Best(float(reached[best]), len(order.rows), float(order.probabilities[best - 1]) if best else 0.0)


def _curve(values: Floats, order: _Order, answerable: Flags) -> PrecisionRecall:
    """Follow precision and recall over the answerable items; equal probabilities are one point."""
    found = np.add.accumulate(np.where(answerable, values[order.rows], 0.0))
    precision, recall = found / np.arange(1, len(found) + 1), found / int(answerable.sum())
    ends = np.flatnonzero(np.append(order.probabilities[1:] != order.probabilities[:-1], True))
    points = np.concatenate(([0.0], recall[ends]))
    area = sequential_sum(precision[ends] * np.diff(points))
    return PrecisionRecall(tuple(points.tolist()), (1.0, *precision[ends].tolist()), area)
