"""Compiled kernels that decode UTF-8: to code points, or straight to a normalized text and its tokens.

A module of kernels uses no compiled function or constant of another one:
the cache on disk looks only at the file a kernel stands in.
"""

from typing import Any

import numpy as np

from evalcore.text.compiled import kernel
from evalcore.text.layout import Bytes, Cells, Codes, Counts, Output

Int = Any  # An int when compiled, a NumPy integer when not.
DELETED, UNKNOWN = -1, -2  # Cells of a direct table that write nothing; a smaller one has no page yet.
CODE = (1 << 21) - 1  # The part of a direct cell that says what is written.
JOINS_AT, TOKEN_AT, SPACE_AT, PARTED_AT = 21, 22, 23, 24  # Where it says: joins its neighbours, is of a token, is squeezed, stands between spaces.
SPACE = 32

at = np.uintp  # Unsigned indexes spare a test for negative ones at every access.


@kernel
def decode_character(data: Bytes, index: Int) -> tuple[Int, Int]:
    """Decode the character at an index; give its code, -1 where it is none, and the index after it."""
    lead = np.int64(data[at(index)])
    if lead < 0x80:
        return lead, index + 1
    more = 1 + (lead >= 0xE0) + (lead >= 0xF0)
    if lead < 0xC2 or lead >= 0xF5 or index + more >= data.shape[0]:
        return -1, index
    second = np.int64(data[at(index + 1)])
    third = np.int64(data[at(index + 2)]) if more >= 2 else 0x80
    fourth = np.int64(data[at(index + 3)]) if more == 3 else 0x80
    if (second | third | fourth) & 0xC0 != 0x80 or (second & third & fourth) & 0x80 == 0:
        return -1, index
    code: Int
    if more == 1:
        code = (lead & 0x1F) << 6 | second & 0x3F
    elif more == 2:
        code = (lead & 0x0F) << 12 | (second & 0x3F) << 6 | third & 0x3F
    else:
        code = (lead & 0x07) << 18 | (second & 0x3F) << 12 | (third & 0x3F) << 6 | fourth & 0x3F
    if code < (0x80, 0x800, 0x10000)[more - 1] or code > 0x10FFFF:
        return -1, index
    return code, index + more + 1


@kernel
def decode_text(data: Bytes, codes: Codes) -> Int:
    """Decode bytes to code points, lone surrogates in their three-byte form included; give their number, -1 for other bytes."""
    index: Int = 0
    end = 0
    while index < data.shape[0]:
        code, index = decode_character(data, index)
        if code < 0:
            return -1
        codes[at(end)] = code
        end += 1
    return end


@kernel
def decode_rows(data: Bytes, starts: Counts, ends: Counts, rows: Counts, codes: Codes, code_starts: Counts, code_ends: Counts) -> Int:
    """Decode rows one after the other into `codes`; give the row that is no UTF-8, or -1."""
    place = 0
    for row in rows:
        source = data[starts[row] : ends[row]]
        size = source.shape[0]
        target = codes[place : place + size]
        together = np.int64(0)
        for index in range(size):
            together |= np.int64(source[index])
        length = size
        if together < 128:
            for index in range(size):
                target[index] = source[index]
        else:
            length = decode_text(source, target)
            if length < 0:
                return row
        code_starts[row] = place
        place += length
        code_ends[row] = place
    return -1


@kernel
def normalize_direct(
    data: Bytes,
    starts: Counts,
    ends: Counts,
    rows: Counts,
    table: Int,
    pages: Cells,
    cells: Cells,
    output: Output,
    place: Counts,
    pending: Counts,
    missing: Counts,
) -> tuple[Int, Int]:
    """Decode, map, squeeze and cut texts in one pass; give how many rows are left pending, and how many entries of `missing` are set.

    A cell says all that a program does to its character, but for squeezing:
    of a run of spaces the first is written, those around a parted character
    included, which takes three bytes at least. A row with another character,
    or without room for as many tokens as it has bytes, is left pending;
    pages that are not filled yet are named. `place` is where the next text
    and the next token are written; the output has room for all texts.
    """
    codes, token_starts, token_ends, hashes = output.codes, output.token_starts, output.token_ends, output.hashes
    start, number, waiting, asked = place[0], place[1], 0, 0
    for row in rows:
        source = data[starts[row] : ends[row]]
        size = source.shape[0]
        end: Int = start
        begin: Int = start
        token: Int = number
        value: Int = 0
        in_token: Int = 0
        joins: Int = 0
        spaced: Int = 1  # A text begins as if after a space, so that leading ones vanish.
        index: Int = 0
        known = token + size < hashes.shape[0]
        while index < size:
            code, index = decode_character(source, index)
            if code < 0:
                known = False
                break
            cell = np.int64(cells[at((np.int64(pages[at(table), at(code >> 8)]) << 8) | (code & 255))])
            if cell == DELETED:
                continue
            if cell < UNKNOWN and asked < missing.shape[0]:
                missing[asked] = code >> 8
                asked += 1
            known = known and cell >= 0
            if not known:
                continue
            if cell >> PARTED_AT:
                if not spaced:
                    token_starts[at(token)], token_ends[at(token)], hashes[at(token)] = begin, end, value
                    token += in_token
                    codes[at(end)] = SPACE
                    end += 1
                token_starts[at(token)], token_ends[at(token)], hashes[at(token)] = end, end + 1, ((cell & CODE) * 16777619) & 0x7FFFFFFF
                token += (cell >> TOKEN_AT) & 1
                codes[at(end)], codes[at(end + 1)] = cell & CODE, SPACE
                end += 2
                in_token, joins, spaced = 0, 0, 1
                continue
            space = (cell >> SPACE_AT) & 1
            if space & spaced:
                continue
            spaced = space
            goes_on = joins & (cell >> JOINS_AT) & 1
            token_starts[at(token)], token_ends[at(token)], hashes[at(token)] = begin, end, value
            token += in_token & (1 - goes_on)
            begin = begin if goes_on else end
            value = (((value if goes_on else 0) ^ (cell & CODE)) * 16777619) & 0x7FFFFFFF
            in_token, joins = (cell >> TOKEN_AT) & 1, (cell >> JOINS_AT) & 1
            codes[at(end)] = cell & CODE
            end += 1
        if not known:
            pending[waiting] = row
            waiting += 1
            continue
        token_starts[at(token)], token_ends[at(token)], hashes[at(token)] = begin, end, value
        token += in_token
        end -= spaced & np.int64(end > start)
        output.starts[row], output.ends[row], output.first[row], output.last[row] = start, end, number, token
        start, number = end, token
    place[0], place[1] = start, number
    return waiting, asked
