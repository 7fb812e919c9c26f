"""Answers come out of every format as they went in."""

import csv
import gzip
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.data import Kind, read_table
from tests.hostile import texts

LOOKALIKES = [
    "007",
    "NA",
    "None",
    "null",
    "NaN",
    "nan",
    "1e5",
    "1.0",
    "2020-01-01",
    "12:30",
    "true",
    "True",
    "",
    " ",
    "\t",
    "0x1F",
    "1_000",
    "1,000",
    "[]",
    "{}",
    '"',
    "=1+1",
    "#N/A",
]
answers = st.sampled_from(LOOKALIKES) | texts
encodable = answers.filter(lambda text: not any("\ud800" <= character <= "\udfff" for character in text))


def rows_of(cells):
    return st.lists(st.tuples(cells, cells), min_size=1, max_size=5)


def jsonl(rows, ascii_only):
    return "".join(json.dumps({"id": a, "prediction": b}, ensure_ascii=ascii_only) + "\n" for a, b in rows).encode("utf-8", "surrogatepass")


def json_rows(rows, ascii_only):
    return json.dumps([{"id": a, "prediction": b} for a, b in rows], ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")


def json_columns(rows, ascii_only):
    return json.dumps({"predictions": [b for _, b in rows], "references": [a for a, _ in rows]}, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")


def delimited(rows, delimiter, quoting):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, quoting=quoting).writerows([("id", "prediction"), *rows])
    return out.getvalue().encode("utf-8", "surrogatepass")


def cells(table, *names):
    assert not table.bad_rows
    return list(zip(*(table.columns[name].texts for name in names), strict=True))


@given(rows_of(answers), st.booleans())
@example([(lookalike, lookalike) for lookalike in LOOKALIKES], True)
@example([("a", "\ud800"), ("b", "x\x00y")], True)
def test_jsonl(rows, ascii_only):
    table = read_table(jsonl(rows, ascii_only), "a.jsonl")
    assert cells(table, "id", "prediction") == rows
    assert list(table.places) == [f"line {number}" for number in range(1, len(rows) + 1)]


@given(rows_of(answers), st.booleans())
@example([(lookalike, lookalike) for lookalike in LOOKALIKES], True)
def test_json_list_of_objects(rows, ascii_only):
    assert cells(read_table(json_rows(rows, ascii_only), "a.json"), "id", "prediction") == rows


@given(rows_of(answers), st.booleans())
def test_json_lists_by_position(rows, ascii_only):
    assert cells(read_table(json_columns(rows, ascii_only), "a.json"), "references", "predictions") == rows


@given(st.dictionaries(answers, answers, min_size=1, max_size=5), st.booleans())
@example({lookalike: lookalike for lookalike in LOOKALIKES}, True)
def test_json_by_id(answers_by_id, ascii_only):
    content = json.dumps(answers_by_id, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert dict(cells(read_table(content, "a.json"), "id", "prediction")) == answers_by_id


@pytest.mark.parametrize(("delimiter", "name"), [(",", "a.csv"), ("\t", "a.tsv"), (";", "a.csv"), ("|", "a.csv"), ("\t", "")])
@given(rows=rows_of(answers), quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
@example(rows=[(lookalike, lookalike) for lookalike in LOOKALIKES], quoting=csv.QUOTE_MINIMAL)
@example(rows=[("1", "x\nb\ty"), ("2", '"'), ("", "")], quoting=csv.QUOTE_MINIMAL)
@example(rows=[("\x000\x0000", "00000000\x000\x0000")], quoting=csv.QUOTE_ALL)
@example(rows=[("\x000\x0000", "00000000\x000\x00")], quoting=csv.QUOTE_MINIMAL)
def test_delimited(delimiter, name, rows, quoting):
    table = read_table(delimited(rows, delimiter, quoting), name)
    assert cells(table, "id", "prediction") == rows
    assert list(table.places) == [f"row {number}" for number in range(2, len(rows) + 2)]


@given(st.lists(answers, min_size=1, max_size=5))
@example(["", "x", ""])
def test_csv_of_one_column(column):
    out = io.StringIO(newline="")
    csv.writer(out).writerows([("prediction",), *((cell,) for cell in column)])
    assert [cell for (cell,) in cells(read_table(out.getvalue().encode("utf-8", "surrogatepass"), "a.csv"), "prediction")] == column


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string()), pa.string_view()])
@given(rows=rows_of(st.none() | encodable))
@example(rows=[(lookalike, lookalike) for lookalike in LOOKALIKES])
def test_parquet(kind, rows):
    columns = {"id": pa.array([a for a, _ in rows], pa.string()).cast(kind), "prediction": pa.array([b for _, b in rows], pa.string()).cast(kind)}
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    assert cells(read_table(sink.getvalue(), "a.parquet"), "id", "prediction") == rows


