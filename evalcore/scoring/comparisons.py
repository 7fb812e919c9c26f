"""Comparisons: what one pair of texts is worth.

Equality and token overlap, the rules of most scorers, are compiled. Other
rules are plain functions of the two texts or of their tokens, and gates
that take away what overlap gave.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from evalcore.scoring.formulas import FORMULA_MATCHES, FormulaWorker, formula_hits
from evalcore.scoring.matches import SIDE_MATCHES, SideMatch
from evalcore.scoring.metrics import Floats, measure
from evalcore.scoring.overlap import token_overlap
from evalcore.scoring.pairs import Pairs, PairScores
from evalcore.scoring.preset import Preset
from evalcore.scoring.token_lists import listed_overlap, same_items, token_run
from evalcore.scoring.tolerance import within
from evalcore.text.drop import is_number
from evalcore.text.tokens import tokenizer

YES_NO = frozenset(("yes", "no", "noanswer"))  # HotpotQA's answers that are right or wrong as a whole.

Match = Callable[[Pairs, Preset], Floats]


def compare_pairs(pairs: Pairs, preset: Preset, worker: FormulaWorker | None = None) -> PairScores:
    """Score every pair by the rules of the preset; `worker` compares formulas, where the match is one of them."""
    scores = _with_overlap(pairs, preset)
    if preset.gate != "none":
        scores = _without_f1(scores, GATES[preset.gate](pairs, scores, preset))
    if preset.match in MATCHES:
        scores = replace(scores, em=MATCHES[preset.match](pairs, preset))
    if preset.match in FORMULA_MATCHES and worker is not None:
        em, failed = formula_hits(pairs, preset.match, worker)
        scores = replace(scores, em=em, failed=failed)
    if preset.no_answer_text != "none":
        scores = _met_letter_by_letter(scores, pairs, preset.no_answer_text)
    if not preset.has_em:
        scores = replace(scores, em=np.full(len(pairs), np.nan))
    if not preset.has_f1:
        none = np.full(len(pairs), np.nan)
        scores = replace(scores, f1=none, precision=none, recall=none)
    return scores


def _with_overlap(pairs: Pairs, preset: Preset) -> PairScores:
    """Count tokens compiled where the rules allow it, else as lists."""
    scores = token_overlap(pairs, preset)
    if not preset.lists_tokens or not preset.has_f1:
        return scores
    overlap = listed_overlap(pairs, preset)
    return PairScores(scores.em, *measure(overlap, preset.empty), *overlap)


def _rows(pairs: Pairs) -> "zip[tuple[int, int]]":
    return zip(pairs.prediction.tolist(), pairs.reference.tolist(), strict=True)


def _by_text(holds: Callable[[str, str], bool]) -> Match:
    def match(pairs: Pairs, preset: Preset) -> Floats:
        left, right = pairs.predictions.texts(), [*pairs.references.texts(), ""]
        return np.array([holds(left[p], right[r]) for p, r in _rows(pairs)], dtype=np.float64)

    return match


def _spelled_in(prediction: str, reference: str) -> bool:
    return reference in prediction or reference.lower() in prediction or reference.capitalize() in prediction


def _by_sides(holds: SideMatch) -> Match:
    def match(pairs: Pairs, preset: Preset) -> Floats:
        known = lru_cache(maxsize=None)(holds)
        return np.array([known(left, right) for left, right in pairs.sides()], dtype=np.float64)

    return match


def _numbers_within(pairs: Pairs, preset: Preset) -> Floats:
    return _by_sides(lambda left, right: within(left.normalized, right.normalized, preset.tolerance))(pairs, preset)


MATCHES: Mapping[str, Match] = MappingProxyType(
    {
        "contains": _by_text(lambda prediction, reference: reference in prediction),
        "token_run": token_run,
        "same_items": same_items,
        "number": _numbers_within,
        "spelling": _by_text(_spelled_in),
        **{name: _by_sides(holds) for name, holds in SIDE_MATCHES.items()},
    }
)


def _yes_no(pairs: Pairs, scores: PairScores, preset: Preset) -> npt.NDArray[np.bool_]:
    """Tell where one side is yes, no or noanswer, and the other is not the same."""
    left = np.array([text in YES_NO for text in pairs.predictions.texts()], dtype=bool)
    right = np.array([*(text in YES_NO for text in pairs.references.texts()), False], dtype=bool)
    closed: npt.NDArray[np.bool_] = (left[pairs.prediction] | right[pairs.reference]) & (scores.em == 0)
    return closed


def _numbers(pairs: Pairs, scores: PairScores, preset: Preset) -> npt.NDArray[np.bool_]:
    """Tell where the reference has numbers and the prediction shares none of them."""
    cut = tokenizer(preset.tokenizer).tokens
    numbers = lru_cache(maxsize=None)(lambda text: frozenset(token for token in cut(text) if is_number(token)))
    left, right = pairs.predictions.texts(), pairs.references.texts()
    closed = np.zeros(len(pairs), dtype=bool)
    for pair in np.flatnonzero((scores.common > 0) & (scores.em == 0)).tolist():
        wanted = numbers(right[int(pairs.reference[pair])])
        closed[pair] = bool(wanted) and wanted.isdisjoint(numbers(left[int(pairs.prediction[pair])]))
    return closed


GATES: Mapping[str, Callable[[Pairs, PairScores, Preset], npt.NDArray[np.bool_]]] = MappingProxyType({"yes_no": _yes_no, "numbers": _numbers})


def _without_f1(scores: PairScores, closed: npt.NDArray[np.bool_]) -> PairScores:
    f1, precision, recall = (np.where(closed, 0.0, values) for values in (scores.f1, scores.precision, scores.recall))
    return replace(scores, f1=f1, precision=precision, recall=recall)


def _met_letter_by_letter(scores: PairScores, pairs: Pairs, no_answer: str) -> PairScores:
    """Score pairs whose raw reference is the "no answer" text by the raw prediction alone."""
    left = np.array([text == no_answer for text in pairs.raw_predictions], dtype=bool)[pairs.prediction]
    right = np.array([*(text == no_answer for text in pairs.raw_references), False], dtype=bool)[pairs.reference]
    em, f1, precision, recall = (np.where(right, left.astype(np.float64), values) for values in (scores.em, scores.f1, scores.precision, scores.recall))
    return replace(scores, em=em, f1=f1, precision=precision, recall=recall)
