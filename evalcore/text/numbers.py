"""Numbers in texts: where they stand, and one spelling for each."""

import re
from collections.abc import Iterator
from decimal import Context, Decimal, InvalidOperation
from functools import lru_cache
from typing import Literal, NamedTuple

from evalcore.text.edits import Edit
from evalcore.text.rules import Rule, rewriting
from evalcore.text.steps import entries

Marks = Literal["point", "comma"]
Percent = Literal["keep", "sign", "drop", "divide"]
Currency = Literal["keep", "drop"]

MINUS = "-\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d"  # Hyphen, minus sign, and the dashes that stand for it.
PLUS = "+\uff0b"
_CURRENCY = r"(?:US\$|A\$|C\$|HK\$|NT\$|R\$|[$€£¥₹₩₽₺₫฿₴＄￥￡¢]|(?:USD|EUR|GBP|JPY|CNY|RMB|INR|CHF|AUD|CAD)\b)"
_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_THIN_SPACES = "\u00a0\u2009\u202f"
_SPACES = " " + _THIN_SPACES
_PERCENT = r"[ \u00a0\u202f]?[%％]|[ \u00a0\u202f]?(?:percent\b|per\s+cent\b|Prozent\b|pour\s+cent\b|por\s+ciento\b|por\s+cento\b|procent\b)"
_PLAIN_DIGITS = 60  # Longer numbers are identifiers, not values.
_EXACT = Context(prec=2 * _PLAIN_DIGITS)  # Python's own context rounds every result to 28 digits, a change of sign too.


class Number(NamedTuple):
    """A number in a text.

    Offsets: `start` .. `end` hold sign, currency, digits and percent sign;
    `digits` is the span of the digits with their marks.
    """

    start: int
    end: int
    digits: tuple[int, int]
    negative: bool
    signed: bool
    currency: str
    percent: str


_DIGIT = re.compile(rf"[\d{_VULGAR}]")
_ASCII_DIGIT = re.compile("[0-9]")
_PLAIN_WORD = re.compile(r"[0-9]+(?=\.?(?:[\n<]|\Z| (?![%％pP\d])))")  # The word behind may be a percent sign in letters.
_WORD = re.compile(r"\S+")
_CODES = frozenset(("USD", "EUR", "GBP", "JPY", "CNY", "RMB", "INR", "CHF", "AUD", "CAD"))
_CODE_ENDS = frozenset("BDFPRYbdfpry")
_BEFORE_NUMBERS = frozenset(MINUS + PLUS + "$€£¥₹₩₽₺₫฿₴＄￥￡¢")
_NARROW = (" ", "\u00a0", "\u202f")
_LEFT = re.compile(rf"(?:(?:[{MINUS}{PLUS}]|{_CURRENCY})[ \u00a0\u202f]?){{1,3}}\Z", re.IGNORECASE)
_RIGHT = re.compile(r"[ \u00a0\u202f]?(?:[%％]|[A-Za-z]+(?: (?:cent|ciento|cento)\b)?)")


@lru_cache(maxsize=4)
def _pattern(marks: Marks) -> "re.Pattern[str]":
    point, comma = (r"[.．\u066b]", r"[,，\u066c]") if marks == "point" else (r"[,，\u066b]", r"[.．\u066c]")
    group = rf"(?:{comma}|['’{_THIN_SPACES}{' ' if marks == 'comma' else ''}])"
    grouped = rf"\d{{1,3}}(?P<g>{group})\d{{3}}(?:(?P=g)\d{{3}})*(?!\d)|\d{{1,2}}(?:{comma}\d{{2}})+{comma}\d{{3}}(?!\d)"
    digits = rf"(?:(?:{grouped}|\d+)(?:{point}\d+)?|{point}\d+)(?:[eE][-+\u2212]?\d{{1,3}}(?![A-Za-z0-9]))?(?:[{_VULGAR}])?|[{_VULGAR}]"
    sign = rf"(?:(?<![^\W\u3000-\u9fff_])(?<![)\]}}%.,])[{MINUS}{PLUS}])"
    # Before a space only a typeset minus is a sign; other dashes are bullets there, or part a range.
    spaced = r"(?:(?<![^\W\u3000-\u9fff_])(?<![)\]}%.,])(?<![\d)\]}%] )\u2212[ \u00a0\u202f])"
    compound = rf"(?!\d{{1,3}}(?:{comma}\d{{3}})+(?![\d.,]))(?:\d+(?:[/:.]\d+){{2,}}|\d+(?:-\d+){{2,}}|\d{{1,2}}:\d\d)"
    return re.compile(
        rf"(?P<skip>(?<![\d.])(?:{compound})(?!\d)|(?<![A-Za-z0-9_])[A-Za-z_]+[-.]?\d[\w.]*)"
        rf"|(?P<sign>{spaced}|{sign})?(?P<currency>{_CURRENCY}[ \u00a0\u202f]?)?"
        rf"(?P<inner>{sign})?(?<![A-Za-z_])(?P<digits>{digits})(?P<percent>{_PERCENT})?",
        re.IGNORECASE,
    )


