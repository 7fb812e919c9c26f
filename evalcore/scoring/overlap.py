"""Exact match and token overlap of pairs."""

import numpy as np

from evalcore.scoring.metrics import Overlap, measure
from evalcore.scoring.pairs import Pairs, PairScores
from evalcore.scoring.preset import Preset
from evalcore.text.layout import Output, TokenTable
from evalcore.text.overlap_kernels import count_common, keep_distinct

LEAST_SLOTS = 1024


def token_overlap(pairs: Pairs, preset: Preset) -> PairScores:
    """Score every pair: EM is equality after normalization, F1 that of the tokens."""
    predictions, references = pairs.predictions.output, pairs.references.output
    if preset.overlap == "set":
        predictions, references = _distinct(predictions), _distinct(references)
    equal = np.zeros(len(pairs))
    counted = np.zeros((3, len(pairs)), dtype=np.int64)
    table, done = _table(LEAST_SLOTS), 0
    while (done := count_common(predictions, references, pairs.prediction, pairs.reference, table, done, equal, counted)) < len(pairs):
        table = _table(4 * len(table.stamps))
    overlap = Overlap(*counted)
    return PairScores(equal, *measure(overlap, preset.empty), *overlap)


def _distinct(output: Output) -> Output:
    """Give the same texts with each token once."""
    tokens = int(output.last.max(initial=0))
    once = output._replace(
        last=output.last.copy(),
        token_starts=output.token_starts[:tokens].copy(),
        token_ends=output.token_ends[:tokens].copy(),
        hashes=output.hashes[:tokens].copy(),
    )
    table, done = _table(LEAST_SLOTS), 0
    while (done := keep_distinct(once, done, table)) < len(output.first):
        table = _table(4 * len(table.stamps))
    return once


def _table(size: int) -> TokenTable:
    """Make an empty table of a power of two slots."""
    generation, stamps, tokens, counts, pair_stamps, used = (np.zeros(count, dtype=np.int64) for count in (1, *[size] * 5))
    return TokenTable(generation, stamps, tokens, counts, pair_stamps, used)
