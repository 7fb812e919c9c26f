"""Tables a kernel reads: what a step does to each character.

A table is filled 256 characters at a time, when one of them is first met,
by the step's own function. So it agrees with the function by construction,
on whatever Unicode version runs, and costs nothing at start.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from evalcore.text.kernels import DELETE, FIRST_SPILL, ODD
from evalcore.text.layout import Cells, Codes
from evalcore.text.rules import WordFilter

PAGE = 256
PAGES = 0x110000 // PAGE


class MapsCharacters(Protocol):
    """A rule that treats characters one by one, but for odd ones.

    An odd character looks at its neighbours in the same word. Words are
    parted by U+0020: apply(a + " " + b) = apply(a) + " " + apply(b).
    """

    def apply(self, text: str) -> str: ...
    def is_odd(self, character: str) -> bool: ...


@dataclass(frozen=True)
class InTurn:
    """Two character rules, one after the other, as one."""

    first: MapsCharacters
    second: MapsCharacters

    def apply(self, text: str) -> str:
        return self.second.apply(self.first.apply(text))

    def is_odd(self, character: str) -> bool:
        return self.first.is_odd(character) or any(map(self.second.is_odd, self.first.apply(character)))


@dataclass(frozen=True, eq=False)
class Page:
    """256 cells; a cell FIRST_SPILL - i stands for the text spills[i]."""

    cells: Cells
    spills: tuple[str, ...] = ()


class CharacterTable:
    """The pages of one rule, made on demand and kept."""

    def __init__(self, make: Callable[[int], Page]) -> None:
        self._make = make
        self._pages: dict[int, Page] = {}

    def page(self, number: int) -> Page:
        """Give the cells of the characters number * 256 and following."""
        if number not in self._pages:
            self._pages[number] = self._make(number)
        return self._pages[number]


class CompleteTable:
    """A table of which every page is filled; equal pages are one block."""

    def __init__(self, values: Cells) -> None:
        blocks: dict[bytes, int] = {}
        rows = values.astype(np.int32).reshape(PAGES, PAGE)
        self.pages = np.array([blocks.setdefault(row.tobytes(), len(blocks)) for row in rows], dtype=np.int32)
        self.blocks = [np.frombuffer(block, dtype=np.int32) for block in blocks]

    def page(self, number: int) -> Page:
        """Give the cells of the characters number * 256 and following."""
        return Page(self.blocks[self.pages[number]])


@lru_cache(maxsize=8)
def whitespace_table(space: int, other: int) -> CompleteTable:
    """Give the table that tells whitespace from all other characters, as `str.split` does."""
    values = np.full(PAGE * PAGES, space, dtype=np.int32)
    every = text_of(np.arange(PAGE * PAGES, dtype=np.uint32))
    for run in every.split():
        values[ord(run[0]) : ord(run[-1]) + 1] = other
    return CompleteTable(values)


@lru_cache(maxsize=256)
def table_of(rule: MapsCharacters) -> CharacterTable:
    """Give the table of what a rule makes of each character."""

    def make(number: int) -> Page:
        cells = np.empty(PAGE, dtype=np.int32)
        spills: list[str] = []
        for index, character in enumerate(map(chr, range(number * PAGE, (number + 1) * PAGE))):
            if rule.is_odd(character):
                cells[index] = ODD
                continue
            after = rule.apply(character)
            if len(after) == 1:
                cells[index] = ord(after)
            elif not after:
                cells[index] = DELETE
            else:
                cells[index] = FIRST_SPILL - len(spills)
                spills.append(after)
        return Page(cells, tuple(spills))

    return CharacterTable(make)


@lru_cache(maxsize=256)
def roles_of(role: Callable[[str], int]) -> CharacterTable:
    """Give the table of a small number for each character, such as whether it is whitespace."""
    return CharacterTable(lambda number: Page(np.array([int(role(chr(code))) for code in range(number * PAGE, (number + 1) * PAGE)], dtype=np.int32)))


@lru_cache(maxsize=256)
def word_roles_of(rule: WordFilter) -> CharacterTable:
    """Give 0 for what parts words, 2 for characters a listed word begins with, 1 for other word characters."""
    firsts = {word[0] for word in rule.words}
    return roles_of(lambda character: 2 if character in firsts else int(rule.is_word_character(character)))


def codes_of(text: str) -> Codes:
    """Give the code points of a text, lone surrogates included.

    >>> codes_of("aé").tolist()
    [97, 233]
    """
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32)


def text_of(codes: Codes) -> str:
    """Give the text of code points."""
    return codes.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")
