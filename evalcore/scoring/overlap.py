"""Exact match and token overlap of pairs."""

import numpy as np

from evalcore.scoring.metrics import Overlap, measure, overlap_of
from evalcore.scoring.pairs import Pairs, PairScores
from evalcore.scoring.preset import Preset
from evalcore.text.tokens import tokenizer


def token_overlap(pairs: Pairs, preset: Preset) -> PairScores:
    """Score every pair: EM is equality after normalization, F1 that of the tokens."""
    tokens = tokenizer(preset.tokenizer).tokens
    sides = [(left.normalized, right.normalized) for left, right in pairs.sides()]
    counted = [overlap_of(tokens(left), tokens(right), preset.overlap) for left, right in sides]
    overlap = Overlap(*np.array(counted, dtype=np.int64).reshape(-1, 3).T)
    equal = np.array([left == right for left, right in sides], dtype=np.float64)
    return PairScores(equal, *measure(overlap, preset.empty), *overlap)
