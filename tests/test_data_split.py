"""Cells cut at a separator: the column kernel and the single cell agree on every text."""

import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.data.cells import split
from evalcore.data.split_kernel import split_column
from evalcore.text.columns import Texts

SPACES = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()]
LETTERS = st.one_of(st.sampled_from(["|", "||", " ", "é", "中", "a", "\u200b", "\ufeff", "\ud800", "、", ";", *SPACES]), st.characters())
CELL = st.none() | st.lists(LETTERS, max_size=8).map("".join)


@given(st.lists(CELL, max_size=6), st.sampled_from(["|", "||", " | ", "、", ";", "\n", "\ud800", "a|"]))
@example(["|", "", None, "a||b", "||||", "|a| "], "||")
def test_the_column_equals_the_cells(cells, separator):
    found = split_column(Texts.of(cells), separator)
    assert [found[row] for row in range(len(cells))] == [split(cell or "", separator) for cell in cells]


@pytest.mark.parametrize("space", SPACES, ids=[f"U+{ord(space):04X}" for space in SPACES])
def test_every_white_space_is_trimmed(space):
    found = split_column(Texts.of([f"{space}a{space}b{space}|{space}中{space}{space}|{space}"]), "|")
    assert found[0] == [f"a{space}b", "中"]
