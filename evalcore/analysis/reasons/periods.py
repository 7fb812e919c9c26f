"""Decades, centuries and other spans of years, as they are written in an answer."""

import re

from evalcore.analysis.reasons.lexicon import CARDINALS, ORDINALS
from evalcore.analysis.reasons.quantities import FIRST_YEAR, LAST_YEAR

_DECADE = re.compile(r"(?<![\d.,])(?P<early>early |late |mid[- ]?)?(?:the )?(?P<decade>1\d\d0|20\d0)'?s\b")
_CENTURY = re.compile(r"(?<![\w.])(?P<part>early |late |mid[- ]?)?(?:the )?(?P<number>\d{1,2}(?:st|nd|rd|th)|[a-z]{5,11})[ -]century\b(?! bc)")
_CHINESE_CENTURY = re.compile(r"(?<!前)(?P<number>\d{1,2})世[纪紀]")
_ORDINALS = ORDINALS | {f"{word}th": number for word, number in CARDINALS.items() if 14 <= number <= 19} | {"twentieth": 20}
LAST_CENTURY = 21


def spans(text: str) -> list[tuple[int, int]]:
    """Give the decades and centuries of a folded text as first and last year.

    >>> spans("in the 1960s"), spans("the 18th century"), spans("nineteenth century"), spans("5th century bc"), spans("20世纪")
    ([(1960, 1969)], [(1700, 1800)], [(1800, 1900)], [], [(1900, 2000)])
    """
    found = [(int(match["decade"]), int(match["decade"]) + (99 if match["decade"].endswith("00") else 9)) for match in _DECADE.finditer(text)]
    if "century" in text:
        found += [_century(_ORDINALS.get(match["number"]) or _whole(match["number"])) for match in _CENTURY.finditer(text)]
    if "世" in text:
        found += [_century(int(match["number"])) for match in _CHINESE_CENTURY.finditer(text)]
    return [span for span in found if FIRST_YEAR <= span[1] <= LAST_YEAR]


def _whole(ordinal: str) -> int:
    return int(ordinal[:-2]) if ordinal[0].isdigit() else 0


def _century(number: int) -> tuple[int, int]:
    return (100 * (number - 1), 100 * number) if 1 <= number <= LAST_CENTURY else (0, 0)
