"""Numbers: one spelling for each value, and never another value."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.text.catalogue import step
from evalcore.text.edits import apply
from evalcore.text.numbers import numbers_in, plain, value_of

CANONICAL = [
    ({}, "3.0", "3"),
    ({}, "1,000", "1000"),
    ({}, "1,000.50", "1000.5"),
    ({}, "1,00,000", "100000"),
    ({}, "1 000 and 1\u202f000", "1 000 and 1000"),
    ({}, "1'000", "1000"),
    ({}, "4,7", "4,7"),
    ({}, "007", "7"),
    ({}, ".5", "0.5"),
    ({}, "5.", "5."),
    ({}, "+5", "5"),
    ({}, "-0.0", "0"),
    ({}, "−8", "-8"),
    ({}, "－５．０", "-5"),
    ({}, "–8", "-8"),
    ({}, "8", "8"),
    ({}, "1911–1925", "1911-1925"),
    ({}, "1911-1925", "1911-1925"),
    ({}, "10 – 20", "10 - 20"),
    ({}, "10 - 20", "10 - 20"),
    ({}, "10 − 20", "10 - 20"),
    ({}, "- 20.0 and − 5.0", "- 20 and -5"),
    ({}, "１，２３４", "1234"),
    ({}, "٤٢ ४२", "42 42"),
    ({}, "١٬٢٣٤٫٥", "1234.5"),
    ({}, "½ and 1½", "0.5 and 1.5"),
    ({}, "x²", "x²"),
    ({}, "6.02e23", "6.02e23"),
    ({}, "1e3", "1000"),
    ({}, "1776-07-04 07/04/1776 12:05 1.2.3", "1776-07-04 07/04/1776 12:05 1.2.3"),
    ({}, "A1 v2.0 H2O COVID-19", "A1 v2.0 H2O COVID-19"),
    ({}, "5.0km", "5km"),
    ({}, "-$3.50", "-$3.5"),
    ({}, "$-3.50", "-$3.5"),
    ({"currency": "drop"}, "$18.90 or USD 1,000.00 or €5", "18.9 or 1000 or 5"),
    ({}, "50.0%", "50%"),
    ({}, "12.50 percent", "12.5 percent"),
    ({"percent": "sign"}, "12.50 percent", "12.5%"),
    ({"percent": "drop"}, "45%", "45"),
    ({"percent": "divide"}, "50%", "0.5"),
    ({"marks": "comma"}, "4,7", "4.7"),
    ({"marks": "comma"}, "1.299,50", "1299.5"),
    ({"marks": "comma"}, "3.0", "3.0"),
    ({}, "答案是－４２元", "答案是-42元"),
    ({}, "9" * 100, "9" * 100),
    ({}, "12345678901234567890123456789012345", "12345678901234567890123456789012345"),
    ({}, "-12345678901234567890123456789012345.0", "-12345678901234567890123456789012345"),
    ({}, "0.123456789012345678901234567890123450", "0.12345678901234567890123456789012345"),
    ({}, "12345678901234567890123456789012345½", "12345678901234567890123456789012345.5"),
    ({"percent": "divide"}, "12345678901234567890123456789012345%", "123456789012345678901234567890123.45"),
]


@pytest.mark.parametrize(("parameters", "before", "after"), CANONICAL)
def test_canonical_numbers(parameters, before, after):
    made = step("canonical_numbers", **parameters)
    assert made.apply(before) == after
    assert apply(before, made.edits(before)) == after


def test_one_edit_a_number():
    assert len(step("canonical_numbers").edits("3.0 and 1,000 and 7")) == 2


TAKEN = [
    ({}, "It is about (2.71).", "2.71"),
    ({}, "The profit is $52,000.", "52000"),
    ({}, "The answer is 64, in all, for both.", "64"),
    ({}, "ANSWER: 45%", "45%"),
    ({"percent": "drop"}, "ANSWER: 45%", "45"),
    ({}, "ANSWER: 937", "937"),
    ({}, "He ends at minus six.\n#### -6", "-6"),
    ({}, "The result is −5 (below zero).", "-5"),
    ({}, "Range: 10-20", "20"),
    ({}, "Between 10 - 20", "20"),
    ({}, "pages 10 – 20", "20"),
    ({}, "The answer - 42", "42"),
    ({}, "- 42", "42"),
    ({}, "x = − 5", "-5"),
    ({}, "it is − 5", "-5"),
    ({}, "答案是− 5", "-5"),
    ({}, "8 − 5", "5"),
    ({"choice": "first"}, "Range: 10-20", "10"),
    ({"choice": "all"}, "3 cats, 4.0 dogs", "3, 4"),
    ({"spelling": "written"}, "It is $1,000.00", "$1,000.00"),
    ({}, "It costs €1.299,50 in total.", "50"),
    ({"marks": "comma"}, "It costs €1.299,50 in total.", "1299.5"),
    ({}, "答案是４２。", "42"),
    ({}, "no number, at all.", ""),
    ({}, "5 km", "5"),
]


@pytest.mark.parametrize(("parameters", "before", "after"), TAKEN)
def test_take_number(parameters, before, after):
    made = step("take_number", **parameters)
    assert made.apply(before) == after
    assert apply(before, made.edits(before)) == after


WORDS = [
    ("en", "one hundred and two cows, minus six", "102 cows, -6"),
    ("en", "twenty-five", "25"),
    ("en", "three point one four", "3.14"),
    ("en", "1.5 million people", "1500000 people"),
    ("en", "nobody", "nobody"),
    ("de", "einundzwanzig Hunde", "21 Hunde"),
    ("fr", "vingt et un", "21"),
    ("es", "treinta y dos", "32"),
]


@pytest.mark.parametrize(("language", "before", "after"), WORDS)
def test_number_words(language, before, after):
    assert step("read_number_words", language=language).apply(before) == after


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**12), max_value=10**12))
def test_the_canonical_form_keeps_the_value_and_is_final(value):
    written = plain(value)
    assert Decimal(written) == value
    assert plain(Decimal(written)) == written
    assert step("canonical_numbers").apply(f"it is {value:,f}") == f"it is {written}"


@given(st.integers(-(10**9), 10**9), st.sampled_from(["point", "comma"]))
def test_grouping_marks_change_no_value(value, marks):
    grouped = f"{value:,}".replace(",", "," if marks == "point" else ".")
    number = numbers_in(grouped, marks)
    assert len(number) == 1
    assert value_of(grouped[slice(*number[0].digits)], marks) == abs(value)
    assert number[0].negative == (value < 0)
