"""Score a dataset under a preset.

A run goes over chunks of items. In each: both sides go through the
pipeline as columns; the rows that cannot be scored are told apart; the
references of the others are flattened to pairs; the preset's comparison
scores the pairs; its reference rule makes one row an item of them.
"""

from collections.abc import Mapping, Sequence
from threading import local
from typing import Any

import numpy as np

from evalcore.dataset import Dataset
from evalcore.scoring.chunks import Progress, run_chunks
from evalcore.scoring.comparisons import compare_pairs
from evalcore.scoring.formulas import FormulaWorker
from evalcore.scoring.metrics import Counts, Floats
from evalcore.scoring.pairs import Chunk, ItemScores, Pairs, has_no_reference, kept_references, pairs_of, unscored_reasons, wrong_rows
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import settings_of
from evalcore.scoring.references import REFERENCE_RULES, rounded
from evalcore.scoring.scores import Scores
from evalcore.text.normalized import Room, normalize
from evalcore.text.program import program_of
from evalcore.text.resources import MissingResource
from evalcore.text.rules import Budget

NO_SCORE = "the preset gives no score, it only shows what is extracted"


def score(
    predictions: Dataset | Sequence[str | None],
    references: Sequence[Sequence[str]] | None = None,
    preset: str | Preset = "squad_v1",
    progress: Progress | None = None,
    threads: int | None = None,
) -> Scores:
    """Score predictions against references under a preset.

    `progress(done, items)` is called between chunks; what it raises stops the run.
    `threads` is 2 where it is None; the numbers do not depend on it.
    Raises: UnknownName for the preset; MissingResource for a dictionary it needs; ValueError or TypeError for input that does not fit.

    >>> score(["The cat."], [["cat", "a dog"]]).em
    array([1.])
    """
    if isinstance(predictions, Dataset):
        if references is not None:
            raise TypeError("a Dataset brings its own references; give either a Dataset or two lists")
        dataset = predictions
    elif references is None:
        raise TypeError("references are missing: give one list of texts a prediction")
    elif isinstance(predictions, str):
        raise TypeError(f"the predictions are the text {predictions!r:.80}; a list of texts is needed, so write [{predictions!r:.40}]")
    else:
        dataset = Dataset.of(list(predictions), list(references))
    settings = settings_of(preset)
    require_resources(settings)
    return _Scoring(dataset, settings).run(progress or (lambda done, items: None), threads)


def require_resources(settings: Preset) -> None:
    """Check that all is installed that a preset needs.

    Raises: MissingResource saying what to install.
    """
    for resource in settings.missing_resources:
        raise MissingResource(resource, f"the preset {settings.name}")


class _Scoring:
    """One run over the items, in chunks."""

    def __init__(self, dataset: Dataset, preset: Preset) -> None:
        self.dataset = dataset
        self.preset = preset
        self.on_prediction = program_of(preset.pipeline.on("prediction"), preset.compiled_tokenizer)
        self.on_reference = program_of(preset.pipeline.on("reference"), preset.compiled_tokenizer)
        self.rooms = local()
        self.budget = Budget()
        self.formulas = FormulaWorker()
        items = len(dataset)
        self.unscored = np.full(items, None, dtype=object)
        self.emptied = np.zeros(items, dtype=bool)
        self.floats: dict[str, Floats] = {name: np.full(items, np.nan) for name in ("em", "f1", "precision", "recall", "em_first")}
        self.counts = {name: np.zeros(items, dtype=np.int64) for name in ("common", "predicted", "gold")}
        self.best = {name: np.full(items, -1, dtype=np.int64) for name in ("best_em", "best_f1")}

    def run(self, progress: Progress, threads: int | None) -> Scores:
        with self.formulas:
            run_chunks(self.dataset, self._score_chunk, progress, threads)
        if not (self.preset.has_em or self.preset.has_f1):
            self.unscored[[reason is None for reason in self.unscored]] = NO_SCORE
        columns: dict[str, Any] = {**self.floats, **self.counts, **self.best}
        return Scores(self.dataset, self.preset, emptied=self.emptied, unscored=self.unscored, **columns)

    def _room(self, column: str) -> Room:
        """Give this thread's memory for one column, used again for every chunk."""
        if not hasattr(self.rooms, column):
            setattr(self.rooms, column, Room(budget=self.budget))
        return getattr(self.rooms, column)  # type: ignore[no-any-return]

    def _score_chunk(self, start: int, stop: int) -> None:
        first, last = self.dataset.references.offsets[[start, stop]]
        predictions = normalize(self.dataset.predictions[start:stop], self.on_prediction, self._room("predictions"))
        references = normalize(self.dataset.references.texts[int(first) : int(last)], self.on_reference, self._room("references"))
        chunk = Chunk.of(self.dataset, start, stop, predictions, references)
        kept, wrong = kept_references(chunk, self.preset), wrong_rows(chunk, self.preset)
        reasons = unscored_reasons(chunk, self.preset, wrong, kept)
        for row, reason in reasons.items():
            self.unscored[start + row] = reason
        zero = wrong | has_no_reference(chunk, self.preset, kept)
        zero[list(reasons)] = False
        for name in self.preset.numbers:
            self.floats[name][start + np.flatnonzero(zero)] = 0.0
        pairs = pairs_of(chunk, kept, np.union1d(np.array(list(reasons), dtype=np.int64), np.flatnonzero(zero)))
        if len(pairs):
            scores = compare_pairs(pairs, self.preset, self.formulas)
            self._store(start + pairs.items, pairs, rounded(REFERENCE_RULES[self.preset.references](scores, pairs), self.preset.rounding))
            self._leave_unscored({start + int(pairs.items[group]): reason for group, reason in scores.failed.items()})

    def _leave_unscored(self, reasons: Mapping[int, str]) -> None:
        for row, reason in reasons.items():
            self.unscored[row] = reason
            for floats in self.floats.values():
                floats[row] = np.nan
            for numbers, none in (*((counts, 0) for counts in self.counts.values()), *((best, -1) for best in self.best.values())):
                numbers[row] = none

    def _store(self, rows: Counts, pairs: Pairs, scores: ItemScores) -> None:
        for name, values in (*self.floats.items(), *self.counts.items()):
            values[rows] = getattr(scores, name)
        for name, values in self.best.items():
            pair = getattr(scores, name)
            values[rows] = np.where(pair >= 0, pairs.own[pair], -1)
        self.emptied[rows] = pairs.predictions.lengths()[pairs.items] == 0
