"""Numbers and dates as they stand in a text, in any spelling."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from evalcore.analysis.reasons.lexicon import CARDINALS, MONTHS, ORDINALS, SCALES
from evalcore.text.numerals import numeral_edits

_PLAIN = re.compile(r"\d+(?:\.\d+)?")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_DASHED_DATE = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_ENDED_DATE = re.compile(r"(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)")
_CHINESE_DATE = re.compile(r"(?:(\d{4})年)?(?:(\d{1,2})月)?(?:(\d{1,2})[日号號])?")
_RANGE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?) ?(?:-|to|and|bis|à) ?(\d+(?:\.\d+)?)(?![\d.])")
FIRST_YEAR, LAST_YEAR = 1000, 2199  # A bare number of four digits in this range is read as a year beside a month.


class Date(NamedTuple):
    """A date as far as it is given; 0 is a part that is not."""

    year: int
    month: int
    day: int

    def agrees(self, other: "Date") -> bool:
        """Tell whether no part given in both differs, and at least one part is in both."""
        pairs = [(mine, theirs) for mine, theirs in zip(self, other, strict=True) if mine and theirs]
        return bool(pairs) and all(mine == theirs for mine, theirs in pairs)


def number_of(token: str) -> float | None:
    """Read one token as a number, None where it is none.

    >>> number_of("1,000"), number_of("3.50"), number_of("5th"), number_of("seven"), number_of("x")
    (1000.0, 3.5, 5.0, 7.0, None)
    """
    if not token[0].isdigit():
        word = CARDINALS.get(token, ORDINALS.get(token))
        return None if word is None else float(word)
    if _PLAIN.fullmatch(token):
        return float(token)
    if _GROUPED.fullmatch(token):
        return float(token.replace(",", ""))
    ordinal = _ORDINAL.fullmatch(token)
    return float(ordinal[1]) if ordinal else None


def numbers_in(tokens: Sequence[str]) -> list[float]:
    """Give all numbers among tokens, number words and scales included, in order.

    >>> numbers_in("two hundred and five of 2.4 million , one thousand".split())
    [205.0, 2400000.0, 1000.0]
    """
    found: list[float] = []
    total = group = 0.0
    open_number = words = False
    for token in (*tokens, ""):
        value = number_of(token) if token else None
        is_word = value is not None and not token[0].isdigit()
        if value is not None and open_number and words and is_word and _continues(group, value):
            group += value
        elif value is not None:
            if open_number:
                found.append(total + group)
            total, group, open_number, words = 0.0, value, True, is_word
        elif open_number and token in SCALES:
            if token == "hundred":
                group *= 100
            else:
                total, group = total + group * SCALES[token], 0.0
            words = True
        elif not (token == "and" and open_number and words and (total or group >= 100)):
            if open_number:
                found.append(total + group)
            total, group, open_number = 0.0, 0.0, False
    return found


def _continues(group: float, value: float) -> bool:
    return group == 0 or (group % 100 >= 20 and group % 10 == 0 and value < 10) or (group % 100 == 0 and value < 100)


def dates_in(text: str, tokens: Sequence[str]) -> list[Date]:
    """Give all dates with a month, or a written-out form, in a folded text.

    >>> dates_in("23 september 1889", ["23", "september", "1889"])
    [Date(year=1889, month=9, day=23)]
    """
    found = [Date(int(y), int(m), int(d)) for y, m, d in _DASHED_DATE.findall(text) if int(m) <= 12 and int(d) <= 31]
    for first, second, year in _ENDED_DATE.findall(text):
        day, month = (int(first), int(second)) if int(second) <= 12 else (int(second), int(first))
        if month <= 12 and day <= 31:
            found.append(Date(int(year), month, day))
    if "年" in text or "月" in text:
        found += [Date(*(int(part or 0) for part in match.groups())) for match in _CHINESE_DATE.finditer(text) if match[1] or match[2]]
    for position, token in enumerate(tokens):
        named = MONTHS.get(token)
        if named is not None:
            date = _around(tokens, position, named)
            if date.year or date.day or token not in {"may", "mar", "mars", "mai"}:
                found.append(date)
    return found


def _around(tokens: Sequence[str], position: int, month: int) -> Date:
    """Read day and year beside a month."""
    day = year = 0
    places = [place for place in (position + 1, position + 2, position + 3, position - 1, position - 2) if 0 <= place < len(tokens)]
    for place in places:
        token = tokens[place]
        if abs(place - position) > 1 and not all(_is_date_part(tokens[between]) for between in range(min(place, position) + 1, max(place, position))):
            continue
        part = _whole(token) or 0
        if FIRST_YEAR <= part <= LAST_YEAR and len(token) == 4 and not year:
            year = part
        elif 1 <= part <= 31 and abs(place - position) <= 2 and not day:
            day = part
    return Date(year, month, day)


def _is_date_part(token: str) -> bool:
    return _whole(token) is not None or token in {"of", "the", "de"}


def _whole(token: str) -> int | None:
    if token.isascii() and token.isdigit() and len(token) <= 4:
        return int(token)
    ordinal = _ORDINAL.fullmatch(token)
    return int(ordinal[1]) if ordinal and len(ordinal[1]) <= 2 else None


def ranges_in(text: str) -> list[tuple[float, float]]:
    """Give all ranges of a folded text, low end first.

    >>> ranges_in("10-12 years"), ranges_in("between 1881 and 1885")
    ([(10.0, 12.0)], [(1881.0, 1885.0)])
    """
    if not _PLAIN.search(text):
        return []
    return [(float(low), float(high)) for low, high in _RANGE.findall(text) if float(low) < float(high)]


def with_digits(text: str) -> str:
    """Write Chinese numerals of a text as digits."""
    edits = numeral_edits(text)
    for edit in reversed(edits):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text
