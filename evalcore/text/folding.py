"""Full case folding of many texts at once, as Python's str.casefold folds one."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.text.columns import Texts
from evalcore.text.compiled import kernel

Bytes = npt.NDArray[np.uint8]
Cells = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Int = Any  # An int when compiled, a NumPy integer when not.

LANES = 64  # Bytes looked at together; a few of the processor's widest registers.
EXPANDS = 1 << 24  # A cell from here on is no distance but the number of an expansion: `ß` is two letters.
GROWS = 3  # No character takes more than so many times its bytes when it is folded: U+0390 goes from two to six.
CODE_POINTS = 0x110000
CASE_BIT = 0x20  # Tells A from a.
BEYOND = 0xF8  # No byte of UTF-8 is as large.

at = np.uintp  # Unsigned indexes spare a test for negative ones at every access.


class Folding(NamedTuple):
    """Full case folding, as distances from a character to its folded form.

    `pages` leads from code >> 8 to a block of 256 `cells`; block 0 is that
    of characters which stay. Expansion i is the UTF-8
    spill[offsets[i]:offsets[i + 1]].
    """

    pages: Cells
    cells: Cells
    spill: Bytes
    offsets: Cells


@cache
def folding() -> Folding:
    """Read what Python folds to what, once."""
    letters = np.arange(CODE_POINTS, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    parts = (letters[start : start + 256] for start in range(0, CODE_POINTS, 256))
    changed = {ord(letter): letter.casefold() for part in parts if part.casefold() != part for letter in part if letter.casefold() != letter}
    blocks = sorted({code >> 8 for code in changed})
    pages = np.zeros(CODE_POINTS >> 8, dtype=np.int32)
    pages[blocks] = np.arange(1, len(blocks) + 1)
    cells = np.zeros((len(blocks) + 1) * 256, dtype=np.int32)
    longer = [code for code, folded in changed.items() if len(folded) > 1]
    for code, folded in changed.items():
        cells[pages[code >> 8] * 256 + (code & 255)] = ord(folded) - code if len(folded) == 1 else EXPANDS + longer.index(code)
    spilled = [changed[code].encode() for code in longer]
    return Folding(pages, cells, np.frombuffer(b"".join(spilled), dtype=np.uint8), np.cumsum([0, *map(len, spilled)]).astype(np.int32))


def fold(texts: Texts) -> Texts:
    """Fold every text; None stays None.

    Bytes that are in no UTF-8, 0xF8 and above, stay: they may part texts that stand in one.

    >>> fold(Texts.of(["STRASSE", "Straße", None])).to_list()
    ['strasse', 'strasse', None]
    """
    data, offsets = contiguous(texts)
    size = int(offsets[-1] - offsets[0])
    beyond_ascii = int(np.count_nonzero(data[offsets[0] : offsets[-1]] >= 0x80))
    out, bounds = np.empty(size + (GROWS - 1) * beyond_ascii, dtype=np.uint8), np.zeros(len(texts) + 1, dtype=np.int64)
    fold_rows(data, offsets, 0, len(texts), folding(), out, bounds)
    valid = pc.is_valid(texts.array).buffers()[1] if texts.array.null_count else None
    return Texts(pa.Array.from_buffers(pa.large_binary(), len(texts), [valid, pa.py_buffer(bounds), pa.py_buffer(out[: bounds[-1]])]))


def contiguous(texts: Texts) -> tuple[Bytes, Places]:
    """Give the bytes of all texts, and where each begins, with the end of the last; None has no bytes.

    Shape: one more offset than texts.
    """
    whole = Texts(pc.fill_null(texts.array, b"")) if texts.array.null_count else texts
    data, starts, ends = whole.utf8()
    return data, np.append(starts, ends[-1:] if len(ends) else 0)


@kernel
def fold_rows(data: Bytes, offsets: Places, first: Int, last: Int, folding: Folding, out: Bytes, bounds: Places) -> None:
    """Write the folded texts `first` to before `last` to `out`, and where each of them begins and the last ends to `bounds`.

    Bytes that are no UTF-8 become any bytes. The texts are gone through as one, so that short ones cost no more than long ones.
    """
    row = first
    size: Int = np.int64(0)
    place: Int = np.int64(offsets[first])
    stop: Int = np.int64(offsets[last])
    bounds[0] = 0
    while place < stop:
        until = min(place + LANES, stop)
        met = np.uint8(0x80)
        if until - place == LANES:
            met = np.uint8(0)
            for lane in range(LANES):
                met |= data[at(place + lane)]
        if met < 0x80:
            for lane in range(LANES):
                out[at(size + lane)] = _lower(data[at(place + lane)])
            while row < last and offsets[at(row + 1)] <= until:
                bounds[at(row + 1 - first)] = size + np.int64(offsets[at(row + 1)]) - place
                row += 1
            place = until
            size += LANES
            continue
        while place < until:
            while offsets[at(row + 1)] <= place:
                bounds[at(row + 1 - first)] = size
                row += 1
            lead: Int = np.int64(data[at(place)])
            if lead < 0x80 or lead >= BEYOND:
                out[at(size)] = _lower(data[at(place)])
                place += 1
                size += 1
                continue
            length = min(2 + (lead >= 0xE0) + (lead >= 0xF0), np.int64(offsets[at(row + 1)]) - place)
            code: Int = lead & (0x7F >> length)
            for index in range(1, length):
                code = code << 6 | (np.int64(data[at(place + index)]) & 0x3F)
            code = min(code, CODE_POINTS - 1)
            change = np.int64(folding.cells[at(np.int64(folding.pages[at(code >> 8)]) << 8 | (code & 255))])
            if change == 0:
                for index in range(length):
                    out[at(size + index)] = data[at(place + index)]
                size += length
            else:
                size = _write(code, change, folding.spill, folding.offsets, out, size)
            place += length
    while row < last:
        bounds[at(row + 1 - first)] = size
        row += 1


@kernel
def _lower(byte: Int) -> Int:
    return byte | np.uint8(CASE_BIT) if np.uint8(byte - np.uint8(65)) < np.uint8(26) else byte


@kernel
def _write(code: Int, change: Int, spill: Bytes, offsets: Cells, out: Bytes, size: Int) -> Int:
    """Write a changed character as UTF-8; give where it ends."""
    if change >= EXPANDS:
        begin, stop = np.int64(offsets[at(change - EXPANDS)]), np.int64(offsets[at(change - EXPANDS + 1)])
        for index in range(begin, stop):
            out[at(size + index - begin)] = spill[at(index)]
        return size + stop - begin
    code += change
    if code < 0x80:
        out[at(size)] = code
        return size + 1
    more = 1 + (code >= 0x800) + (code >= 0x10000)
    out[at(size)] = (0xFF << (7 - more) & 0xFF) | code >> 6 * more
    for index in range(1, more + 1):
        out[at(size + index)] = 0x80 | (code >> 6 * (more - index) & 0x3F)
    return size + 1 + more