def numbers_in(text: str, marks: Marks = "point") -> list[Number]:
    """Find the numbers of a text, in order.

    Range: `marks` says whether point or comma stands before decimals. The other one, an apostrophe or a narrow space may stand between groups,
        with `comma` also a plain space.
    Differs: dates (`1776-07-04`), times, versions and names such as `A1` are no numbers; in `10-20`, `10 - 20` and `- 20` the hyphen is no sign.

    >>> [text[n.start : n.end] for text in ["$-3.50 of 1,000 (10-20)"] for n in numbers_in(text)]
    ['$-3.50', '1,000', '10', '20']
    """
    return [number for region in _regions(text) for number in _each_number_of(text, region, marks)]


def first_number(text: str, marks: Marks = "point") -> Number | None:
    """Find the first number, None where there is none."""
    plain_one = plain_first(text)
    if plain_one is not None:
        return Number(*plain_one, plain_one, False, False, "", "")
    for region in _regions(text):
        number = next(_each_number_of(text, region, marks), None)
        if number is not None:
            return number
    return None


def plain_first(text: str) -> tuple[int, int] | None:
    """Give the span of the first number where it is a word of ASCII digits without sign, currency or percent sign; None where it may be more."""
    digit = (_ASCII_DIGIT if text.isascii() else _DIGIT).search(text)
    if digit is None:
        return None
    start = digit.start()
    if start > 0 and (text[start - 1] not in " \n>" or _ends_in_sign(text, start - 1)):
        return None
    found = _PLAIN_WORD.match(text, start)
    return None if found is None else found.span()


def _ends_in_sign(text: str, end: int) -> bool:
    """Tell whether a word that ends at a place may end in a sign or a currency."""
    last = text[end - 1 : end]
    return last in _BEFORE_NUMBERS or (last in _CODE_ENDS and text[max(end - 3, 0) : end].upper() in _CODES)


def last_number(text: str, marks: Marks = "point") -> Number | None:
    """Find the last number, None where there is none."""
    stop = len(text)
    while stop >= 0:
        start = text.rfind("\n", 0, stop) + 1
        for region in reversed(list(_regions(text, start, stop))):
            numbers = list(_each_number_of(text, region, marks))
            if numbers:
                return numbers[-1]
        stop = start - 1
    return None


def _regions(text: str, first: int = 0, stop: int | None = None) -> Iterator[tuple[int, int]]:
    """Give the stretches that may hold numbers: words with a digit, and what belongs to them on either side."""
    start = end = -1
    stop = len(text) if stop is None else stop
    digits = _ASCII_DIGIT if text.isascii() else _DIGIT
    position = first
    while (digit := digits.search(text, position, stop)) is not None:
        begin = digit.start()
        while begin > position and not text[begin - 1].isspace():
            begin -= 1
        word = _WORD.match(text, digit.start(), stop)
        position = word.end() if word else stop
        if text[begin - 1 : begin] in _NARROW:
            left = _LEFT.search(text, max(first, begin - 12), begin)
            begin = left.start() if left else begin
        right = _RIGHT.match(text, position)
        if begin <= end + 1 and start >= 0:
            end = right.end() if right else position
            continue
        if start >= 0:
            yield start, end
        start, end = begin, right.end() if right else position
    if start >= 0:
        yield start, end


def _each_number_of(text: str, region: tuple[int, int], marks: Marks) -> Iterator[Number]:
    for match in _pattern(marks).finditer(text, *region):
        skip, sign, currency, inner, percent = match.group("skip", "sign", "currency", "inner", "percent")
        if skip is None:
            sign = (sign or inner or "").strip()
            yield Number(match.start(), match.end(), match.span("digits"), sign in MINUS and bool(sign), bool(sign), currency or "", percent or "")


