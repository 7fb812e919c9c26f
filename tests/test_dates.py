"""Dates: one spelling for each day, and none for a day that is not there."""

import pytest

from evalcore.text.catalogue import step
from evalcore.text.edits import apply

ROWS = [
    ({}, "July 4, 1776", "1776-07-04"),
    ({}, "4 July 1776", "1776-07-04"),
    ({}, "the 4th of July, 1776", "1776-07-04"),
    ({}, "on Jul. 4 1776.", "on 1776-07-04."),
    ({}, "July 1776", "1776-07"),
    ({}, "4 July", "--07-04"),
    ({}, "1776/7/4 1776.07.04 1776-7-4", "1776-07-04 1776-07-04 1776-07-04"),
    ({}, "1776年7月4日 and 1776年7月", "1776-07-04 and 1776-07"),
    ({}, "07/04/1776", "1776-04-07"),
    ({"order": "month_first"}, "07/04/1776", "1776-07-04"),
    ({"order": "named_only"}, "07/04/1776", "07/04/1776"),
    ({}, "31/04/2023 and 30 February 2023", "31/04/2023 and 30 February 2023"),
    ({}, "you may go in march", "you may go in march"),
    ({}, "it may 5 times", "it --05-05 times"),
    ({}, "1.2.3.4 and 1/2/3", "1.2.3.4 and 1/2/3"),
    ({"language": "de"}, "4. Juli 1776 und 3. März 2020", "1776-07-04 und 2020-03-03"),
    ({"language": "fr"}, "le 14 juillet 1789", "le 1789-07-14"),
    ({"language": "es"}, "4 de julio de 1776", "1776-07-04"),
    ({}, "14 juillet 1789", "14 juillet 1789"),
]


@pytest.mark.parametrize(("parameters", "before", "after"), ROWS)
def test_rows(parameters, before, after):
    made = step("dates_to_iso", **parameters)
    assert made.apply(before) == after
    assert apply(before, made.edits(before)) == after
