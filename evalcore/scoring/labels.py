"""Label sets: predictions that must be one of few answers."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evalcore.scoring.metrics import Counts
from evalcore.scoring.scores import Scores
from evalcore.scoring.statistics import Interval, wilson
from evalcore.text.columns import Texts
from evalcore.text.normalized import normalize
from evalcore.text.pipeline import Pipeline
from evalcore.text.program import program_of

MOST_LABELS = 60  # More distinct references than this are answers, not labels.
NONE = -1  # The code of a text that is no label.

Options = tuple[tuple[str, int], ...]


@dataclass(frozen=True, eq=False)
class LabelSet:
    """The answers that are allowed.

    `said`: where they come from, in words. `options`: where every item has
    answers of its own, what it allows: a text, and the label it stands
    for; None where all items allow all labels. `by_place`: the labels only
    count the options, they are no texts.
    """

    labels: tuple[str, ...]
    said: str = "as given"
    options: tuple[Options, ...] | None = None
    by_place: bool = False


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
    def interval(self) -> Interval:
        """Give EM with its Wilson interval."""
        return wilson(self.hit, self.gold)

    @property
    def precision(self) -> float:
        """Give the share of the choices of this label that were right; NaN without any."""
        return self.hit / self.predicted if self.predicted else float("nan")


@dataclass(frozen=True, eq=False)
class LabelReport:
    """How a run did on a set of labels.

    Shape: `rows` are the scored items; `gold` and `predicted` have one
    entry a scored item, the number of its label, NONE where the reference
    or the prediction is no label. Unscored items are left out. `emptied`
    are labels of which the steps leave nothing: an empty answer is one.
    """

    labels: tuple[str, ...]
    rows: Counts
    gold: Counts
    predicted: Counts
    emptied: tuple[str, ...] = ()

    @cached_property
    def matrix(self) -> Counts:
        """Count items of label g (row) that chose label p (column).

        Shape: the last column counts invalid predictions; items whose
        references are no label are not in it.
        """
        counted: Counts = np.zeros((len(self.labels), len(self.labels) + 1), dtype=np.int64)
        known = self.gold != NONE
        predicted = np.where(self.predicted == NONE, len(self.labels), self.predicted)
        np.add.at(counted, (self.gold[known], predicted[known]), 1)
        return counted

    def cell(self, gold: int, predicted: int) -> Counts:
        """Give the items of a label that chose another one, or NONE; both are numbers of labels."""
        found: Counts = np.compress((self.gold == gold) & (self.predicted == predicted), self.rows)
        return found

    @property
    def scored(self) -> int:
        return len(self.rows)

    @cached_property
    def invalid(self) -> tuple[int, ...]:
        """Give the items whose prediction is none of the labels."""
        return tuple(self.rows[self.predicted == NONE].tolist())

    @cached_property
    def foreign(self) -> tuple[int, ...]:
        """Give the items whose references are none of the labels."""
        return tuple(self.rows[self.gold == NONE].tolist())

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
    def valid(self) -> int:
        """Count the items of the matrix whose prediction is a label."""
        return int(self.matrix[:, :-1].sum())

    @property
    def accuracy_of_valid(self) -> float:
        """Give the share of hits among valid predictions; NaN without any."""
        return self.hits / self.valid if self.valid else float("nan")

    @property
    def per_label(self) -> tuple[LabelRow, ...]:
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
    counted = scores.dataset.references.texts.array.value_counts()
    texts = [_text(value) for value in counted.field("values").to_pylist()]
    normalized = _through(texts, scores.preset.pipeline.on("reference"))
    spellings: dict[str, Counter[str]] = {}
    for raw, text, count in zip(texts, normalized, counted.field("counts").to_pylist(), strict=True):
        spellings.setdefault(text, Counter())[raw.strip()] += count
    if len(spellings) > MOST_LABELS:
        shown = ", ".join(repr(text) for text in list(spellings)[:5])
        raise ValueError(f"the references have {len(spellings)} distinct values ({shown} …); at most {MOST_LABELS} are labels, so give the labels yourself")
    ranked = sorted(spellings.values(), key=lambda counted: -counted.total())
    return tuple(counted.most_common(1)[0][0] for counted in ranked)


def _text(value: bytes | None) -> str:
    return "" if value is None else value.decode("utf-8", "surrogatepass")


def label_report(scores: Scores, labels: LabelSet | Sequence[str] | None = None) -> LabelReport:
    """Count predictions against references over a set of labels.

    Labels, references and predictions are compared after the steps of the
    preset. Of several references the one that was met counts, else the first.
    Raises: ValueError for fewer than two labels, or two that the steps make equal.
    """
    chosen = labels if isinstance(labels, LabelSet) else LabelSet(tuple(labels if labels is not None else derive_labels(scores)))
    rows = np.flatnonzero(scores.is_scored)
    on_prediction, on_reference = scores.preset.pipeline.on("prediction"), scores.preset.pipeline.on("reference")
    predicted = normalize(scores.dataset.predictions.take(rows), program_of(on_prediction, "whitespace")).texts()
    gold = _through([_gold(scores, row) for row in rows.tolist()], on_reference)
    allowed = _allowed(chosen, scores, rows.tolist())
    emptied = tuple(label for label, text in zip(chosen.labels, _through(chosen.labels, on_reference), strict=True) if not text)
    return LabelReport(chosen.labels, rows, _codes(gold, allowed), _codes(predicted, allowed), emptied)


def _codes(texts: Sequence[str], allowed: Iterable[dict[str, int]]) -> Counts:
    return np.fromiter((number.get(text, NONE) for text, number in zip(texts, allowed, strict=True)), dtype=np.int64, count=len(texts))


def _allowed(chosen: LabelSet, scores: Scores, rows: Sequence[int]) -> list[dict[str, int]]:
    """Give for every item its answers after the steps, with the number of their label."""
    if len(chosen.labels) < 2:
        raise ValueError(f"{len(chosen.labels)} label was given or found; at least two are needed")
    if chosen.options is None:
        return [_numbers(chosen.labels, scores)] * len(rows)
    steps, known = scores.preset.pipeline.on("reference"), dict[Options, dict[str, int]]()
    for options in {chosen.options[row] for row in rows}:
        texts = _through([text for text, _ in options], steps)
        # Of options that the steps make equal the first one counts.
        known[options] = {text: number for text, (_, number) in reversed(list(zip(texts, options, strict=True)))}
    return [known[chosen.options[row]] for row in rows]


def _numbers(labels: tuple[str, ...], scores: Scores) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for place, text in enumerate(_through(labels, scores.preset.pipeline.on("reference"))):
        if text in numbers:
            raise ValueError(f"the labels {labels[numbers[text]]!r} and {labels[place]!r} are equal after the steps of {scores.preset.name}: {text!r}")
        numbers[text] = place
    return numbers


def _gold(scores: Scores, row: int) -> str:
    references = scores.dataset.references[row]
    best = int(scores.best_em[row]) if scores.em[row] == 1 else 0
    return references[best] if 0 <= best < len(references) else ""


def _through(texts: Sequence[str], pipeline: Pipeline) -> list[str]:
    """Bring texts through the steps; a text that a step could not finish on is empty."""
    return normalize(Texts.of(texts), program_of(pipeline, "whitespace")).texts()
