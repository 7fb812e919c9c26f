"""Comparisons: what one pair of texts is worth.

Token overlap, the rule of most scorers, is compiled. Every other rule is a
plain function of the two sides of a pair, called once per distinct pair.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from evalcore.scoring.overlap import token_overlap
from evalcore.scoring.pairs import Pairs, PairScores, Side
from evalcore.scoring.preset import Preset


class PairScore(NamedTuple):
    """The worth of one pair; NaN where the scorer has no such number."""

    em: float
    f1: float
    precision: float
    recall: float
    common: int = 0
    predicted: int = 0
    gold: int = 0


Comparison = Callable[[Side, Side, Preset], PairScore]
COMPARISONS: Mapping[str, Comparison] = MappingProxyType({})


def compare_pairs(pairs: Pairs, preset: Preset) -> PairScores:
    """Score every pair by the comparison the preset names."""
    name = getattr(preset, "comparison", "overlap")
    if name == "overlap":
        return token_overlap(pairs, preset)
    compare = COMPARISONS[name]
    known: dict[tuple[Side, Side], PairScore] = {}
    scored: list[PairScore] = []
    for pair in pairs.sides():
        if pair not in known:
            known[pair] = compare(*pair, preset)
        scored.append(known[pair])
    table = np.array(scored, dtype=np.float64).reshape(len(scored), -1).T
    em, f1, precision, recall = table[:4]
    common, predicted, gold = table[4:].astype(np.int64)
    return PairScores(em, f1, precision, recall, common, predicted, gold)
