"""The compiled kernel that decodes UTF-8 to code points.

A module of kernels uses no compiled function or constant of another one:
the cache on disk looks only at the file a kernel stands in.
"""

from typing import Any

import numba
import numpy as np

from evalcore.text.layout import Bytes, Codes, Counts

Int = Any  # An int when compiled, a NumPy integer when not.
kernel = numba.njit(cache=True, nogil=True)
at = np.uintp  # Unsigned indexes spare a test for negative ones at every access.


@kernel
def decode_text(data: Bytes, codes: Codes) -> Int:
    """Decode bytes to code points, lone surrogates in their three-byte form included; give their number, -1 for other bytes."""
    size = data.shape[0]
    index, end = 0, 0
    while index < size:
        lead = np.int64(data[at(index)])
        if lead < 0x80:
            code, more, least = lead, 0, 0
        elif 0xC2 <= lead < 0xE0:
            code, more, least = lead & 0x1F, 1, 0x80
        elif 0xE0 <= lead < 0xF0:
            code, more, least = lead & 0x0F, 2, 0x800
        elif 0xF0 <= lead < 0xF5:
            code, more, least = lead & 0x07, 3, 0x10000
        else:
            return -1
        if index + more >= size:
            return -1
        for following in range(more):
            byte = np.int64(data[at(index + 1 + following)])
            if byte & 0xC0 != 0x80:
                return -1
            code = (code << 6) | (byte & 0x3F)
        if code < least or code > 0x10FFFF:
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
