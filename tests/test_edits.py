"""Edits replay and map spans back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.text.edits import Edit, apply, between, origin
from tests.hostile import texts


@pytest.mark.parametrize(
    ("edits", "span", "expected"),
    [
        pytest.param([], (1, 3), (1, 3), id="nothing changed"),
        pytest.param([Edit(0, 4, "")], (0, 3), (4, 7), id="after a deletion"),
        pytest.param([Edit(3, 4, "")], (0, 3), (0, 3), id="before a deletion"),
        pytest.param([Edit(3, 4, "")], (0, 4), (0, 5), id="across a deletion"),
        pytest.param([Edit(1, 2, "ss")], (1, 2), (1, 2), id="half of a replacement widens"),
        pytest.param([Edit(1, 2, "ss")], (2, 4), (1, 3), id="from inside a replacement"),
        pytest.param([Edit(2, 2, "xy")], (2, 4), (2, 2), id="only inserted text"),
        pytest.param([Edit(0, 1, "t"), Edit(3, 6, " ")], (0, 4), (0, 6), id="two edits"),
        pytest.param([Edit(0, 3, "")], (0, 0), (3, 3), id="empty span after a deletion"),
    ],
)
def test_origin(edits, span, expected):
    assert origin(edits, *span) == expected


@pytest.mark.parametrize("edits", [[Edit(2, 1, "")], [Edit(0, 9, "")], [Edit(2, 3, ""), Edit(1, 2, "")], [Edit(0, 2, ""), Edit(1, 3, "")]])
def test_edits_that_do_not_fit_are_refused(edits):
    with pytest.raises(ValueError, match="does not follow"):
        apply("abcd", edits)


@given(texts, texts)
def test_between_replays(before, after):
    assert apply(before, between(before, after)) == after


@given(texts, st.data())
def test_origin_of_an_untouched_character_is_the_same_character(text, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    edits = [Edit(start, end, data.draw(st.sampled_from(["", "x", "yz"]))) for start, end in pairs]
    after = apply(text, edits)
    position = source = 0
    for edit in [*edits, Edit(len(text), len(text), "")]:
        for index in range(source, edit.start):
            assert origin(edits, position, position + 1) == (index, index + 1)
            assert after[position] == text[index]
            position += 1
        position += len(edit.new)
        source = edit.end
