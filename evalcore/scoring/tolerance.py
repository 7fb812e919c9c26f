"""Tolerances: how far two numbers may be apart and still be equal."""

from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

from evalcore.text.numbers import first_number, value_of


class Bounds(NamedTuple):
    """An absolute difference, or a share of the reference; the other one is 0."""

    absolute: Decimal
    relative: Decimal


@lru_cache(maxsize=64)
def parse_tolerance(text: str) -> Bounds:
    """Read a tolerance such as `0.01` or `1%`.

    Raises: ValueError for anything that is no number from 0 up.

    >>> parse_tolerance("1%")
    Bounds(absolute=Decimal('0'), relative=Decimal('0.01'))
    """
    try:
        value = Decimal(text.strip().removesuffix("%"))
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or value < 0:
        raise ValueError(f"the tolerance is {text!r:.40}; a number from 0 up is needed, such as 0.01, or a percentage such as 1%")
    return Bounds(Decimal(0), value / 100) if text.strip().endswith("%") else Bounds(value, Decimal(0))


@lru_cache(maxsize=65536)
def whole_number(text: str) -> tuple[Decimal, bool] | None:
    """Read a text that is one number and nothing else; the flag tells whether it is a percentage.

    >>> whole_number("-1,000.50"), whole_number("5 km")
    ((Decimal('-1000.50'), False), None)
    """
    text = text.strip()
    number = first_number(text)
    if number is None or (number.start, number.end) != (0, len(text)):
        return None
    value = value_of(text[slice(*number.digits)])
    return value.copy_negate() if number.negative else value, bool(number.percent)


def within(prediction: str, reference: str, tolerance: str) -> bool:
    """Tell whether two texts are equal, or numbers within the tolerance.

    >>> within("3.14", "3.14159", "0.01"), within("101", "100", "1%"), within("50%", "50", "1")
    (True, True, False)
    """
    if prediction == reference:
        return True
    left, right = whole_number(prediction), whole_number(reference)
    if left is None or right is None or left[1] != right[1]:
        return False
    bounds = parse_tolerance(tolerance)
    return abs(left[0] - right[0]) <= max(bounds.absolute, bounds.relative * abs(right[0]))
