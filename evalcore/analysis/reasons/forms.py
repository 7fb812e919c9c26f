"""Two words that are one: another spelling, ending, numeral, or a slip of the finger."""

import re

from evalcore.analysis.reasons.answer import stem
from evalcore.analysis.reasons.lexicon import SPELLINGS
from evalcore.analysis.reasons.pair import is_typo
from evalcore.analysis.reasons.quantities import number_of

LAST_ROMAN = 49  # Kings, wars, chapters and ships; longer numerals are years and rarely stand for a number in an answer.

_SPELLINGS = tuple((re.compile(pattern), new) for pattern, new in SPELLINGS)


def _roman(number: int) -> str:
    tens, ones = divmod(number, 10)
    return ("", "x", "xx", "xxx", "xl")[tens] + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[ones]


ROMAN = {_roman(number): float(number) for number in range(1, LAST_ROMAN + 1)} | {"iiii": 4.0}  # The last as clock faces have it.


def spelled(word: str) -> str:
    """Give the spelling all variants of a word share.

    >>> spelled("colour"), spelled("theatre"), spelled("distill")
    ('color', 'theater', 'distil')
    """
    for pattern, new in _SPELLINGS:
        word = pattern.sub(new, word)
    return word


def same_number(first: str, second: str) -> bool:
    """Tell whether two different words write one number, at least one of them as a numeral.

    >>> same_number("ii", "2"), same_number("iv", "iiii"), same_number("five", "5"), same_number("x", "mix")
    (True, True, True, False)
    """
    if first == second or not (first in ROMAN or second in ROMAN or first[0].isdigit() or second[0].isdigit()):
        return False
    value = _value(first)
    return value is not None and value == _value(second)


def _value(word: str) -> float | None:
    plain = number_of(word)
    return ROMAN.get(word) if plain is None else plain


def alike(first: str, second: str) -> bool:
    """Tell whether two words are one word in other spelling or inflection, mistyped, or one number."""
    if first == second or (first[0] == second[0] and (stem(first) == stem(second) or is_typo(first, second) or spelled(first) == spelled(second))):
        return True
    return same_number(first, second)
