"""Inspect AI's match with numbers: which number of an output counts, and when it equals the target.

Source: UKGovernmentBEIS/inspect_ai scorer/_common.py and scorer/_unicode.py, described and measured.
"""

import math
import re
import string
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from evalcore.scoring.pairs import Side

Place = Literal["begin", "end", "any", "exact"]

_ENDS = string.whitespace + string.punctuation
_AROUND_NUMBERS = "!?:;()[]{}'\"`"  # Without the percent sign, so that 60% is no number.
_DROPPED = re.compile(r"\\?[$,£€*_]")
_STOP = re.compile(r"\.(?=\s|$|\D)")
_SIGNS = dict.fromkeys("-−﹣－负負", True) | dict.fromkeys("+＋﹢正", False)
_SEPARATORS = frozenset(",，﹐、٬ \u00a0\u202f\u2009\u2007\u2008'’ʼ＇")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_EXPONENT = re.compile(r"(?<=.)(?<!\s)\s*([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)\Z", re.DOTALL)
_HAN_ROWS = ("零〇○", "一壹幺", "二贰貳两兩", "三叁參", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
_HAN_DIGITS = {character: value for value, row in enumerate(_HAN_ROWS) for character in row}
_HAN_TENS = {"廿": 20, "卅": 30, "卌": 40}
_HAN_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_HAN_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_HAN_POINTS = "点點"
_HAN = frozenset((*_HAN_DIGITS, *_HAN_TENS, *_HAN_UNITS, *_HAN_GROUPS, *_HAN_POINTS, *"负負正"))


@lru_cache(maxsize=4096)
def number_of(text: str) -> float | None:
    """Read a text as a number, None where it is none or not finite.

    Range: Python's float; else signs, digits of any script with marks between groups, fractions such as ½, superscript exponents, Chinese numerals.

    >>> number_of("−2½"), number_of("五十"), number_of("3²"), number_of("²"), number_of("50%")
    (-2.5, 50.0, 9.0, 2.0, None)
    """
    for read in (float, _read):
        try:
            number = read(text)
        except (ValueError, OverflowError, ZeroDivisionError):
            continue
        if number is not None and math.isfinite(number):
            return number
    return None


def _read(text: str) -> float | None:
    rest = text.strip()
    negative = False
    while rest and rest[0] in _SIGNS:
        negative ^= _SIGNS[rest[0]]
        rest = rest[1:].lstrip()
    if len(rest) == 1:
        value = _single(rest)
        if value is not None:
            return -value if negative else value
    tail = _EXPONENT.search(rest)
    base = _with_fraction(rest[: tail.start()].rstrip() if tail else rest)
    if base is None:
        return None
    base = -base if negative else base
    return float(pow(base, int(tail[1].translate(_SUPERSCRIPT)))) if tail else base


def _single(character: str) -> float | None:
    value = unicodedata.numeric(character, None)
    return None if value is None else float(value)


def _with_fraction(text: str) -> float | None:
    places = [place for place, character in enumerate(text) if 0 < (_single(character) or 0) < 1]
    if not places:
        return _plain(text)
    head, tail = text[: places[0]].strip(), text[places[0] + 1 :]
    if len(places) > 1 or any(not (character.isspace() or character in _SEPARATORS) for character in tail):
        return None
    whole = _plain(head) if head else 0.0
    return None if whole is None else whole + (_single(text[places[0]]) or 0)


def _plain(text: str) -> float | None:
    text = text.strip()
    if _HAN.intersection(text):
        value = _han(text)
        if value is not None:
            return value
    value = _digits(text)
    return _single(text) if value is None and len(text) == 1 else value


def _decimal_mark(text: str) -> str:
    """Choose what stands before decimals: the later of point and comma, a lone comma only before one to three digits."""
    point, comma = text.rfind("."), text.rfind(",")
    if point >= 0 or comma < 0:
        return "," if comma > point else "." if point >= 0 else ""
    return "," if sum(_digit(character) is not None for character in text[comma + 1 :]) in (1, 2, 3) else ""


def _digits(text: str) -> float | None:
    mark = _decimal_mark(text)
    plain = ""
    for place, character in enumerate(text):
        digit = _digit(character)
        if character in "eE" and "e" not in plain:
            if not plain:
                return None
            plain += "e"
        elif plain.endswith("e") and character in _SIGNS and unicodedata.category(character) in ("Pd", "Sm"):
            plain += "-" if _SIGNS[character] else "+"
        elif character in "٫．" or character == mark:
            if "." in plain:
                return None
            plain += "."
        elif character in _HAN:
            return None
        elif digit is not None:
            plain += digit
        elif not (character in _SEPARATORS or character.isspace() or (mark and character in ",." and place >= 0)):
            return None
    return float(plain) if any(character.isdigit() for character in plain) else None


def _digit(character: str) -> str | None:
    value = unicodedata.digit(character, None)
    if value is None:
        value = _HAN_DIGITS.get(character)
    return None if value is None else str(value)


def _han(text: str) -> float | None:
    whole, fraction = text, ""
    for mark in (*_HAN_POINTS, "．", "."):
        if mark in text:
            whole, _, fraction = text.partition(mark)
            break
    units = any(character in _HAN_UNITS or character in _HAN_GROUPS or character in _HAN_TENS for character in whole)
    value = _han_with_units(whole) if units else _joined(whole)
    decimals = [_digit(character) for character in fraction if not character.isspace()]
    if value is None or None in decimals:
        return None
    return float(value) + sum(int(digit or 0) * 10.0 ** -(place + 1) for place, digit in enumerate(decimals))


def _joined(text: str) -> int | None:
    digits = [_digit(character) for character in text if not character.isspace()]
    return None if None in digits else int("".join(filter(None, digits)) or 0)


def _han_with_units(text: str) -> int | None:
    total = section = number = 0
    for character in "".join(text.split()):
        digit = _digit(character)
        if character in _HAN_TENS:
            section += _HAN_TENS[character]
        elif digit is not None:
            number = int(digit) if character not in "零〇○" else number
        elif character in _HAN_UNITS:
            section, number = section + (number or 1) * _HAN_UNITS[character], 0
        elif character in _HAN_GROUPS:
            total, section, number = total + (section + number) * _HAN_GROUPS[character], 0, 0
        else:
            return None
    return total + section + number


def _clean(text: str) -> str:
    """Drop currency, commas, emphasis, and points before anything but a digit."""
    return _STOP.sub("", _DROPPED.sub("", text))


def _five_digits(number: str) -> str:
    value = number_of(number)
    return number if value is None else format(value, ".5g")


def _numbers(words: list[str]) -> list[str]:
    """Give the numbers among words, in five significant digits."""
    found = []
    for word in words:
        inner = word.strip(_AROUND_NUMBERS)
        if inner != word and number_of(inner) is not None:
            found.append(_five_digits(inner))
        elif number_of(word) is not None:
            found.append(_five_digits(word))
    return found


@lru_cache(maxsize=4096)
def compare(output: str, target: str, place: Place, ignore_case: bool = True, numeric: bool = False) -> tuple[str, bool]:
    """Give the answer that is compared, and whether it meets the target.

    Range: both are stripped; ends lose whitespace and ASCII marks. Where the target is a number, five significant digits decide.
    """
    text, wanted = output.strip(), target.strip()
    answer = text
    if ignore_case:
        text, wanted = text.casefold(), wanted.casefold()
    if numeric:
        wanted = _clean(wanted)
        numbers = _numbers([wanted])
        if numbers:
            return _compare_numbers(answer, _clean(text), numbers[0], place)
    text, wanted = text.strip(_ENDS), wanted.strip(_ENDS)
    if place == "exact":
        return answer, text == wanted
    return answer, text.startswith(wanted) if place == "begin" else text.endswith(wanted) if place == "end" else wanted in text


def _compare_numbers(answer: str, text: str, wanted: str, place: Place) -> tuple[str, bool]:
    if place == "exact":
        found = _five_digits(text)
        return found, found == wanted
    numbers = _numbers(re.split(r"\s+", text))
    if place == "any":
        return (wanted, True) if wanted in numbers else (answer, False)
    found = "" if not numbers else numbers[0 if place == "begin" else -1]
    return found, found == wanted


def _matching(place: Place, ignore_case: bool, numeric: bool) -> Callable[[Side, Side], bool]:
    return lambda prediction, reference: compare(prediction.normalized, reference.normalized, place, ignore_case, numeric)[1]


def _answering(place: Place, ignore_case: bool, numeric: bool) -> Callable[[str, str], str]:
    return lambda prediction, reference: compare(prediction, reference, place, ignore_case, numeric)[0]


_PLACES: tuple[Place, ...] = ("begin", "end", "any", "exact")
_SETTINGS: dict[str, tuple[Place, bool, bool]] = {
    **{f"at_{place}": (place, True, False) for place in _PLACES},
    "at_end_case": ("end", False, False),
    **{f"number_at_{place}": (place, True, True) for place in _PLACES},
}
MATCHES: Mapping[str, Callable[[Side, Side], bool]] = MappingProxyType({name: _matching(*setting) for name, setting in _SETTINGS.items()})
ANSWERS: Mapping[str, Callable[[str, str], str]] = MappingProxyType({name: _answering(*setting) for name, setting in _SETTINGS.items()})
