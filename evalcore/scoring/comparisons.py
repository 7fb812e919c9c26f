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

from evalcore.scoring.matches import SIDE_MATCHES, SideMatch
from evalcore.scoring.metrics import Floats, Overlap, measure, overlap_of
from evalcore.scoring.overlap import token_overlap
from evalcore.scoring.pairs import Pairs, PairScores
from evalcore.scoring.preset import Preset
from evalcore.text.columns import Texts
from evalcore.text.drop import number_in
from evalcore.text.normalized import Normalized
from evalcore.text.steps import Side

YES_NO = frozenset(("yes", "no", "noanswer"))  # HotpotQA's answers that are right or wrong as a whole.

Rows = npt.NDArray[np.int64]


def compare_pairs(pairs: Pairs, preset: Preset) -> PairScores:
    """Score every pair by the rules of the preset."""
    scores = _with_overlap(pairs, preset)
    if preset.gate != "none":
        scores = _without_f1(scores, GATES[preset.gate](pairs, scores))
    if preset.match in MATCHES:
        scores = replace(scores, em=MATCHES[preset.match](pairs))
    if preset.no_answer_text != "none":
        scores = _met_letter_by_letter(scores, pairs, preset.no_answer_text)
    if not preset.has_em:
        scores = replace(scores, em=np.full(len(pairs), np.nan))
    if not preset.has_f1:
        none = np.full(len(pairs), np.nan)
        scores = replace(scores, f1=none, precision=none, recall=none)
    return scores


def _with_overlap(pairs: Pairs, preset: Preset) -> PairScores:
    """Count tokens compiled where both rules allow it, else in Python, once a distinct pair."""
    scores = token_overlap(pairs, preset)
    if preset.overlap == "run":
        predicted, gold = _lists(pairs.predictions), _lists(pairs.references)
    elif preset.tokens_from == "raw":
        predicted, gold = _raw_lists(pairs.raw_predictions, preset, "prediction"), _raw_lists(pairs.raw_references, preset, "reference")
    else:
        return scores
    counted = lru_cache(maxsize=None)(longest_common_run if preset.overlap == "run" else lambda p, g: overlap_of(p, g, preset.overlap)[0])
    sides = [(predicted[left], gold[right] if right >= 0 else ()) for left, right in _rows(pairs)]
    overlap = Overlap(*np.array([(counted(p, g), len(p), len(g)) for p, g in sides], dtype=np.int64).reshape(-1, 3).T)
    return PairScores(scores.em, *measure(overlap, preset.empty), *overlap)


def _rows(pairs: Pairs) -> "zip[tuple[int, int]]":
    return zip(pairs.prediction.tolist(), pairs.reference.tolist(), strict=True)


def _lists(column: Normalized) -> list[tuple[str, ...]]:
    return [tuple(column.tokens(row)) for row in range(len(column))]


def _raw_lists(texts: Texts, preset: Preset, side: Side) -> list[tuple[str, ...]]:
    cut = lru_cache(maxsize=None)(lambda text: tuple(preset.tokens(text, side)))
    return [cut(text or "") for text in texts]


