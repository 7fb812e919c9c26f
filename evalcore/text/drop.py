"""Steps of DROP's normalization: what happens to each piece between spaces.

A piece ends at the space character alone, so that a number followed by a
line break is one piece with what follows, as in DROP's script.
"""

import math
import string
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from evalcore.text.edits import Edit, between
from evalcore.text.rules import Function, Rule
from evalcore.text.steps import entries

Numbers = Literal["any", "finite"]

REMEMBERED = 65536  # Pieces whose change is kept: words return, texts rarely do.

_WITHOUT_MARKS = str.maketrans("", "", string.punctuation)


def number_in(text: str, numbers: Numbers = "any") -> float | None:
    """Read a text as float() does, None where it is no number.

    >>> number_in("1e3"), number_in("1,000"), number_in("inf", "finite")
    (1000.0, None, None)
    """
    try:
        number = float(text)
    except ValueError:
        return None
    return None if numbers == "finite" and not math.isfinite(number) else number


@lru_cache(maxsize=REMEMBERED)
def is_number(token: str) -> bool:
    """Tell whether float() reads a token."""
    return number_in(token) is not None


def _each_piece(function: Callable[[str], str]) -> Rule:
    change = lru_cache(maxsize=REMEMBERED)(function)

    def state(text: str) -> tuple[Edit, ...]:
        edits: list[Edit] = []
        start = 0
        for piece in text.split(" "):
            edits.extend(Edit(start + a, start + b, new) for a, b, new in between(piece, change(piece)))
            start += len(piece) + 1
        return tuple(edits)

    return Function(lambda text: " ".join(map(change, text.split(" "))), state)


def delete_punctuation_outside_numbers(numbers: Numbers = "any", trim: bool = False) -> Rule:
    """Delete ASCII punctuation, but leave numbers as they are.

    Source: DROP's remove_punc; with `trim` and `finite` that of Inspect AI.
    Differs: `$25.5` is no number for float() and becomes `255`; with `trim` outer marks go first, so it is `25.5`.

    >>> delete_punctuation_outside_numbers().apply("3.5 $3.5 a.m.")
    '3.5 35 am'
    """

    def change(piece: str) -> str:
        if number_in(piece, numbers) is not None:
            return piece
        if trim:
            inner = piece.strip(string.whitespace + string.punctuation)
            if number_in(inner, numbers) is not None:
                return inner
        return piece.translate(_WITHOUT_MARKS)

    return _each_piece(change)


def write_numbers_as_floats(numbers: Numbers = "any") -> Rule:
    """Write every number the way Python prints a float.

    Source: DROP's normalize_number, `str(float(token))`; `finite` is that of Inspect AI.
    Differs: `inf`, `nan` and `1_000` are numbers for float(); `1,000` and `½` are not.

    >>> write_numbers_as_floats().apply("3 007 1e3 men")
    '3.0 7.0 1000.0 men'
    """

    def change(piece: str) -> str:
        number = number_in(piece, numbers)
        return piece if number is None else str(number)

    return _each_piece(change)


ENTRIES = entries("drop", delete_punctuation_outside_numbers, write_numbers_as_floats)
