"""Dates in texts: where they stand, and one spelling for each."""

import re
from calendar import monthrange
from functools import lru_cache
from typing import Literal

from evalcore.text.edits import Edit
from evalcore.text.rules import Rule, rewriting
from evalcore.text.steps import entries

Order = Literal["day_first", "month_first", "named_only"]
Language = Literal["en", "de", "fr", "es", "it", "pt", "nl"]

_MONTHS: dict[Language, str] = {
    "en": "january jan, february feb, march mar, april apr, may, june jun, july jul, august aug, september sept sep, october oct, november nov, december dec",
    "de": "januar jänner jan, februar feb, märz mär, april apr, mai, juni jun, "
    "juli jul, august aug, september sept sep, oktober okt, november nov, dezember dez",
    "fr": "janvier janv, février févr, mars, avril avr, mai, juin, juillet juil, août, septembre sept, octobre oct, novembre nov, décembre déc",
    "es": "enero ene, febrero feb, marzo mar, abril abr, mayo may, junio jun, julio jul, agosto ago, septiembre setiembre sept sep, octubre oct, "
    "noviembre nov, diciembre dic",
    "it": "gennaio gen, febbraio feb, marzo mar, aprile apr, maggio mag, giugno giu, luglio lug, agosto ago, settembre sett set, ottobre ott, "
    "novembre nov, dicembre dic",
    "pt": "janeiro jan, fevereiro fev, março mar, abril abr, maio mai, junho jun, julho jul, agosto ago, setembro set, outubro out, novembro nov, dezembro dez",
    "nl": "januari jan, februari feb, maart mrt, april apr, mei, juni jun, juli jul, augustus aug, september sept sep, oktober okt, november nov, december dec",
}


@lru_cache(maxsize=16)
def _month_numbers(language: Language) -> dict[str, int]:
    return {name: number for number, names in enumerate(_MONTHS[language].split(","), 1) for name in names.split()}


@lru_cache(maxsize=16)
def _named(language: Language) -> "re.Pattern[str]":
    months = "|".join(sorted(_month_numbers(language), key=len, reverse=True))
    month = rf"(?:{months})\b\.?"
    day = r"\d{1,2}(?:st|nd|rd|th|er|º|\.)?"
    gap = r"\s*+"  # Possessive: a long gap is walked once.
    of = rf"{gap}(?:(?:of|de|del|do){gap})?"
    year = r"\d{4}"
    return re.compile(
        rf"(?<![\w-])(?:(?:the\s+)?(?P<d1>{day}){of}(?P<m1>{month})(?:{of},?{gap}(?P<y1>{year})(?!\d))?"
        rf"|(?P<m2>{month}){gap}(?P<d2>{day})(?!\d)(?:{gap},?{gap}(?P<y2>{year})(?!\d))?"
        rf"|(?P<m3>{month}){gap},?{of}(?P<y3>{year})(?!\d))",
        re.IGNORECASE,
    )


_WRITTEN = re.compile(
    r"(?<![\w./-])(?P<y1>\d{4})(?P<s1>[-/.])(?P<m1>\d{1,2})(?P=s1)(?P<d1>\d{1,2})(?![\w/-]|\.\d)"
    r"|(?<![\w./-])(?P<a>\d{1,2})(?P<s2>[-/.])(?P<b>\d{1,2})(?P=s2)(?P<y2>\d{4})(?![\w/-]|\.\d)"
    r"|(?P<y3>\d{4})\s*年\s*(?P<m3>\d{1,2})\s*月(?:\s*(?P<d3>\d{1,2})\s*[日号號])?",
)


def dates_to_iso(order: Order = "day_first", language: Language = "en") -> Rule:
    """Write every date as year-month-day.

    Range: `July 4, 1776`, `4 July 1776`, `1776/7/4`, `1776年7月4日` and `07/04/1776`; `order` says what stands first in the last form, `named_only` leaves it.
    Differs: without a year a named date becomes `--07-04`, without a day `1776-07`; a date that does not exist, such as 31 April, stays.
    Source: the calendar-date forms of ISO 8601; month names of the language.

    >>> dates_to_iso().apply("on July 4th, 1776"), dates_to_iso("month_first").apply("07/04/1776"), dates_to_iso().apply("07/04/1776")
    ('on 1776-07-04', '1776-07-04', '1776-04-07')
    """

    def edits(text: str) -> tuple[Edit, ...]:
        found = [(match.span(), _written_date(match, order)) for match in _WRITTEN.finditer(text)]
        found += [(match.span(), _named_date(match, language)) for match in _named(language).finditer(text)]
        made: list[Edit] = []
        for (start, end), new in sorted(found):
            if new and new != text[start:end] and (not made or start >= made[-1].end):
                made.append(Edit(start, end, new))
        return tuple(made)

    return rewriting(edits)


def _written_date(match: "re.Match[str]", order: Order) -> str:
    if match["y1"]:
        return iso(match["y1"], int(match["m1"]), match["d1"])
    if match["y3"]:
        return iso(match["y3"], int(match["m3"]), match["d3"])
    if order == "named_only":
        return ""
    day, month = (match["a"], match["b"]) if order == "day_first" else (match["b"], match["a"])
    return iso(match["y2"], int(month), day)


def _named_date(match: "re.Match[str]", language: Language) -> str:
    month = (match["m1"] or match["m2"] or match["m3"]).rstrip(".").lower()
    return iso(match["y1"] or match["y2"] or match["y3"], _month_numbers(language).get(month, 0), match["d1"] or match["d2"])


def iso(year: str | None, month: int, day: str | None) -> str:
    """Write a date, empty when there is no such day.

    >>> iso("1776", 7, "4th"), iso("2023", 2, "29"), iso(None, 2, "29")
    ('1776-07-04', '', '--02-29')
    """
    number = int("".join(filter(str.isdecimal, day))) if day else 0
    known = int(year) if year else 2000
    if not 1 <= month <= 12 or not 1 <= known <= 9999:
        return ""
    if day and not 1 <= number <= monthrange(known, month)[1]:
        return ""
    head = f"{known:04d}" if year else "-"
    return f"{head}-{month:02d}" + (f"-{number:02d}" if day else "")


ENTRIES = entries("dates", dates_to_iso)
