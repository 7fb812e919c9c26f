"""Scores: one row an item, and their summary."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.dataset import Dataset
from evalcore.scoring.answers import answers
from evalcore.scoring.metrics import Counts, Floats, sequential_sum
from evalcore.scoring.preset import Preset
from evalcore.text.rules import ran_out

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Summary:
    """Aggregates of a run; means are 0..1 over the scored items, NaN when there are none.

    `unscored` counts items by reason. `missing` counts missing
    predictions, whether left out or counted as wrong; `empty` predictions
    that are the empty text; `emptied` those with nothing left after
    normalization.
    """

    items: int
    scored: int
    unscored: Mapping[str, int]
    exact: int
    em: float
    f1: float
    precision: float
    recall: float
    em_first_reference: float
    missing: int
    empty: int
    emptied: int
    scale: int
    signature: str


@dataclass(frozen=True, eq=False)
class Scores:
    """The score of every item of a dataset under a preset.

    Shape: one row an item. `em`, `f1`, `precision`, `recall`, `em_first`
    are 0..1, NaN where unscored or where the preset has no such number;
    `em_first` looks at the first reference only. `common`, `predicted`,
    `gold` count tokens against the reference that is best for F1. `best_em` and `best_f1` index the item's own
    references, -1 where the reference is "no answer" or the item is
    unscored. `emptied`: nothing is left of the prediction.
    """

    dataset: Dataset
    preset: Preset
    em: Floats
    f1: Floats
    precision: Floats
    recall: Floats
    em_first: Floats
    common: Counts
    predicted: Counts
    gold: Counts
    best_em: Counts
    best_f1: Counts
    emptied: Flags
    unscored: npt.NDArray[np.object_]

    def __len__(self) -> int:
        return len(self.em)

    @property
    def score(self) -> Floats:
        """Give the preset's headline number an item: its EM or containment, else its F1."""
        return self.em if self.preset.headline == "em" else self.f1

    @property
    def signature(self) -> str:
        """Give one line that says how the numbers were made."""
        return self.preset.signature

    @property
    def extracted(self) -> list[str | None]:
        """Give what extraction cut out of each prediction, None where it found nothing; without an extraction step the prediction itself."""
        slow = frozenset(self.slow)
        return answers(self.dataset, self.preset, self.em, self.best_em, slow)

    @cached_property
    def slow(self) -> tuple[int, ...]:
        """Give the rows on which a pattern needed too long."""
        return tuple(row for row in np.flatnonzero(~self.is_scored).tolist() if ran_out(self.unscored[row]))

    @cached_property
    def is_scored(self) -> Flags:
        """Tell for every item whether it has a score."""
        return ~np.isnan(self.score)

    def summary(self) -> Summary:
        """Give the aggregates."""
        return self._summary

    @cached_property
    def _summary(self) -> Summary:
        scored = int(self.is_scored.sum())

        def mean(values: Floats) -> float:
            return sequential_sum(values[self.is_scored]) / scored if scored else float("nan")

        predictions = self.dataset.predictions
        missing = predictions.is_null()
        return Summary(
            items=len(self),
            scored=scored,
            unscored=dict(Counter(reason for reason in self.unscored[~self.is_scored]).most_common()),
            exact=int((self.em == 1).sum()),
            em=mean(self.em),
            f1=mean(self.f1),
            precision=mean(self.precision),
            recall=mean(self.recall),
            em_first_reference=mean(self.em_first),
            missing=int(missing.sum()),
            empty=int(((predictions.byte_lengths() == 0) & ~missing).sum()),
            emptied=int((self.emptied & self.is_scored).sum()),
            scale=self.preset.scale,
            signature=self.signature,
        )
