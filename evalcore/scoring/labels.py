"""Label sets: predictions that must be one of few answers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evalcore.scoring.metrics import Counts
from evalcore.scoring.scores import Scores
from evalcore.text.pipeline import Pipeline
from evalcore.text.rules import StepFailed

MOST_LABELS = 60  # More distinct references than this are answers, not labels.


class LabelRow(NamedTuple):
    """One label: how often it is right, how often it was chosen, and how often both."""

    label: str
    gold: int
    predicted: int
    hit: int

    @property
    def em(self) -> float:
        """Give the share of the items with this label that were met; NaN without any."""
        return self.hit / self.gold if self.gold else float("nan")

    @property
    def precision(self) -> float:
        """Give the share of the choices of this label that were right; NaN without any."""
        return self.hit / self.predicted if self.predicted else float("nan")


@dataclass(frozen=True, eq=False)
class LabelReport:
    """How a run did on a set of labels.

    Shape: `matrix[g, p]` counts items of label g that chose label p; the
    last column counts invalid predictions. `invalid` are the rows whose
    prediction is none of the labels, `foreign` those whose references are
    none; foreign rows are not in the matrix. Unscored items are left out.
    """

    labels: tuple[str, ...]
    matrix: Counts
    invalid: tuple[int, ...]
    foreign: tuple[int, ...]
    scored: int

    @property
    def items(self) -> int:
        return int(self.matrix.sum())

    @property
    def hits(self) -> int:
        return int(np.trace(self.matrix))

    @property
    def invalid_rate(self) -> float:
        """Give the share of invalid predictions among the scored items; NaN without any."""
        return len(self.invalid) / self.scored if self.scored else float("nan")

    @property
    def strict_accuracy(self) -> float:
        """Give the share of hits, an invalid prediction being wrong; NaN without items."""
        return self.hits / self.items if self.items else float("nan")

    @property
    def accuracy_of_valid(self) -> float:
        """Give the share of hits among valid predictions; NaN without any."""
        valid = int(self.matrix[:, :-1].sum())
        return self.hits / valid if valid else float("nan")

    @property
    def rows(self) -> tuple[LabelRow, ...]:
        """Give one row a label, in the order of the labels."""
        gold, predicted, hits = self.matrix.sum(axis=1), self.matrix[:, :-1].sum(axis=0), np.diag(self.matrix)
        return tuple(LabelRow(label, int(gold[n]), int(predicted[n]), int(hits[n])) for n, label in enumerate(self.labels))


def derive_labels(scores: Scores) -> tuple[str, ...]:
    """Take the distinct references as labels, the most frequent spelling of each, most frequent first.

    Raises: ValueError when there are too many to be labels.

    >>> from evalcore.scoring.score import score
    >>> derive_labels(score(["yes", "no", "no"], [["yes"], ["No"], ["No"]]))
    ('No', 'yes')
    """
    texts = [text or "" for text in scores.dataset.references.texts]
    normalized = _through(texts, scores.preset.pipeline.on("reference"))
    spellings: dict[str, Counter[str]] = {}
    for raw, text in zip(texts, normalized, strict=True):
        spellings.setdefault(text, Counter())[raw.strip()] += 1
    if len(spellings) > MOST_LABELS:
        shown = ", ".join(repr(text) for text in list(spellings)[:5])
        raise ValueError(f"the references have {len(spellings)} distinct values ({shown} …); at most {MOST_LABELS} are labels, so give the labels yourself")
    ranked = sorted(spellings.values(), key=lambda counted: -counted.total())
    return tuple(counted.most_common(1)[0][0] for counted in ranked)


def label_report(scores: Scores, labels: Sequence[str] | None = None) -> LabelReport:
    """Count predictions against references over a set of labels.

    Labels, references and predictions are compared after the steps of the
    preset. Of several references the one that was met counts, else the first.
    Raises: ValueError for fewer than two labels, or two that the steps make equal.
    """
    chosen = tuple(labels) if labels is not None else derive_labels(scores)
    number = _numbers(chosen, scores)
    on_prediction = scores.preset.pipeline.on("prediction")
    on_reference = scores.preset.pipeline.on("reference")
    rows = np.flatnonzero(scores.is_scored).tolist()
    predicted = _through([scores.dataset.predictions[row] or "" for row in rows], on_prediction)
    gold = _through([_gold(scores, row) for row in rows], on_reference)
    matrix = np.zeros((len(chosen), len(chosen) + 1), dtype=np.int64)
    invalid, foreign = [], []
    for row, left, right in zip(rows, predicted, gold, strict=True):
        if left not in number:
            invalid.append(row)
        if right not in number:
            foreign.append(row)
        else:
            matrix[number[right], number.get(left, len(chosen))] += 1
    return LabelReport(chosen, matrix, tuple(invalid), tuple(foreign), len(rows))


def _numbers(labels: tuple[str, ...], scores: Scores) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for place, text in enumerate(_through(labels, scores.preset.pipeline.on("reference"))):
        if text in numbers:
            raise ValueError(f"the labels {labels[numbers[text]]!r} and {labels[place]!r} are equal after the steps of {scores.preset.name}: {text!r}")
        numbers[text] = place
    if len(numbers) < 2:
        raise ValueError(f"{len(numbers)} label was given or found; at least two are needed")
    return numbers


def _gold(scores: Scores, row: int) -> str:
    references = scores.dataset.references[row]
    best = int(scores.best_em[row]) if scores.em[row] == 1 else 0
    return references[best] if 0 <= best < len(references) else ""


def _through(texts: Sequence[str], pipeline: Pipeline) -> list[str]:
    known: dict[str, str] = {}
    for text in texts:
        if text not in known:
            try:
                known[text] = pipeline.apply(text)
            except StepFailed:
                known[text] = text
    return [known[text] for text in texts]
