"""A text looked for in many texts at once, without regard to case.

The kernels read UTF-8 where it lies. Bytes are compared sixty-four places
at a time; only a text with characters beyond ASCII is folded, into a
buffer that is used again, and only where bytes cannot decide.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evalcore.text.columns import Texts
from evalcore.text.compiled import kernel

Bytes = npt.NDArray[np.uint8]
Codes = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Int = Any  # An int when compiled, a NumPy integer when not.

LANES = 64  # Places looked at together; a few of the processor's widest registers.
EXPANDS = 1 << 24  # A cell from here on is no distance but the number of an expansion: `ß` is two letters.
MOST_LETTERS = 3  # Letters one character may become in full case folding.
CODE_POINTS = 0x110000
CASE_BIT = 0x20  # Tells A from a.

at = np.uintp  # Unsigned indexes spare a test for negative ones at every access.


class Folding(NamedTuple):
    """Full case folding, as distances from a character to its folded form.

    `pages` leads from code >> 8 to a block of 256 `cells`; block 0 is that
    of characters which stay. Expansion i is spill[offsets[i]:offsets[i + 1]].
    """

    pages: Codes
    cells: Codes
    spill: Codes
    offsets: Codes
    to_ascii: Flags


class Needle:
    """A text to look for; Python's str.casefold says what is the same.

    >>> Needle("STRASSE").within(Texts.of(["Hauptstraße 1", "street", None])).tolist()
    [True, False, False]
    """

    def __init__(self, text: str) -> None:
        folded = text.casefold()
        self.utf8: Bytes = np.frombuffer(folded.encode("utf-8", "surrogatepass"), dtype=np.uint8)
        self.codes: Codes = np.array([ord(letter) for letter in folded], dtype=np.int32)
        self.is_ascii = folded.isascii()
        self.is_exact = _folded_from_others().isdisjoint(folded)
        letters = (self.utf8 >= ord("a")) & (self.utf8 <= ord("z"))
        self.loose: Bytes = np.where(letters & (not self.is_exact), CASE_BIT, 0).astype(np.uint8)

    def within(self, texts: Texts) -> Flags:
        """Tell for every text whether it holds the needle; None holds nothing.

        Empty: the empty needle is in every text.
        """
        data, starts, ends = texts.utf8()
        if not len(self.utf8):
            return ~texts.is_null()
        found = np.zeros(len(texts), dtype=np.bool_)
        if len(texts) and (self.is_exact or self.is_ascii):
            _mark_bytes(data, starts, ends, self.utf8, self.loose, found)
        if len(texts) and not self.is_exact:
            _mark_folded(data, starts, ends, self.codes, self.is_ascii, _folding(), found)
        return found


@cache
def _changed() -> dict[int, str]:
    """Give the folded form of every character that folding changes."""
    letters = np.arange(CODE_POINTS, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    blocks = (letters[start : start + 256] for start in range(0, CODE_POINTS, 256))
    return {ord(letter): letter.casefold() for block in blocks if block.casefold() != block for letter in block if letter.casefold() != letter}


@cache
def _folded_from_others() -> frozenset[str]:
    """Give the characters that others are folded to; any other one stands for itself in every text."""
    return frozenset("".join(_changed().values()))


@cache
def _folding() -> Folding:
    changed = _changed()
    blocks = sorted({code >> 8 for code in changed})
    pages = np.zeros(CODE_POINTS >> 8, dtype=np.int32)
    pages[blocks] = np.arange(1, len(blocks) + 1)
    cells = np.zeros((len(blocks) + 1) * 256, dtype=np.int32)
    longer = [code for code, folded in changed.items() if len(folded) > 1]
    for code, folded in changed.items():
        cells[pages[code >> 8] * 256 + (code & 255)] = ord(folded) - code if len(folded) == 1 else EXPANDS + longer.index(code)
    spill = np.array([ord(letter) for code in longer for letter in changed[code]], dtype=np.int32)
    offsets = np.cumsum([0, *(len(changed[code]) for code in longer)]).astype(np.int32)
    to_ascii = np.zeros(1 << 12, dtype=np.bool_)
    for code, folded in changed.items():
        if code >= 0x80 and any(letter.isascii() for letter in folded):
            first, second = chr(code).encode("utf-8", "surrogatepass")[:2]
            to_ascii[(first & 0x3F) << 6 | (second & 0x3F)] = True
    return Folding(pages, cells, spill, offsets, to_ascii)


@kernel
def _is_at(data: Bytes, place: Int, needle: Bytes, loose: Bytes) -> bool:
    same = 0
    while same < needle.shape[0] and data[at(place + same)] | loose[at(same)] == needle[at(same)]:
        same += 1
    return bool(same == needle.shape[0])


@kernel
def _mark_bytes(data: Bytes, starts: Places, ends: Places, needle: Bytes, loose: Bytes, found: Flags) -> None:
    """Mark the texts that hold these bytes, those with a loose bit as a letter of any case.

    The texts are gone through as one: first and last byte of the needle
    are compared at sixty-four places without a branch.
    """
    last = needle.shape[0] - 1
    head, tail, head_loose, tail_loose = needle[0], needle[last], loose[0], loose[last]
    row = 0
    place: Int = np.int64(starts[0])
    stop: Int = np.int64(ends[ends.shape[0] - 1]) - last
    while place < stop:
        until = min(place + LANES, stop)
        if until - place == LANES:
            met = np.uint8(0)
            for lane in range(LANES):
                same = ((data[at(place + lane)] | head_loose) == head) & ((data[at(place + lane + last)] | tail_loose) == tail)
                met |= np.uint8(same)
            if met == 0:
                place = until
                continue
        while place < until:
            if (data[at(place)] | head_loose) == head and (data[at(place + last)] | tail_loose) == tail and _is_at(data, place, needle, loose):
                while ends[at(row)] <= place:
                    row += 1
                if starts[at(row)] <= place and place + last < ends[at(row)]:
                    found[at(row)] = True
                    place = np.int64(ends[at(row)])
                    continue
            place += 1


@kernel
def _may_become_ascii(data: Bytes, start: Int, end: Int, to_ascii: Flags) -> bool:
    for place in range(start, end - 1):
        lead = np.int64(data[at(place)])
        if lead >= 0xC0 and to_ascii[at((lead & 0x3F) << 6 | (np.int64(data[at(place + 1)]) & 0x3F))]:
            return True
    return False


@kernel
def _fold(data: Bytes, start: Int, end: Int, folding: Folding, folded: Codes) -> Int:
    """Write the folded characters of a text; give their number. Bytes that are no UTF-8 become any characters."""
    size = 0
    place = start
    while place < end:
        code: Int = np.int64(data[at(place)])
        place += 1
        if code >= 0x80:
            more = min(1 + (code >= 0xE0) + (code >= 0xF0), end - place)
            code &= 0x3F >> more
            for index in range(place, place + more):
                code = code << 6 | (np.int64(data[at(index)]) & 0x3F)
            place += more
            code = min(code, CODE_POINTS - 1)
        change = np.int64(folding.cells[at((np.int64(folding.pages[at(code >> 8)]) << 8) | (code & 255))])
        if change < EXPANDS:
            folded[at(size)] = code + change
            size += 1
        else:
            number = change - EXPANDS
            for index in range(folding.offsets[at(number)], folding.offsets[at(number + 1)]):
                folded[at(size)] = folding.spill[at(index)]
                size += 1
    return size


@kernel
def _holds(folded: Codes, size: Int, needle: Codes) -> bool:
    length = needle.shape[0]
    first = needle[0]
    for place in range(size - length + 1):
        if folded[at(place)] == first:
            index = 1
            while index < length and folded[at(place + index)] == needle[at(index)]:
                index += 1
            if index == length:
                return True
    return False


@kernel
def _mark_folded(data: Bytes, starts: Places, ends: Places, needle: Codes, is_ascii: bool, folding: Folding, found: Flags) -> None:
    """Mark the texts beyond ASCII that hold the needle once they are folded.

    Those marked already are passed by, and for an ASCII needle those from whose characters no ASCII comes.
    """
    longest = 0
    for row in range(starts.shape[0]):
        longest = max(longest, ends[row] - starts[row])
    folded = np.empty(longest * MOST_LETTERS, dtype=np.int32)
    row = 0
    place: Int = np.int64(starts[0])
    stop: Int = np.int64(ends[ends.shape[0] - 1])
    while place < stop:
        until = min(place + LANES, stop)
        if until - place == LANES:
            met = np.uint8(0)
            for lane in range(LANES):
                met |= data[at(place + lane)]
            if met < 0x80:
                place = until
                continue
        while place < until:
            if data[at(place)] >= 0x80:
                while ends[at(row)] <= place:
                    row += 1
                if starts[at(row)] <= place:
                    if not found[at(row)] and (not is_ascii or _may_become_ascii(data, place, ends[at(row)], folding.to_ascii)):
                        found[at(row)] = _holds(folded, _fold(data, starts[at(row)], ends[at(row)], folding, folded), needle)
                    place = np.int64(ends[at(row)])
                    continue
            place += 1
