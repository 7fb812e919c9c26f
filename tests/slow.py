"""Scores the slow and obvious way: one text at a time, plain Python."""

from collections import Counter
from typing import NamedTuple

from evalcore.scoring.preset import Preset
from evalcore.text.rules import StepFailed
from evalcore.text.tokens import tokenizer


class SlowScore(NamedTuple):
    """One item's numbers; all None with a reason where it is unscored."""

    em: float | None
    f1: float | None
    precision: float | None
    recall: float | None
    counts: tuple[int, int, int]
    unscored: str | None = None


def slow_score(prediction: str | None, references: list[str], preset: Preset) -> SlowScore:
    """Score an item by the best reference, under presets whose rules are the plain ones."""
    left, right = preset.pipeline.on("prediction"), preset.pipeline.on("reference")
    try:
        gold = [right.apply(reference) for reference in references]
        if prediction is None and preset.missing == "leave_out":
            return _unscored("no prediction")
        text = left.apply(prediction or "")
    except StepFailed as error:
        return _unscored(str(error))
    if not gold and preset.no_references == "unscored":
        return _unscored("no references")
    if prediction is None:
        return SlowScore(0.0, 0.0, 0.0, 0.0, (0, 0, 0))
    if preset.empty_references == "drop":
        gold = [reference for reference in gold if reference]
    cut = tokenizer(preset.tokenizer).tokens
    found = [slow_overlap(cut(text), cut(reference), preset) for reference in gold or [""]]
    best = max(found, key=lambda pair: pair[0])
    return SlowScore(float(text in (gold or [""])), *best)


def _unscored(reason: str) -> SlowScore:
    return SlowScore(None, None, None, None, (0, 0, 0), reason)


def slow_overlap(predicted: list[str], gold: list[str], preset: Preset) -> tuple[float, float, float, tuple[int, int, int]]:
    """Give F1, precision, recall and the counts of common, predicted and gold tokens."""
    if preset.overlap == "set":
        predicted, gold = list(dict.fromkeys(predicted)), list(dict.fromkeys(gold))
    common = sum((Counter(predicted) & Counter(gold)).values())
    counts = (common, len(predicted), len(gold))
    if not predicted and not gold and preset.empty == "v2":
        return 1.0, 1.0, 1.0, counts
    if not common:
        return 0.0, 0.0, 0.0, counts
    precision, recall = common / len(predicted), common / len(gold)
    return (2 * precision * recall) / (precision + recall), precision, recall, counts
