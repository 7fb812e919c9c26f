"""Pairs: every prediction beside every one of its references, flat."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalcore.dataset import Dataset
from evalcore.scoring.extracted import extract
from evalcore.scoring.metrics import Counts, Floats
from evalcore.scoring.preset import Preset
from evalcore.text.columns import Texts
from evalcore.text.normalized import Normalized

NO_ANSWER = -1  # The index of a reference that is not in the data: the empty text.


class Side(NamedTuple):
    """One side of a pair: the text as it came and after the pipeline."""

    raw: str
    normalized: str


@dataclass(frozen=True)
class PairScores:
    """What a comparison found, one row a pair; scores 0..1, NaN where it has no such number.

    `failed` maps groups of pairs that could not be compared to the reason.
    """

    em: Floats
    f1: Floats
    precision: Floats
    recall: Floats
    common: Counts
    predicted: Counts
    gold: Counts
    failed: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ItemScores:
    """What a reference rule made of the pairs, one row an item.

    `best_em` and `best_f1` are rows of pairs, -1 where no single one decided.
    """

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


@dataclass(frozen=True)
class Pairs:
    """The pairs of some items of a chunk.

    Shape: `items[g]` is the row of group g in the chunk; it owns the pairs
    `starts[g]` .. `starts[g] + counts[g]`, at least one. `prediction` and
    `reference` are rows of the chunk's two columns, NO_ANSWER for the empty
    text; `own` is the index among the item's own references.
    """

    items: Counts
    starts: Counts
    counts: Counts
    prediction: Counts
    reference: Counts
    own: Counts
    predictions: Normalized
    references: Normalized
    raw_predictions: Texts
    raw_references: Texts

    def __len__(self) -> int:
        return len(self.prediction)

    def sides(self) -> list[tuple[Side, Side]]:
        """Give the texts of every pair, for comparisons in plain Python."""
        left = _sides(self.raw_predictions, self.predictions)
        right = [*_sides(self.raw_references, self.references), Side("", "")]
        return [(left[p], right[r]) for p, r in zip(self.prediction.tolist(), self.reference.tolist(), strict=True)]


def _sides(raw: Texts, normalized: Normalized) -> list[Side]:
    return [Side(before or "", after) for before, after in zip(raw.to_list(), normalized.texts(), strict=True)]


@dataclass(frozen=True)
class Chunk:
    """Some neighbouring items of a dataset, both sides through the pipeline.

    `offsets` are those of the references, starting at 0; `unscorable` maps
    rows of the chunk to the reason the data gave.
    """

    raw_predictions: Texts
    raw_references: Texts
    offsets: Counts
    predictions: Normalized
    references: Normalized
    unscorable: Mapping[int, str]

    @classmethod
    def of(cls, dataset: Dataset, start: int, stop: int, predictions: Normalized, references: Normalized) -> "Chunk":
        """Cut the rows start .. stop out of a dataset."""
        first, last = int(dataset.references.offsets[start]), int(dataset.references.offsets[stop])
        return cls(
            dataset.predictions[start:stop],
            dataset.references.texts[first:last],
            dataset.references.offsets[start : stop + 1] - first,
            predictions,
            references,
            {row - start: reason for row, reason in dataset.unscorable.items() if start <= row < stop},
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1


def kept_references(chunk: Chunk, preset: Preset) -> npt.NDArray[np.bool_]:
    """Tell for every reference whether the preset compares with it."""
    kept = np.ones(len(chunk.raw_references), dtype=bool)
    if preset.empty_references in ("drop", "drop_normalized_empty"):
        kept &= chunk.references.lengths() > 0
    if preset.empty_references == "drop_blank":
        kept &= ~is_blank(chunk.raw_references)
    if preset.no_answer_text != "none":
        kept &= _voted(chunk, np.array([text == preset.no_answer_text for text in chunk.raw_references], dtype=bool))
    return kept


def is_blank(texts: Texts) -> npt.NDArray[np.bool_]:
    """Tell for every text whether it is missing, empty or whitespace alone."""
    return np.array([not text or text.isspace() for text in texts], dtype=bool)


def _voted(chunk: Chunk, says_none: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Keep the answers of the majority: one "no answer", or all others."""
    counts = np.diff(chunk.offsets)
    item = np.repeat(np.arange(len(chunk)), counts)
    votes = np.bincount(item, weights=says_none, minlength=len(chunk))
    none_wins = 2 * votes >= counts
    first = np.zeros(len(says_none), dtype=bool)
    rows = np.flatnonzero(says_none)
    first[rows[np.unique(item[rows], return_index=True)[1]]] = True
    return np.where(none_wins[item], first, ~says_none)