def longest_common_run(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    """Count the tokens of the longest run that stands in both.

    >>> longest_common_run(("a", "b", "c", "d"), ("x", "b", "c", "a"))
    2
    """
    longest = 0
    ends = [0] * (len(second) + 1)
    for token in first:
        before = 0
        for place, other in enumerate(second, 1):
            here, ends[place] = ends[place], before + 1 if token == other else 0
            before = here
            longest = max(longest, ends[place])
    return longest


def holds_run(inside: list[str], run: list[str]) -> bool:
    """Tell whether a run of tokens stands in a list; the empty run always does.

    >>> holds_run(["new", "york", "city"], ["york", "city"]), holds_run(["new"], [])
    (True, True)
    """
    return any(inside[start : start + len(run)] == run for start in range(len(inside) - len(run) + 1))


def _by_text(holds: Callable[[str, str], bool]) -> Callable[[Pairs], Floats]:
    def match(pairs: Pairs) -> Floats:
        left, right = pairs.predictions.texts(), [*pairs.references.texts(), ""]
        return np.array([holds(left[p], right[r]) for p, r in _rows(pairs)], dtype=np.float64)

    return match


def _token_run(pairs: Pairs) -> Floats:
    left, right = (
        [pairs.predictions.tokens(row) for row in range(len(pairs.predictions))],
        [pairs.references.tokens(row) for row in range(len(pairs.references))],
    )
    return np.array([holds_run(left[p], right[r] if r >= 0 else []) for p, r in _rows(pairs)], dtype=np.float64)


def _spelled_in(prediction: str, reference: str) -> bool:
    return reference in prediction or reference.lower() in prediction or reference.capitalize() in prediction


def _by_sides(holds: SideMatch) -> Callable[[Pairs], Floats]:
    def match(pairs: Pairs) -> Floats:
        known = lru_cache(maxsize=None)(holds)
        return np.array([known(left, right) for left, right in pairs.sides()], dtype=np.float64)

    return match


MATCHES: Mapping[str, Callable[[Pairs], Floats]] = MappingProxyType(
    {
        "contains": _by_text(lambda prediction, reference: reference in prediction),
        "token_run": _token_run,
        "spelling": _by_text(_spelled_in),
        **{name: _by_sides(holds) for name, holds in SIDE_MATCHES.items()},
    }
)


def _yes_no(pairs: Pairs, scores: PairScores) -> npt.NDArray[np.bool_]:
    """Tell where one side is yes, no or noanswer, and the other is not the same."""
    left = np.array([text in YES_NO for text in pairs.predictions.texts()], dtype=bool)
    right = np.array([*(text in YES_NO for text in pairs.references.texts()), False], dtype=bool)
    closed: npt.NDArray[np.bool_] = (left[pairs.prediction] | right[pairs.reference]) & (scores.em == 0)
    return closed


def _numbers(pairs: Pairs, scores: PairScores) -> npt.NDArray[np.bool_]:
    """Tell where the reference has numbers and the prediction shares none of them."""
    closed = np.zeros(len(pairs), dtype=bool)
    numbers: dict[int, set[str]] = {}
    for pair in np.flatnonzero((scores.common > 0) & (scores.em == 0)).tolist():
        reference = int(pairs.reference[pair])
        if reference not in numbers:
            numbers[reference] = {token for token in pairs.references.tokens(reference) if number_in(token) is not None}
        closed[pair] = bool(numbers[reference]) and numbers[reference].isdisjoint(pairs.predictions.tokens(int(pairs.prediction[pair])))
    return closed


GATES: Mapping[str, Callable[[Pairs, PairScores], npt.NDArray[np.bool_]]] = MappingProxyType({"yes_no": _yes_no, "numbers": _numbers})


def _without_f1(scores: PairScores, closed: npt.NDArray[np.bool_]) -> PairScores:
    f1, precision, recall = (np.where(closed, 0.0, values) for values in (scores.f1, scores.precision, scores.recall))
    return replace(scores, f1=f1, precision=precision, recall=recall)


def _met_letter_by_letter(scores: PairScores, pairs: Pairs, no_answer: str) -> PairScores:
    """Score pairs whose raw reference is the "no answer" text by the raw prediction alone."""
    left = np.array([text == no_answer for text in pairs.raw_predictions], dtype=bool)[pairs.prediction]
    right = np.array([*(text == no_answer for text in pairs.raw_references), False], dtype=bool)[pairs.reference]
    em, f1, precision, recall = (np.where(right, left.astype(np.float64), values) for values in (scores.em, scores.f1, scores.precision, scores.recall))
    return replace(scores, em=em, f1=f1, precision=precision, recall=recall)
