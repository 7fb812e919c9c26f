"""What a pair of different texts lost on the way to being equal."""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import Literal, get_args

from evalcore.text.numbers import MINUS, plain, value_of
from evalcore.text.numbers import numbers_in as _numbers_in

Loss = Literal["everything", "sign", "decimal_point", "digit", "plus_or_hash", "negation", "combining_mark", "letters"]
LOSSES: tuple[Loss, ...] = get_args(Loss)
LOSS_TITLES: dict[Loss, str] = {
    "everything": "nothing is left",
    "sign": "a sign was lost",
    "decimal_point": "a decimal point or a mark between numbers was lost",
    "digit": "a digit was lost",
    "plus_or_hash": "a + or # after a name was lost",
    "negation": "a negation was lost",
    "combining_mark": "a vowel sign or another mark that is part of a letter was lost",
    "letters": "letters were cut out of words",
}

_NEGATIONS = re.compile(
    r"\b(?:do|does|did|is|are|was|were|ca|wo|would|could|should|has|have|had)n['’]?t\b|\bno\b(?!\.?\s*\d)"
    r"|\b(?:not|never|none|neither|nor|without|cannot|nicht|kein|keine|nie|ohne|ne|pas|jamais|sans|nunca|sin|não|non|senza|не|нет|без)\b|[不没沒非无無未]"
)
_MARKED_NAME = re.compile(r"(?<![^\W_])([^\W\d_]+)(\+{1,2}|#)(?![^\W_])")
_GRADE = re.compile(r"(?<![^\W_])([A-Za-z])([-−])(?![^\W_])")
_DIGITS = re.compile(r"\d+")
_OPTIONAL_MARKS = ((0x0300, 0x036F), (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670), (0x20D0, 0x20FF), (0xFE00, 0xFE0F))
# Accents of Latin, Greek and Cyrillic, vowels of Hebrew and Arabic, and marks around symbols: readers do without them.


def losses(first: str, second: str) -> tuple[Loss, ...]:
    """Tell what two texts that count as equal differ in, where that makes different answers.

    Nothing for differences that only change the form: case, accents of
    Latin letters, punctuation between words, other marks for one number.
    Letters are not looked at here; see `cut_letters`.

    >>> losses("-5", "5"), losses("C++", "C"), losses("3.5", "35"), losses("1,000", "1000")
    (('sign',), ('plus_or_hash',), ('decimal_point',), ())
    """
    if first == second:
        return ()
    found: list[Loss] = []
    numbers = _number_loss(first, second)
    if numbers:
        found.append(numbers)
    if _names(first) != _names(second):
        found.append("plus_or_hash")
    if _grades(first) != _grades(second):
        found.append("sign")
    if (_NEGATIONS.search(first.casefold()) is None) != (_NEGATIONS.search(second.casefold()) is None):
        found.append("negation")
    if not (first.isascii() and second.isascii()) and _loses_marks(first, second):
        found.append("combining_mark")
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=1 << 14)
def _values(text: str) -> tuple[tuple[str, bool], ...]:
    """Give the numbers of a text: their value without sign, and whether a minus stands before them."""
    if _DIGITS.search(text) is None:
        return ()
    return tuple((plain(abs(value_of(text[number.digits[0] : number.digits[1]]))), number.negative) for number in _numbers_in(text))


def _number_loss(first: str, second: str) -> Loss | None:
    if _DIGITS.search(first) is None or _DIGITS.search(second) is None:
        return None
    ours, theirs = _values(first), _values(second)
    if [value for value, _ in ours] == [value for value, _ in theirs] and ours != theirs:
        return "sign"
    if _digits(first) == _digits(second):
        return "decimal_point" if _groups(first) != _groups(second) else None
    if sorted(ours) == sorted(theirs) and ours:
        return None
    return "digit" if _is_part(_digits(first), _digits(second)) else None


def _digits(text: str) -> str:
    return "".join(str(unicodedata.digit(character)) for character in text if character.isdigit())


def _groups(text: str) -> list[str]:
    """Give the runs of digits, with the marks that only group thousands taken out."""
    if not text.isascii():
        text = "".join(str(unicodedata.decimal(character)) if character.isdecimal() else character for character in text)
    return _DIGITS.findall(re.sub(r"(?<=\d)[,'’\u00a0\u202f](?=\d{3}(?!\d))", "", text))


def _is_part(first: str, second: str) -> bool:
    """Tell whether the shorter text comes from the longer one by leaving characters out."""
    short, long = sorted((first, second), key=len)
    rest = iter(long)
    return all(character in rest for character in short)


def _names(text: str) -> tuple[tuple[str, str], ...]:
    if "+" not in text and "#" not in text:
        return ()
    return tuple((name.casefold(), mark) for name, mark in _MARKED_NAME.findall(text))


def _grades(text: str) -> tuple[tuple[str, str], ...]:
    """Give letters with a minus behind them that stand alone: grades and blood groups."""
    if not any(mark in text for mark in MINUS):
        return ()
    return tuple((letter.casefold(), "-") for letter, _ in _GRADE.findall(text))


def _loses_marks(first: str, second: str) -> bool:
    ours, theirs = (unicodedata.normalize("NFD", text.casefold()) for text in (first, second))
    return _without_marks(ours) == _without_marks(theirs) and _needed_marks(ours) != _needed_marks(theirs)


def _without_marks(text: str) -> str:
    return "".join(character for character in text if character.isalnum() and not unicodedata.category(character).startswith("M"))


def _needed_marks(text: str) -> str:
    """Give the marks that are part of a letter: vowel signs, voicing marks, the breve of й."""
    return "".join(
        character
        for before, character in pairwise(f" {text}")
        if unicodedata.category(character).startswith("M") and ((character == "\u0306" and before == "и") or not _is_optional(ord(character)))
    )


def _is_optional(code: int) -> bool:
    return any(first <= code <= last for first, last in _OPTIONAL_MARKS)


def cut_letters(before: str, edits: "tuple[tuple[int, int, str], ...]") -> bool:
    """Tell whether edits delete letters out of the middle or the ends of words that stay.

    >>> cut_letters("banana", ((1, 2, ""), (3, 4, ""))), cut_letters("the end", ((0, 3, ""),))
    (True, False)
    """
    for start, end, new in edits:
        gone = before[start:end]
        if not any(map(str.isalpha, gone)) or any(map(str.isalnum, new)):
            continue
        neighbours = (before[start - 1 : start] if gone[:1].isalpha() else "", before[end : end + 1] if gone[-1:].isalpha() else "")
        if any(neighbour.isalpha() and not _is_ideograph(neighbour) for neighbour in neighbours):
            return True
    return False


def _is_ideograph(character: str) -> bool:
    return "\u3040" <= character <= "\u9fff"
