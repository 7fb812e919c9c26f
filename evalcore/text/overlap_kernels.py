"""Compiled kernels: tokens against tokens, and the best of several.

Every token is looked up once in an open-addressing table, so the time
grows with the number of tokens, in short texts and in long ones. Equal
hashes are not trusted: the tokens themselves are compared.

A module of kernels uses no compiled function or constant of another one:
the cache on disk looks only at the file a kernel stands in.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.text.compiled import kernel
from evalcore.text.layout import Cells, Codes, Counts, Output, TokenTable

Int = Any  # An int when compiled, a NumPy integer when not.


at = np.uintp  # Unsigned indexes spare a test for negative ones at every access.


@kernel
def same_codes(left: Codes, start: Int, end: Int, right: Codes, first: Int, last: Int) -> bool:
    """Tell whether two spans of code points are equal."""
    if end - start != last - first:
        return False
    same = True
    for index in range(end - start):
        if left[at(start + index)] != right[at(first + index)]:
            same = False
            break
    return same


@kernel
def find_token(
    stamps: Counts,
    known: Counts,
    generation: Int,
    mask: Int,
    codes: Codes,
    token_starts: Counts,
    token_ends: Counts,
    hashes: Cells,
    value: Int,
    other: Codes,
    start: Int,
    end: Int,
) -> Int:
    """Find the slot of the token other[start:end] with this hash among the known ones, or the free slot where it belongs."""
    slot = value & mask
    while stamps[at(slot)] == generation:
        token = at(known[at(slot)])
        if hashes[token] == value and same_codes(codes, token_starts[token], token_ends[token], other, start, end):
            return slot
        slot = (slot + 1) & mask
    return slot


@kernel
def table_mask(tokens: Int, room: Int) -> Int:
    """Give the mask of a table with at least two slots a token, -1 when there is no room for it."""
    size = 16
    while size < 2 * tokens:
        size *= 2
    return size - 1 if size <= room else -1


@kernel
def keep_distinct(output: Output, start: Int, table: TokenTable) -> Int:
    """Keep only the first of equal tokens in every row from `start` on; give the row it stopped at for want of room."""
    codes, token_starts, token_ends, hashes = output.codes, output.token_starts, output.token_ends, output.hashes
    stamps, known = table.stamps, table.tokens
    generation = table.generation[0]
    row = start
    while row < output.first.shape[0]:
        first, last = output.first[row], output.last[row]
        mask = table_mask(last - first, stamps.shape[0])
        if mask < 0:
            break
        generation += 1
        kept = first
        for token in range(first, last):
            begin, stop, value = token_starts[at(token)], token_ends[at(token)], np.int64(hashes[at(token)])
            slot = find_token(stamps, known, generation, mask, codes, token_starts, token_ends, hashes, value, codes, begin, stop)
            if stamps[at(slot)] != generation:
                stamps[at(slot)] = generation
                known[at(slot)] = kept
                token_starts[at(kept)] = begin
                token_ends[at(kept)] = stop
                hashes[at(kept)] = value
                kept += 1
        output.last[row] = kept
        row += 1
    table.generation[0] = generation
    return row


@kernel
def enter_tokens(
    table: TokenTable, generation: Int, mask: Int, codes: Codes, token_starts: Counts, token_ends: Counts, hashes: Cells, first: Int, last: Int
) -> None:
    """Enter the tokens first .. last of a prediction with how often each stands there."""
    stamps, known, counts, pair_stamps = table.stamps, table.tokens, table.counts, table.pair_stamps
    for token in range(first, last):
        value, start, end = np.int64(hashes[at(token)]), token_starts[at(token)], token_ends[at(token)]
        slot = find_token(stamps, known, generation, mask, codes, token_starts, token_ends, hashes, value, codes, start, end)
        if stamps[at(slot)] != generation:
            stamps[at(slot)] = generation
            known[at(slot)] = token
            counts[at(slot)] = 0
            pair_stamps[at(slot)] = -1
        counts[at(slot)] += 1


@kernel
def take_token(counts: Counts, pair_stamps: Counts, used: Counts, slot: Int, pair: Int) -> Int:
    """Take one of a prediction's tokens for a pair: 1, or 0 when as many were taken as there are."""
    if pair_stamps[at(slot)] != pair:
        pair_stamps[at(slot)] = pair
        used[at(slot)] = 0
    if used[at(slot)] >= counts[at(slot)]:
        return 0
    used[at(slot)] += 1
    return 1


@kernel
def count_common(
    predictions: Output,
    references: Output,
    prediction: Counts,
    reference: Counts,
    table: TokenTable,
    start: Int,
    equal: npt.NDArray[np.float64],
    counted: Counts,
) -> Int:
    """Compare pairs from `start` on: equality, and common, predicted and gold tokens as bags.

    Gives the pair it stopped at for want of room in the table. The table
    keeps the tokens of a prediction while its references pass by.
    """
    codes, token_starts, token_ends, hashes = predictions.codes, predictions.token_starts, predictions.token_ends, predictions.hashes
    gold_codes, gold_starts, gold_ends, gold_hashes = references.codes, references.token_starts, references.token_ends, references.hashes
    stamps, known, counts, pair_stamps, used = table.stamps, table.tokens, table.counts, table.pair_stamps, table.used
    text_starts, text_ends, gold_text_starts, gold_text_ends = predictions.starts, predictions.ends, references.starts, references.ends
    generation = table.generation[0]
    inside: Int = -1
    mask: Int = 0
    pair = start
    while pair < prediction.shape[0]:
        left, right = prediction[pair], reference[pair]
        first, last = predictions.first[left], predictions.last[left]
        counted[1, pair] = last - first
        if right < 0:
            equal[pair] = 1.0 if text_starts[left] == text_ends[left] else 0.0
            pair += 1
            continue
        gold_first, gold_last = references.first[right], references.last[right]
        counted[2, pair] = gold_last - gold_first
        if same_codes(codes, text_starts[left], text_ends[left], gold_codes, gold_text_starts[right], gold_text_ends[right]):
            equal[pair] = 1.0
            counted[0, pair] = last - first
            pair += 1
            continue
        if inside != left:
            mask = table_mask(last - first, stamps.shape[0])
            if mask < 0:
                break
            generation, inside = generation + 1, left
            enter_tokens(table, generation, mask, codes, token_starts, token_ends, hashes, first, last)
        common: Int = 0
        for token in range(gold_first, gold_last):
            value, begin, stop = np.int64(gold_hashes[at(token)]), gold_starts[at(token)], gold_ends[at(token)]
            slot = find_token(stamps, known, generation, mask, codes, token_starts, token_ends, hashes, value, gold_codes, begin, stop)
            if stamps[at(slot)] == generation:
                common += take_token(counts, pair_stamps, used, slot, pair)
        counted[0, pair] = common
        pair += 1
    table.generation[0] = generation
    return pair


@kernel
def first_best(values: npt.NDArray[np.float64], starts: Counts, counts: Counts) -> Counts:
    """Give the row of the first best value of every group, the first row where none is a number."""
    best = np.empty(starts.shape[0], dtype=np.int64)
    for group in range(starts.shape[0]):
        found = starts[group]
        for row in range(starts[group] + 1, starts[group] + counts[group]):
            if values[row] > values[found]:
                found = row
        best[group] = found
    return best