@given(st.lists(st.none() | st.lists(answers, max_size=3), min_size=1, max_size=5), st.booleans())
def test_lists_of_references(lists, as_lines):
    objects = [{"prediction": "x", "references": cell} for cell in lists]
    content = "".join(json.dumps(row) + "\n" for row in objects) if as_lines else json.dumps(objects)
    column = read_table(content.encode(), "a.jsonl" if as_lines else "a.json").columns["references"]
    assert [None if kind == Kind.NULL else column.lists[row] for row, kind in enumerate(column.kinds)] == lists


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.gz", ""])
@given(rows=rows_of(answers))
def test_gzip(name, rows):
    assert cells(read_table(gzip.compress(jsonl([*rows, *rows], True)), name), "id", "prediction") == [*rows, *rows]


LITERALS = ["1", "2", "0", "-0", "-5", "1.0", "1.50", "1e5", "1E+2", "-0.0", "0.1", "12345678901234567890123", "NaN", "Infinity", "-Infinity"]
WRITTEN = {
    "null": (Kind.NULL, None),
    "true": (Kind.BOOLEAN, "true"),
    "false": (Kind.BOOLEAN, "false"),
    '"true"': (Kind.TEXT, "true"),
    '"1.0"': (Kind.TEXT, "1.0"),
}
WRITTEN |= {literal: (Kind.NUMBER, literal) for literal in LITERALS}
WRITTEN |= {
    '["1.0", "x"]': (Kind.TEXTS, None),
    "[1.0, 1e5]": (Kind.LIST, "[1.0, 1e5]"),
    "[[]]": (Kind.LIST, "[[]]"),
    '{"a": 1.0}': (Kind.OBJECT, '{"a": 1.0}'),
    "[]": (Kind.TEXTS, None),
}


@given(st.lists(st.sampled_from(sorted(WRITTEN)), min_size=1, max_size=4), st.sampled_from(["lines", "rows", "columns"]))
@example(["0", "-0"], "lines")
@example(["1", "2"], "lines")
@example(["1", "1.0"], "lines")
def test_json_values_keep_their_literal_and_their_kind(sources, shape):
    if shape == "lines":
        content, name = "".join(f'{{"id": "q", "prediction": {source}}}\n' for source in sources), "a.jsonl"
    elif shape == "rows":
        content, name = "[" + ", ".join(f'{{"id": "q", "prediction": {source}}}' for source in sources) + "]", "a.json"
    else:
        content, name = '{"predictions": [' + ", ".join(sources) + '], "references": [' + ", ".join(['"q"'] * len(sources)) + "]}", "a.json"
        if any(WRITTEN[source][0] == Kind.OBJECT for source in sources):
            return
    column = read_table(content.encode(), name).columns["prediction" if shape != "columns" else "predictions"]
    assert [(Kind(kind), text) for kind, text in zip(column.kinds, column.texts, strict=True)] == [WRITTEN[source] for source in sources]


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.sampled_from(sorted(WRITTEN)), max_size=3), min_size=1, max_size=6))
def test_lines_read_as_a_whole_equal_lines_read_one_by_one(rows):
    lines = "".join("{" + ", ".join(f'"{key}": {source}' for key, source in row.items()) + "}\n" for row in rows)
    whole = read_table(lines.encode(), "a.jsonl")
    one_by_one = read_table((lines + '{"odd": {"x": [1.0]}}\n').encode(), "a.jsonl")
    assert list(whole.places) == list(one_by_one.places)[:-1]
    for name, column in whole.columns.items():
        other = one_by_one.columns[name]
        assert column.kinds.tolist() == other.kinds.tolist()[:-1]
        assert list(column.as_texts()) == list(other.as_texts())[:-1]