def wrong_rows(chunk: Chunk, preset: Preset) -> npt.NDArray[np.bool_]:
    """Tell which rows score 0 without being compared."""
    missing = chunk.raw_predictions.is_null()
    wrong = missing & (preset.missing == "wrong")
    if preset.empty_prediction == "wrong_if_empty":
        wrong |= ~missing & (chunk.raw_predictions.byte_lengths() == 0)
    if preset.empty_prediction == "wrong_if_blank":
        wrong |= ~missing & is_blank(chunk.raw_predictions)
    if preset.empty_prediction == "wrong_if_nothing_left":
        wrong |= ~missing & (chunk.predictions.lengths() == 0)
    if preset.empty_prediction in ("wrong_if_nothing_found", "wrong_if_extracted_blank"):
        texts = chunk.raw_predictions.to_list()
        for row in chunk.predictions.failed:  # What took too long once would take as long again.
            texts[row] = None
        found = extract(texts, preset.pipeline)
        blank = preset.empty_prediction == "wrong_if_extracted_blank"
        wrong |= ~missing & np.array([text is None or (blank and not text.strip()) for text in found], dtype=bool)
    return wrong


def has_no_reference(chunk: Chunk, preset: Preset, kept: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Tell which rows score 0 because no reference is left to compare with."""
    item = np.repeat(np.arange(len(chunk)), np.diff(chunk.offsets))
    none: npt.NDArray[np.bool_] = np.bincount(item, weights=kept, minlength=len(chunk)) == 0
    return none & (preset.no_references == "zero")


def unscored_reasons(chunk: Chunk, preset: Preset, wrong: npt.NDArray[np.bool_], kept: npt.NDArray[np.bool_]) -> dict[int, str]:
    """Tell which rows cannot be scored, and why; the first reason that holds counts."""
    missing = chunk.raw_predictions.is_null()
    counts = np.diff(chunk.offsets)
    settled = wrong & ~missing & (preset.empty_prediction == "wrong_if_blank")
    reasons: dict[int, str] = {}
    if preset.no_references == "unscored":
        left = np.bincount(np.repeat(np.arange(len(chunk)), counts), weights=kept, minlength=len(chunk))
        if preset.empty_references == "drop_blank":
            reasons.update(dict.fromkeys(np.flatnonzero((left == 0) & ~settled).tolist(), "only blank references"))
        reasons.update(dict.fromkeys(np.flatnonzero((counts == 0) & ~settled).tolist(), "no references"))
    reasons.update({row: reason for row, reason in chunk.predictions.failed.items() if not missing[row]})
    if preset.missing == "leave_out":
        reasons.update(dict.fromkeys(np.flatnonzero(missing).tolist(), "no prediction"))
    for row, reason in sorted(chunk.references.failed.items(), reverse=True):
        reasons[int(np.searchsorted(chunk.offsets, row, side="right")) - 1] = reason
    reasons.update(chunk.unscorable)
    return reasons


def pairs_of(chunk: Chunk, kept_references: npt.NDArray[np.bool_], left_out: Counts) -> Pairs:
    """Flatten the kept references of all rows but those left out to pairs.

    Empty: an item left with none is paired with NO_ANSWER.
    """
    taken = np.ones(len(chunk), dtype=bool)
    taken[left_out] = False
    counts = np.diff(chunk.offsets)
    item = np.repeat(np.arange(len(chunk)), counts)
    reference = np.flatnonzero(taken[item] & kept_references)
    item = item[reference]
    left = np.bincount(item, minlength=len(chunk))
    bare = np.flatnonzero(taken & (left == 0))
    if len(bare):
        places = np.searchsorted(item, bare)
        item, reference = np.insert(item, places, bare), np.insert(reference, places, NO_ANSWER)
        left[bare] = 1
    items = np.flatnonzero(taken)
    counts = left[items]
    own = np.where(reference == NO_ANSWER, NO_ANSWER, reference - chunk.offsets[item])
    starts = np.cumsum(counts) - counts
    return Pairs(items, starts, counts, item, reference, own, chunk.predictions, chunk.references, chunk.raw_predictions, chunk.raw_references)
