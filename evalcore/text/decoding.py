"""The compiled kernel that decodes UTF-8 to code points.

A module of kernels uses no compiled function or constant of another one:
the cache on disk looks only at the file a kernel stands in.
"""

from typing import Any

import numpy as np

from evalcore.text.compiled import kernel
from evalcore.text.layout import Bytes, Codes, Counts

Int = Any  # An int when compiled, a NumPy integer when not.
at = np.uintp  # Unsigned indexes spare a test for negative ones at every access.


@kernel
def decode_text(data: Bytes, codes: Codes) -> Int:
    """Decode bytes to code points, lone surrogates in their three-byte form included; give their number, -1 for other bytes."""
    size = data.shape[0]
    index: Int = 0
    end = 0
    while index < size:
        lead = np.int64(data[at(index)])
        if lead < 0x80:
            codes[at(end)] = lead
            end += 1
            index += 1
            continue
        more = 1 + (lead >= 0xE0) + (lead >= 0xF0)
        if lead < 0xC2 or lead >= 0xF5 or index + more >= size:
            return -1
        second = np.int64(data[at(index + 1)])
        third = np.int64(data[at(index + 2)]) if more >= 2 else 0x80
        fourth = np.int64(data[at(index + 3)]) if more == 3 else 0x80
        if (second | third | fourth) & 0xC0 != 0x80 or (second & third & fourth) & 0x80 == 0:
            return -1
        code: Int
        if more == 1:
            code = (lead & 0x1F) << 6 | second & 0x3F
        elif more == 2:
            code = (lead & 0x0F) << 12 | (second & 0x3F) << 6 | third & 0x3F
        else:
            code = (lead & 0x07) << 18 | (second & 0x3F) << 12 | (third & 0x3F) << 6 | fourth & 0x3F
        if code < (0x80, 0x800, 0x10000)[more - 1] or code > 0x10FFFF:
            return -1
        codes[at(end)] = code
        end += 1
        index += more + 1
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
