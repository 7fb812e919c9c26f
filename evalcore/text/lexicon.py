"""Words for the kernels: those of word lists, and odd ones with what a step made of them."""

import numpy as np

from evalcore.text.character_tables import codes_of
from evalcore.text.kernels import hash_step
from evalcore.text.layout import Codes, Counts


class Lexicon:
    """Words and what replaces them, each under its operation."""

    def __init__(self) -> None:
        self._words: dict[tuple[int, str], str] = {}

    def __len__(self) -> int:
        return len(self._words)

    def add(self, operation: int, word: str, replacement: str) -> None:
        self._words[operation, word] = replacement

    def first(self, count: int) -> "Lexicon":
        kept = Lexicon()
        kept._words = dict(list(self._words.items())[:count])
        return kept

    def arrays(self) -> tuple[Counts, Counts, Codes]:
        """Give slots, entries (operation, start, middle, end) and the code points they point to."""
        size = 8
        while size < 4 * len(self._words):
            size *= 2
        slots = np.full(size, -1, dtype=np.int64)
        entries = np.zeros((max(1, len(self._words)), 4), dtype=np.int64)
        place = 0
        for number, ((operation, word), replacement) in enumerate(self._words.items()):
            entries[number] = operation, place, place + len(word), place + len(word) + len(replacement)
            place += len(word) + len(replacement)
            slot = _hash(operation, word) & (size - 1)
            while slots[slot] >= 0:
                slot = (slot + 1) & (size - 1)
            slots[slot] = number
        return slots, entries, codes_of("".join(word + replacement for (_, word), replacement in self._words.items()))


_step = hash_step.py_func


def _hash(operation: int, word: str) -> int:
    value = _step(0, operation)
    for character in word:
        value = _step(value, ord(character))
    return int(value)
