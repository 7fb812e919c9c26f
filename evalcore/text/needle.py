"""A text looked for in many texts at once, without regard to case.

Texts are folded, and the bytes of the folded needle are looked for: what
UTF-8 begins at a byte is a character, so bytes found are a text found.
"""

import numpy as np
import numpy.typing as npt

from evalcore.text.columns import Texts
from evalcore.text.compiled import kernel
from evalcore.text.folding import GROWS, LANES, Bytes, Int, Places, at, contiguous, fold_rows, folding

Flags = npt.NDArray[np.bool_]

AT_ONCE = 1 << 20  # Bytes of texts that are folded, then searched while the processor still has them near.


class Needle:
    """A text to look for; Python's str.casefold says what is the same.

    >>> Needle("STRASSE").within(Texts.of(["Hauptstraße 1", "street", None])).tolist()
    [True, False, False]
    """

    def __init__(self, text: str) -> None:
        self.utf8: Bytes = np.frombuffer(text.casefold().encode("utf-8", "surrogatepass"), dtype=np.uint8)

    def within(self, texts: Texts) -> Flags:
        """Tell for every text whether it holds the needle; None holds nothing.

        Empty: the empty needle is in every text.
        """
        if not len(self.utf8):
            return ~texts.is_null()
        data, offsets = contiguous(texts)
        found = np.zeros(len(texts), dtype=np.bool_)
        first, longest = 0, int(np.diff(offsets).max(initial=0))
        out, bounds = np.empty(GROWS * max(AT_ONCE, longest), dtype=np.uint8), np.empty(len(offsets), dtype=np.int64)
        while first < len(texts):
            last = max(first + 1, int(np.searchsorted(offsets, offsets[first] + AT_ONCE, side="right")) - 1)
            fold_rows(data, offsets, first, last, folding(), out, bounds)
            _mark(out, bounds[: last - first], bounds[1 : last - first + 1], self.utf8, found[first:last])
            first = last
        return found

    def within_folded(self, texts: Texts) -> Flags:
        """Tell the same of texts that are folded already."""
        if not len(self.utf8):
            return ~texts.is_null()
        data, starts, ends = texts.utf8()
        found = np.zeros(len(texts), dtype=np.bool_)
        if len(texts):
            _mark(data, starts, ends, self.utf8, found)
        return found


@kernel
def _is_at(data: Bytes, place: Int, needle: Bytes) -> bool:
    same = 0
    while same < needle.shape[0] and data[at(place + same)] == needle[at(same)]:
        same += 1
    return bool(same == needle.shape[0])


@kernel
def _mark(data: Bytes, starts: Places, ends: Places, needle: Bytes, found: Flags) -> None:
    """Mark the texts that hold these bytes.

    The texts are gone through as one: first and last byte of the needle
    are compared at sixty-four places without a branch.
    """
    last = needle.shape[0] - 1
    head, tail = needle[0], needle[last]
    row = 0
    place: Int = np.int64(starts[0])
    stop: Int = np.int64(ends[ends.shape[0] - 1]) - last
    while place < stop:
        if stop - place >= LANES:
            met = np.uint8(0)
            for lane in range(LANES):
                met |= np.uint8((data[at(place + lane)] == head) & (data[at(place + lane + last)] == tail))
            if met == 0:
                place += LANES
                continue
            first = np.uint8(LANES)
            for lane in range(LANES):
                same = (data[at(place + lane)] == head) & (data[at(place + lane + last)] == tail)
                first = min(first, np.uint8(lane) if same else np.uint8(LANES))
            place += np.int64(first)
        if data[at(place)] == head and data[at(place + last)] == tail and _is_at(data, place, needle):
            while ends[at(row)] <= place:
                row += 1
            if starts[at(row)] <= place and place + last < ends[at(row)]:
                found[at(row)] = True
                place = np.int64(ends[at(row)])
                continue
        place += 1