def value_of(digits: str, marks: Marks = "point") -> Decimal:
    """Read the digits of a number, marks between groups and all.

    Raises: ValueError when they are no number.

    >>> value_of("1.299,50", "comma"), value_of("1½")
    (Decimal('1299.50'), Decimal('1.5'))
    """
    vulgar = Decimal(0)
    if digits and digits[-1] in _VULGAR:
        upper, lower = _FRACTIONS[digits[-1]]
        vulgar = Decimal(upper) / Decimal(lower)
        digits = digits[:-1] or "0"
    point, comma = (".．\u066b", ",，\u066c") if marks == "point" else (",，\u066b", ".．\u066c")
    plain = "".join("." if c in point else "-" if c == "\u2212" else c for c in digits if c not in comma and c not in "'’ " + _THIN_SPACES)
    try:
        value = Decimal(plain)
    except InvalidOperation:
        raise ValueError(f"{digits!r:.60} is no number") from None
    return _EXACT.add(value, vulgar) if vulgar else value


_FRACTIONS = {
    **{"¼": (1, 4), "½": (1, 2), "¾": (3, 4), "⅐": (1, 7), "⅑": (1, 9), "⅒": (1, 10), "⅓": (1, 3), "⅔": (2, 3)},
    **{"⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8)},
}


def plain(value: Decimal) -> str:
    """Write a number without needless zeros, and without an exponent where it is short.

    >>> plain(Decimal("3.00")), plain(Decimal("007")), plain(Decimal("6.02e23")), plain(Decimal("-0"))
    ('3', '7', '6.02e23', '0')
    """
    if value == 0:
        return "0"
    sign, digits, exponent = value.as_tuple()
    while len(digits) > 1 and digits[-1] == 0:
        digits, exponent = digits[:-1], int(exponent) + 1
    first = int(exponent) + len(digits) - 1
    text = "".join(map(str, digits))
    if -7 < first < 21 or (int(exponent) <= 0 <= first < _PLAIN_DIGITS):
        shown = _with_point(text, int(exponent))
    else:
        shown = f"{text[0]}{'.' if len(text) > 1 else ''}{text[1:]}e{first}"
    return ("-" if sign else "") + shown


def _with_point(digits: str, exponent: int) -> str:
    if exponent >= 0:
        return digits + "0" * exponent
    digits = digits.rjust(-exponent + 1, "0")
    return f"{digits[:exponent]}.{digits[exponent:]}"


def spelled(text: str, number: Number, marks: Marks, currency: Currency, percent: Percent) -> str:
    """Write one number of a text in its canonical form.

    Empty: a number too long to be a value, or of several zeros, stays as it is.
    """
    digits = text[slice(*number.digits)]
    if len(digits) > _PLAIN_DIGITS or (len(digits) > 1 and set(digits) == {"0"}):
        return text[number.start : number.end]
    value = value_of(digits, marks)
    value = value.copy_negate() if number.negative else value
    if number.percent and percent == "divide":
        value = value.scaleb(-2, _EXACT)
    written = plain(value)
    if currency == "keep" and number.currency:
        sign = "-" if written.startswith("-") else ""
        written = sign + number.currency + written.removeprefix("-")
    if not number.percent or percent in ("drop", "divide"):
        return written
    return written + ("%" if percent == "sign" or number.percent.strip() in "%％" else number.percent)


def canonical_numbers(marks: Marks = "point", currency: Currency = "keep", percent: Percent = "keep") -> Rule:
    """Write every number in one way.

    Range: `3.0` and `3`, `1,000` and `1000`, `－５` and `-5`, `½` and `0.5` become equal; signs and ranges are kept, a dash between numbers becomes a hyphen.
    Differs: with `point` the text `4,7` stays, with `comma` it becomes `4.7`; `percent` `sign` writes % for the word, `divide` makes 0.5 of 50%.
    Source: the Unicode decimal digits of every script, minus sign and dashes, marks as written in English or in most of Europe.

    >>> canonical_numbers().apply("−3.50 to 1,000.0 of ４２"), canonical_numbers().apply("4,7")
    ('-3.5 to 1000 of 42', '4,7')
    """

    def edits(text: str) -> tuple[Edit, ...]:
        made: list[Edit] = []
        end = -1
        for number in numbers_in(text, marks):
            between = text[end : number.start].strip(_SPACES) if end >= 0 else ""
            if len(between) == 1 and between in MINUS and between != "-":
                dash = text.index(between, end)
                made.append(Edit(dash, dash + 1, "-"))
            new = spelled(text, number, marks, currency, percent)
            if new != text[number.start : number.end]:
                made.append(Edit(number.start, number.end, new))
            end = number.end
        return tuple(made)

    return rewriting(edits)


ENTRIES = entries("numbers", canonical_numbers)
