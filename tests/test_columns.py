"""Columns of texts keep every text, and show their bytes to the kernels."""

import pickle

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.text.character_tables import codes_of, text_of
from evalcore.text.columns import Texts
from evalcore.text.decoding import decode_rows
from evalcore.text.normalized import normalize
from evalcore.text.pipeline import Pipeline
from evalcore.text.program import program_of
from tests.hostile import texts

rows_of_texts = st.lists(st.none() | texts, max_size=10)


@given(rows_of_texts)
def test_what_goes_in_comes_out(rows):
    column = Texts.of(rows)
    assert column.to_list() == rows
    assert [column[row] for row in range(len(rows))] == rows
    assert pickle.loads(pickle.dumps(column)) == column
    assert column.is_null().tolist() == [row is None for row in rows]
    assert column.byte_lengths().tolist() == [len((row or "").encode("utf-8", "surrogatepass")) for row in rows]


@given(rows_of_texts, st.data())
def test_slices_and_picks_show_the_right_bytes(rows, data):
    start, stop = sorted((data.draw(st.integers(0, len(rows))), data.draw(st.integers(0, len(rows)))))
    picked = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=5)) if rows else []
    for column, expected in ((Texts.of(rows)[start:stop], rows[start:stop]), (Texts.of(rows).take(picked), [rows[row] for row in picked])):
        content, starts, ends = column.utf8()
        assert [bytes(content[a:b]).decode("utf-8", "surrogatepass") for a, b in zip(starts, ends, strict=True)] == [row or "" for row in expected]
        assert [array.flags.writeable for array in (content, starts, ends)] == [False] * 3


@given(rows_of_texts)
def test_the_kernel_decodes_as_python_does(rows):
    content, starts, ends = Texts.of(rows).utf8()
    codes = np.zeros(len(content) + 1, dtype=np.uint32)
    code_starts, code_ends = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
    assert decode_rows(content, starts, ends, np.arange(len(rows)), codes, code_starts, code_ends) == -1
    assert [text_of(codes[a:b]) for a, b in zip(code_starts, code_ends, strict=True)] == [row or "" for row in rows]


@given(texts)
def test_code_points_turn_back_into_the_text(text):
    assert text_of(codes_of(text)) == text
    assert codes_of(text).tolist() == [ord(character) for character in text]


@pytest.mark.parametrize(
    "array",
    [
        pa.array(["a", None, "é"]),
        pa.array(["a", None, "é"], pa.large_string()),
        pa.array(["a", None, "é"], pa.string_view()),
        pa.array(["a", None, "é"]).dictionary_encode(),
        pa.chunked_array([["a"], [None, "é"]]),
        pa.chunked_array([], pa.string()),
        pa.nulls(3),
        pa.array([b"a", None, "é".encode()]),
        pa.array(["x", "a", None, "é"])[1:],
    ],
    ids=str,
)
def test_arrow_arrays_are_read(array):
    column = Texts.from_arrow(array)
    expected = [value.decode() if isinstance(value, bytes) else value for value in array.to_pylist()]
    assert column.to_list() == expected
    assert normalize(column, program_of(Pipeline(()), "whitespace")).texts() == [value or "" for value in expected]


def test_bytes_under_a_null_are_not_read():
    data, offsets = pa.py_buffer(b"ahidden"), pa.py_buffer(np.array([0, 1, 7], dtype=np.int64).tobytes())
    array = pa.Array.from_buffers(pa.large_binary(), 2, [pa.py_buffer(b"\x01"), offsets, data])
    assert normalize(Texts(array), program_of(Pipeline(()), "whitespace")).texts() == ["a", ""]


def test_buffers_that_are_not_aligned_are_read():
    offsets = pa.py_buffer(b"?" + np.array([0, 1, 3], dtype=np.int64).tobytes()).slice(1)
    array = pa.Array.from_buffers(pa.large_binary(), 2, [None, offsets, pa.py_buffer(b"abc")])
    assert normalize(Texts(array), program_of(Pipeline(()), "whitespace")).texts() == ["a", "bc"]


def test_arrays_without_texts_are_refused():
    with pytest.raises(TypeError, match="int64 holds no texts"):
        Texts.from_arrow(pa.array([1]))


def test_rows_without_texts_are_named():
    with pytest.raises(TypeError, match=r"row 1 is 3 \(int\)"):
        Texts.of(["a", 3])


def test_numbers_are_texts():
    assert Texts.numbers(12).to_list() == [str(number) for number in range(12)]
