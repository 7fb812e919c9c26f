"""Tokens as lists, for what no compiled kernel counts."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np

from evalcore.scoring.metrics import Counts, Floats, Overlap, overlap_of
from evalcore.scoring.pairs import Pairs
from evalcore.scoring.preset import Preset
from evalcore.text.steps import Side
from evalcore.text.tokens import tokenizer

Tokens = tuple[str, ...]
REMEMBERED = 65536  # Tokens whose normalized form is kept: words return, texts rarely do.


def listed_overlap(pairs: Pairs, preset: Preset) -> Overlap:
    """Count common, predicted and gold tokens of every pair, once a distinct pair."""
    predicted, gold = _both_sides(pairs, preset)
    count = lru_cache(maxsize=None)(longest_common_run if preset.overlap == "run" else lambda p, g: overlap_of(p, g, preset.overlap)[0])
    size = len if preset.overlap != "set" else lambda tokens: len(set(tokens))
    sides = [(predicted[left], gold[right] if right >= 0 else ()) for left, right in zip(pairs.prediction.tolist(), pairs.reference.tolist(), strict=True)]
    counted = [(count(left, right), size(left), size(right)) for left, right in sides]
    return Overlap(*np.array(counted, dtype=np.int64).reshape(-1, 3).T)


def token_run(pairs: Pairs, preset: Preset) -> Floats:
    """Tell for every pair whether the reference's tokens stand in the prediction, one after the other."""
    predicted, gold = _both_sides(pairs, preset)
    sides = zip(pairs.prediction.tolist(), pairs.reference.tolist(), strict=True)
    return np.array([holds_run(predicted[left], gold[right] if right >= 0 else ()) for left, right in sides], dtype=np.float64)


def same_items(pairs: Pairs, preset: Preset) -> Floats:
    """Tell for every pair whether both sides have the same tokens, in any order and number."""
    predicted, gold = ([frozenset(tokens) for tokens in side] for side in _both_sides(pairs, preset))
    sides = zip(pairs.prediction.tolist(), pairs.reference.tolist(), strict=True)
    return np.array([predicted[left] == (gold[right] if right >= 0 else frozenset()) for left, right in sides], dtype=np.float64)


def _both_sides(pairs: Pairs, preset: Preset) -> tuple[list[Tokens], list[Tokens]]:
    if preset.tokens_from == "raw":
        left = _cut_raw(pairs.raw_predictions, pairs.prediction, preset, "prediction")
        return left, _cut_raw(pairs.raw_references, pairs.reference, preset, "reference")
    return _cut(pairs.predictions.texts(), preset), _cut(pairs.references.texts(), preset)


def _cut(texts: Iterable[str], preset: Preset) -> list[Tokens]:
    tokens = tokenizer(preset.tokenizer).tokens
    cut = lru_cache(maxsize=None)(lambda text: tuple(tokens(text)))
    return [cut(text) for text in texts]


def _cut_raw(texts: Iterable[str | None], used: Counts, preset: Preset, side: Side) -> list[Tokens]:
    """Cut the texts of the rows that are compared; the steps did not finish on some of the others."""
    tokens, clean = tokenizer(preset.tokenizer).tokens, lru_cache(maxsize=REMEMBERED)(preset.pipeline.on(side).apply_or_none)
    compared = frozenset(used.tolist())
    cut = lru_cache(maxsize=None)(lambda text: tuple(filter(None, map(clean, tokens(text)))))
    return [cut(text or "") if row in compared else () for row, text in enumerate(texts)]


def longest_common_run(first: Tokens, second: Tokens) -> int:
    """Count the tokens of the longest run that stands in both.

    >>> longest_common_run(("a", "b", "c", "d"), ("x", "b", "c", "a"))
    2
    """
    return len(common_run(first, second))


def common_run(first: Sequence[str], second: Sequence[str]) -> Sequence[str]:
    """Give the longest run that stands in both, the earliest of equals.

    >>> common_run("abcd", "xbca")
    'bc'
    """
    start, _, size = SequenceMatcher(None, first, second, autojunk=False).find_longest_match()
    return first[start : start + size]


def holds_run(inside: Tokens, run: Tokens) -> bool:
    """Tell whether a run of tokens stands in a list; the empty run always does.

    >>> holds_run(("new", "york", "city"), ("york", "city")), holds_run(("new",), ())
    (True, True)
    """
    if not run:
        return True
    return run[0] in inside and any(inside[start : start + len(run)] == run for start in range(len(inside) - len(run) + 1))
