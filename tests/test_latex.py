"""LaTeX: one form for what looks the same, and never another formula."""

import pytest

from evalcore.text.catalogue import step
from evalcore.text.draft import Draft
from evalcore.text.edits import Edit, apply
from evalcore.text.latex import hendrycks_form

SIMPLE = [
    (r"$\frac{1}{2}$", r"\frac{1}{2}"),
    (r"\dfrac12", r"\frac{1}{2}"),
    (r"\frac1{23}", r"\frac{1}{23}"),
    (r"2\sqrt3", r"2\sqrt{3}"),
    (r"\sqrt{3}", r"\sqrt{3}"),
    (r"\left(5, \frac{\pi}{3}\right)", r"(5,\frac{\pi}{3})"),
    (r"(5, \frac{\pi}{4})", r"(5,\frac{\pi}{4})"),
    (r"\( 42 \)", "42"),
    (r"1{,}000", "1,000"),
    (r"\text{north west}", "north west"),
    (r"\boxed{\text{(C)}}", "(C)"),
    (r"90^\circ and 90^{\circ}", "90° and 90°"),
    (r"50\%", "50%"),
    (r"\$18.90", "$18.90"),
    (r"x \leq 3", "x≤3"),
    ("plain words here", "plain words here"),
    ("-5", "-5"),
]


@pytest.mark.parametrize(("before", "after"), SIMPLE)
def test_simplify_latex(before, after):
    made = step("simplify_latex")
    assert made.apply(before) == after
    assert apply(before, made.edits(before)) == after


HENDRYCKS = [
    (r"\dfrac{1}{2}", r"\frac{1}{2}"),
    (r"\frac12", r"\frac{1}{2}"),
    (r"\frac1{23}", r"\frac{1}{23}"),
    ("0.5", r"\frac{1}{2}"),
    ("0.25", "0.25"),
    ("1/2", r"\frac{1}{2}"),
    ("01/2", "01/2"),
    ("a/b", "a/b"),
    (r"x = 7", "7"),
    ("abc=7", "abc=7"),
    (r"5\text{ cm}^2", "5"),
    (r"\text{ a}\text{ b}", None),
    (r"\sqrt3", r"\sqrt{3}"),
    (r"2\sqrt", None),
    (r"\frac", None),
    (r"\frac1", r"\frac1"),
    (r"\frac1\frac", r"\frac1\frac"),
    (".5", r"\frac{1}{2}"),
    ("90^\\circ", "90"),
    (r"10\%", "10"),
    ("1,000", "1,000"),
    (r"\text{(C)}", r"\text{(C)}"),
    ("", ""),
]


@pytest.mark.parametrize(("before", "after"), HENDRYCKS)
def test_hendrycks_latex(before, after):
    assert hendrycks_form(before) == after
    made = step("hendrycks_latex")
    assert made.apply(before) == (before if after is None else after)
    assert apply(before, made.edits(before)) == made.apply(before)


def test_only_the_fraction_differs():
    made = step("simplify_latex")
    left, right = made.apply(r"(5, \frac{\pi}{4})"), made.apply(r"\left(5, \frac{\pi}{3}\right)")
    assert [(a, b) for a, b in zip(left, right, strict=True) if a != b] == [("4", "3")]


def test_a_draft_states_several_rounds_as_one():
    draft = Draft("a b c")
    draft.replace(" ", "")
    draft.make([Edit(1, 2, "xy"), Edit(3, 3, "!")])
    assert (draft.text, apply("a b c", draft.edits())) == ("axyc!", "axyc!")
    assert Draft("same").edits() == ()
