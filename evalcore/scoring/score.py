"""Score a dataset under a preset."""

from collections.abc import Callable, Sequence

import numpy as np

from evalcore.dataset import Dataset
from evalcore.scoring.metrics import Counts, Floats, Overlap, best_of, measure, overlap_of
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import preset as preset_named
from evalcore.scoring.scores import Scores
from evalcore.text.rules import StepFailed
from evalcore.text.tokens import tokenizer

Progress = Callable[[int, int], None]
CHUNK = 8192  # Items a chunk: bounds memory and the wait between two calls of progress.


def score(
    predictions: Dataset | Sequence[str | None],
    references: Sequence[Sequence[str]] | None = None,
    preset: str | Preset = "squad_v1",
    progress: Progress | None = None,
) -> Scores:
    """Score predictions against references under a preset.

    `progress(done, items)` is called between chunks; what it raises stops the run.
    Raises: UnknownName for the preset; ValueError or TypeError for input that does not fit.

    >>> score(["The cat."], [["cat", "a dog"]]).em
    array([1.])
    """
    if isinstance(predictions, Dataset):
        if references is not None:
            raise TypeError("a Dataset brings its own references; give either a Dataset or two lists")
        dataset = predictions
    elif references is None:
        raise TypeError("references are missing: give one list of texts a prediction")
    else:
        dataset = Dataset.of(list(predictions), list(references))
    settings = preset_named(preset) if isinstance(preset, str) else preset
    return _Scoring(dataset, settings).run(progress or (lambda done, items: None))


class _Scoring:
    """One run over the items, in chunks."""

    def __init__(self, dataset: Dataset, preset: Preset) -> None:
        self.dataset = dataset
        self.preset = preset
        self.tokens = tokenizer(preset.tokenizer).tokens
        self.on_prediction = preset.pipeline.on("prediction")
        self.on_reference = preset.pipeline.on("reference")
        items = len(dataset)
        self.unscored = np.full(items, None, dtype=object)
        self.emptied = np.zeros(items, dtype=bool)
        self.floats = {name: np.full(items, np.nan) for name in ("em", "f1", "precision", "recall", "em_first")}
        self.counts = {name: np.zeros(items, dtype=np.int64) for name in ("common", "predicted", "gold")}
        self.best = {name: np.full(items, -1, dtype=np.int64) for name in ("best_em", "best_f1")}

    def run(self, progress: Progress) -> Scores:
        items = len(self.dataset)
        for start in range(0, items, CHUNK):
            progress(start, items)
            self._chunk(start, min(items, start + CHUNK))
        progress(items, items)
        return Scores(self.dataset, self.preset, **self.floats, **self.counts, **self.best, emptied=self.emptied, unscored=self.unscored)

    def _chunk(self, start: int, stop: int) -> None:
        predictions = self.dataset.predictions[start:stop].to_list()
        rows: list[int] = []
        pairs: list[tuple[str, str]] = []
        own: list[int] = []
        counts: list[int] = []
        for item, prediction in enumerate(predictions, start):
            try:
                gold = self._gold(item)
                if prediction is None and self._left_out(item):
                    continue
                text = self.on_prediction.apply(prediction or "")
            except StepFailed as error:
                self.unscored[item] = str(error)
                continue
            if not gold:
                self.unscored[item] = "no references"
                continue
            if prediction is None:
                self._count_as_wrong(item)
                continue
            self.emptied[item] = not text
            rows.append(item)
            counts.append(len(gold))
            pairs.extend((text, reference) for _, reference in gold)
            own.extend(index for index, _ in gold)
        if rows:
            self._store(np.array(rows), pairs, np.array(own), np.array(counts))

    def _gold(self, item: int) -> list[tuple[int, str]]:
        """Give the item's normalized references with their indexes, -1 for "no answer"."""
        if item in self.dataset.unscorable:
            raise StepFailed(self.dataset.unscorable[item])
        gold = [(index, self.on_reference.apply(text)) for index, text in enumerate(self.dataset.references[item])]
        if not gold:
            return [(-1, "")] if self.preset.no_references == "no_answer" else []
        if self.preset.empty_references == "drop":
            return [(index, text) for index, text in gold if text] or [(-1, "")]
        return gold

    def _left_out(self, item: int) -> bool:
        if self.preset.missing == "leave_out":
            self.unscored[item] = "no prediction"
        return self.preset.missing == "leave_out"

    def _count_as_wrong(self, item: int) -> None:
        for values in self.floats.values():
            values[item] = 0.0

    def _store(self, rows: Counts, pairs: list[tuple[str, str]], own: Counts, counts: Counts) -> None:
        """Reduce the pairs of a chunk to one row an item."""
        cut = [(self.tokens(prediction), self.tokens(reference)) for prediction, reference in pairs]
        overlap = Overlap(*(np.array(column, dtype=np.int64) for column in zip(*(overlap_of(p, g, self.preset.overlap) for p, g in cut), strict=True)))
        measures = measure(overlap, self.preset.empty)
        equal: Floats = np.array([prediction == reference for prediction, reference in pairs], dtype=np.float64)
        starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
        best_em, best_f1 = best_of(equal, starts, counts), best_of(measures.f1, starts, counts)
        self.floats["em"][rows] = equal[best_em]
        self.floats["em_first"][rows] = equal[starts]
        self.best["best_em"][rows] = own[best_em]
        self.best["best_f1"][rows] = own[best_f1]
        for name in ("f1", "precision", "recall"):
            self.floats[name][rows] = getattr(measures, name)[best_f1]
        for name in ("common", "predicted", "gold"):
            self.counts[name][rows] = getattr(overlap, name)[best_f1]


