"""Steps that delete punctuation or put a space in its place."""

import string
from functools import lru_cache
from typing import Literal

from evalcore.text.rules import CharacterTable, Rule, category_is
from evalcore.text.steps import entries

Marks = Literal["ascii", "unicode", "both"]
ASCII_MARKS = frozenset(string.punctuation)  # The 32 ASCII marks, symbols such as $ + < = > ^ ` | ~ among them.


class _Replacements(dict[int, str | None]):
    """A table for str.translate that decides about a character when it first meets it."""

    def __init__(self, which: Marks, keep: str, add: str, new: str | None) -> None:
        self.which, self.keep, self.add, self.new = which, frozenset(keep), frozenset(add), new

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        self[code] = self.new if self._is_mark(character) else character
        return self[code]

    def _is_mark(self, character: str) -> bool:
        if character in self.add or character in self.keep:
            return character in self.add
        in_ascii = self.which != "unicode" and character in ASCII_MARKS
        return in_ascii or (self.which != "ascii" and category_is(character, "P"))


@lru_cache(maxsize=256)
def _table(which: Marks, keep: str, add: str, new: str | None) -> _Replacements:
    return _Replacements(which, keep, add, new)


def delete_punctuation(which: Marks = "ascii", keep: str = "", add: str = "") -> Rule:
    """Delete punctuation marks, leaving no space.

    Source: SQuAD's remove_punc for `ascii` (the 32 marks of string.punctuation); MLQA's for `both`.
    Differs: `unicode` is category P alone, so `$`, `+` and `<` stay; `3.5` becomes `35`.

    >>> delete_punctuation().apply("U.S.A. 3.5 “x”")
    'USA 35 “x”'
    """
    table = _table(which, keep, add, None)
    return CharacterTable(lambda text: text.translate(table))


def space_out_punctuation(which: Marks = "ascii", keep: str = "", add: str = "") -> Rule:
    """Put a space in place of every punctuation mark.

    Source: the normalization of TriviaQA's script, with its own extra marks.
    Differs: `well-known` becomes two words, where deletion makes one.

    >>> space_out_punctuation().apply("well-known")
    'well known'
    """
    table = _table(which, keep, add, " ")
    return CharacterTable(lambda text: text.translate(table))


ENTRIES = entries("punctuation", delete_punctuation, space_out_punctuation)
