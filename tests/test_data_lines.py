"""JSON lines read as a block give what a JSON reader gives line by line."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.data.formats.rows import object_in
from evalcore.data.json_columns import read_lines
from evalcore.data.table import Column

LETTERS = st.one_of(st.sampled_from('a"\\/\b\f\n\r\t\x00\x1f\x7fé中😀\u2028{}[]:,0-. '), st.characters(exclude_categories=["Cs"]))
TEXT = st.text(LETTERS, max_size=6)
NUMBERS = ["0", "-0", "1.0", "1e5", "-1.5E+3", "12345678901234567890123", "0.10", "NaN", "-Infinity", "01", "1.", ".5", "+1", "-", "1e"]
WRITTEN = [
    *NUMBERS,
    "true",
    "false",
    "null",
    "nul",
    "True",
    "[]",
    "{}",
    "[ ]",
    '["a" , "b"]',
    '["a",1]',
    "[1, 2]",
    "[[1],[2]]",
    '{"x":{"y":[1.0,null]}}',
    '[",]"]',
]
BROKEN = [
    '{"x" 1}',
    "[1,]",
    "[1 2]",
    '["a""b"]',
    '["a",]',
    '{"x":nope}',
    '"\\ud83d\\ude00\\ud800\\u00e9"',
    '"\\x"',
    '"\\u12"',
    '["\\ud800","\\n"]',
    '"tab\there"',
    '"open',
]
VALUE = st.sampled_from([*WRITTEN, *BROKEN]) | TEXT.map(json.dumps) | TEXT.map(lambda text: json.dumps(text, ensure_ascii=False))
LISTS = st.lists(TEXT, max_size=3).map(json.dumps) | st.dictionaries(TEXT, TEXT | st.integers(), max_size=2).map(
    lambda found: json.dumps(found, ensure_ascii=False)
)
KEY = st.sampled_from(['"a"', '"b"', '"c"', '"é"', '"\\u0061"', '"\\ud800"', '""']) | TEXT.map(json.dumps)
GAP = st.sampled_from(["", " ", "\t", " \r"])


@st.composite
def lines_of(draw):
    pairs = draw(st.lists(st.tuples(KEY, VALUE | LISTS), max_size=4))
    gaps = [draw(GAP) for _ in range(4)]
    body = ",".join(f"{gaps[0]}{key}{gaps[1]}:{gaps[2]}{value}{gaps[3]}" for key, value in pairs)
    return draw(st.sampled_from(["{%s}", "{%s}", "{%s}", "{%s} ", "\t{%s}", "{%s}x", "{%s", "[%s]", "{%s,}"])) % body


LINE = lines_of() | st.sampled_from(["", " ", "\r", "{}", "null", "{", "\ufeff{}", '{"a": 1}\x0c'])


def one_by_one(text):
    rows, numbers, bad = [], [], []
    for number, line in enumerate(text.split(b"\n"), 1):
        row = object_in(line.strip()) if line.strip() else None
        if isinstance(row, dict):
            rows.append(row)
            numbers.append(number)
        elif row is not None:
            bad.append((f"line {number}", row))
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: Column.of([row.get(name) for row in rows]) for name in names}, numbers, bad


def cells(column):
    return list(zip(column.kinds.tolist(), column.as_texts(), column.as_lists(), strict=True))


@given(st.lists(LINE, max_size=8), st.integers(1, 3))
@example(['{"a": "\\ud83d\\ude00\\ud800x", "b": ["\\ud800", "\\u00e9"]}', '{"b": ["x"], "a": NaN}'], 1)
@example(['{"a": [1, {"b" : "\\n"}]}', '{"a": [1, {"b":2,"c":[ ]}]}', '{"a": [1, {"b" 2}]}'], 1)
@example(['{"a": 1, "a": 2}', '{"a": 3, "new": 4}', '{"a": 5}'], 2)
def test_blocks_equal_lines(lines, times):
    text = "\n".join(lines * times).encode("utf-8", "surrogatepass")
    columns, numbers, bad_rows, _ = read_lines([text], object_in)
    expected, places, bad = one_by_one(text)
    assert list(columns) == list(expected)
    assert numbers.tolist() == places
    assert [(row.place, row.message) for row in bad_rows] == bad
    assert {name: cells(column) for name, column in columns.items()} == {name: cells(column) for name, column in expected.items()}


@pytest.mark.parametrize("every", [1, 2, 7, 100])
def test_odd_lines_among_many(every):
    lines = [f'{{"id": {number}, "t": {"NaN" if number % every == 0 else 1.5}, "x": ["a", "{number}"]}}' for number in range(3000)]
    columns, numbers, bad_rows, _ = read_lines(["\n".join(lines).encode()], object_in)
    assert numbers.tolist() == list(range(1, 3001))
    assert not bad_rows
    assert list(columns["id"].texts) == [str(number) for number in range(3000)]
    assert [columns["x"].lists[row] for row in (0, 2999)] == [["a", "0"], ["a", "2999"]]
    assert columns["t"].texts.to_list().count("NaN") == len(range(0, 3000, every))


def test_keys_that_come_and_go():
    lines = [f'{{"k{number % 50}": "{number}"}}' for number in range(500)]
    columns, _, _, _ = read_lines(["\n".join(lines).encode()], object_in)
    assert list(columns) == [f"k{number}" for number in range(50)]
    assert all(column.texts.to_list().count(None) == 490 for column in columns.values())
