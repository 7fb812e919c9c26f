"""Texts folded at once are what Python's str.casefold makes of each."""

import numpy as np
import pyarrow as pa
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalcore.text.columns import Texts
from evalcore.text.folding import BEYOND, GROWS, LANES, fold
from tests.counts import examples
from tests.hostile import long_texts, texts

EVERY = [chr(code) for code in range(0x110000)]


def encoded(text):
    return None if text is None else text.encode("utf-8", "surrogatepass")


def folded(rows):
    return fold(Texts.of(rows)).array.to_pylist()


def expected(rows):
    return [encoded(None if row is None else row.casefold()) for row in rows]


def test_every_character():
    assert folded(EVERY) == expected(EVERY)


def test_no_character_grows_beyond_the_room_it_has():
    assert max(len(encoded(letter.casefold())) / len(encoded(letter)) for letter in EVERY) == GROWS
    assert all(len(encoded(letter.casefold())) == 1 for letter in EVERY[:0x80])


def test_every_place():
    rows = [before * "x" + letter + after * "Y" for letter in ("A", "É", "ß", "北", "𐐀", "\u0390") for before in range(LANES + 2) for after in (0, 1, LANES)]
    assert folded(rows) == expected(rows)


@given(st.lists(texts | st.none(), max_size=12))
@example([])
@example([None, "", None])
@settings(max_examples=examples(300))
def test_texts(rows):
    assert folded(rows) == expected(rows)


@given(st.lists(long_texts, min_size=1, max_size=3))
@settings(max_examples=examples(20), deadline=None)
def test_long_texts(rows):
    assert folded(rows) == expected(rows)


@given(st.lists(texts | st.none(), min_size=2, max_size=8), st.integers(0, 4))
@settings(max_examples=examples(60))
def test_part_of_a_column(rows, start):
    assert fold(Texts.of(rows)[start:]).array.to_pylist() == expected(rows[start:])


@given(st.lists(texts, min_size=1, max_size=4), st.integers(BEYOND, 0xFF))
@settings(max_examples=examples(60))
def test_what_parts_texts_stays(rows, byte):
    between = bytes([byte])
    whole = between.join(map(encoded, rows))
    assert fold(Texts(pa.array([whole], pa.large_binary()))).array.to_pylist() == [between.join(expected(rows))]


def test_a_null_that_has_bytes_has_none():
    data = pa.py_buffer(b"ABC")
    array = pa.Array.from_buffers(pa.large_binary(), 3, [pa.py_buffer(bytes([0b101])), pa.py_buffer(np.array([0, 1, 2, 3])), data])
    assert fold(Texts(array)).array.to_pylist() == [b"a", None, b"c"]


@given(st.lists(st.binary(max_size=40), max_size=6))
@settings(max_examples=examples(200))
def test_bytes_that_are_no_utf8_stop_nothing(rows):
    assert len(fold(Texts(pa.array(rows, pa.large_binary())))) == len(rows)
