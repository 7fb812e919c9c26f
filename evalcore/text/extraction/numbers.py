"""Extraction of a number."""

from functools import lru_cache
from typing import Literal

from evalcore.text.extraction.rule import Choice, Extraction, Nothing, Span
from evalcore.text.numbers import Currency, Marks, Percent, first_number, last_number, numbers_in, plain_first, spelled
from evalcore.text.rules import Rule


def take_number(
    choice: Choice = "last",
    marks: Marks = "point",
    spelling: Literal["canonical", "written"] = "canonical",
    currency: Currency = "drop",
    percent: Percent = "sign",
    nothing: Nothing = "empty",
    marker: str = "[invalid]",
) -> Rule:
    """Keep the first or the last number of the text.

    Range: with its sign and percent sign; `canonical` also drops marks between groups, the currency and needless zeros, as canonical_numbers does.
    Differs: the units behind go, so `5 km` and `5 m` become equal; dates, times and versions are no numbers.
    Source: the last-number rule of GSM8K evaluations, with the cases where its patterns lose digits or the sign set right.

    >>> take_number().apply("She pays $52,000, not -7."), take_number("first").apply("She pays $52,000, not -7.")
    ('-7', '52000')
    """

    def spans(text: str) -> list[Span]:
        return [(number.start, number.end) for number in numbers_in(text, marks)]

    def first(text: str) -> Span | None:
        number = first_number(text, marks)
        return None if number is None else (number.start, number.end)

    def last(text: str) -> Span | None:
        number = last_number(text, marks)
        return None if number is None else (number.start, number.end)

    @lru_cache(maxsize=65536)
    def spell(found: str) -> str:
        number = next((number for number in numbers_in(found, marks) if number.end == len(found)), None)
        return found if number is None else spelled(found, number, marks, currency, percent)

    def first_text(text: str) -> str | None:
        span = plain_first(text) or first(text)
        if span is None:
            return None
        found = text[span[0] : span[1]]
        return spell(found) if spelling == "canonical" else found

    one = {"first": first, "last": last, "all": None}[choice]
    cut = first_text if choice == "first" else None
    return Extraction(spans, choice, nothing, marker, ", ", "number", spell=spell if spelling == "canonical" else None, one=one, cut=cut)
