"""Every kind of file is recognised as what it is, by its content first."""

import csv
import gzip
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evalcore.data import FORMATS, FormatError, Kind, load, read, read_table
from tests.test_formats_pairs import ADDING, PAIRS, REFUSED, ROUND_TRIPS
from tests.test_formats_tools import FILES

TOOLS = {row[2] for row in (*FILES, *REFUSED)} | {format for row in PAIRS for format in row[3]} | {*ADDING, *ROUND_TRIPS}


def parquet(table):
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


PARQUET = parquet(pa.table({"id": ["1"], "prediction": ["x"]}))
SQUAD = {
    "version": "1.1",
    "data": [{"title": "T", "paragraphs": [{"context": "C", "qas": [{"id": "1", "question": "Q", "answers": [{"text": "x", "answer_start": 0}]}]}]}],
}

# label, content, name, format, columns, words of the reason
RECOGNISED = [
    ("JSON lines", b'{"id": "1"}\n{"id": "2"}\n', "a.jsonl", "JSONL", ("id",), "lines are JSON objects"),
    ("JSON lines under another name", b'{"id": "1"}\n{"id": "2"}\n', "a.json", "JSONL", ("id",), "lines are JSON objects"),
    ("JSON lines without a name", b'{"id": "1"}\n{"id": "2"}\n', "", "JSONL", ("id",), "lines are JSON objects"),
    ("one JSON line", b'{"id": "1", "prediction": "x"}', "a.jsonl", "JSONL", ("id", "prediction"), "its name ends in .jsonl"),
    ("the same as a document", b'{"id": "1", "prediction": "x"}', "a.json", "JSON by id", ("id", "prediction"), "object of id to answer"),
    ("JSON lines with Windows ends", b'{"id": "1"}\r\n{"id": "2"}\r\n', "a.jsonl", "JSONL", ("id",), "lines"),
    ("a list of objects", b'[{"id": "1"}, {"id": "2"}]', "a.json", "JSON rows", ("id",), "list of objects"),
    ("a list of objects named jsonl", b'[{"id": "1"}, {"id": "2"}]', "a.jsonl", "JSON rows", ("id",), "list of objects"),
    ("objects under a key", b'{"run": "r", "results": [{"id": "1"}]}', "a.json", "JSON rows", ("id",), "under 'results'"),
    ("lists by position", b'{"predictions": ["x"], "references": [["x", "y"]]}', "a.json", "JSON rows", ("predictions", "references"), "hold lists"),
    ("a list of texts", b'["x", "y"]', "a.json", "JSON rows", ("prediction",), "by position"),
    ("a list of lists", b'[["x"], ["y", "z"]]', "a.json", "JSON rows", ("references",), "by position"),
    ("id to text", b'{"q1": "x", "q2": ""}', "predictions.json", "JSON by id", ("id", "prediction"), "id to answer"),
    ("id to whole numbers", b'{"q1": 1, "q2": 2}', "a.json", "JSON by id", ("id", "prediction"), "id to answer"),
    ("id to references", b'{"q1": ["x"], "q2": ["y"]}', "a.json", "JSON rows", ("q1", "q2"), "hold lists"),
    ("id to references of different lengths", b'{"q1": ["x", "z"], "q2": ["y"]}', "a.json", "JSON by id", ("id", "references"), "id to references"),
    ("id to objects", b'{"0": {"prediction": "x", "gold": "y"}, "1": {"prediction": "z"}}', "a.json", "JSON by id", ("id", "prediction", "gold"), "id to rows"),
    ("a SQuAD dataset", json.dumps(SQUAD).encode(), "dev.json", "SQuAD dataset", ("id", "question", "context", "answers", "title"), "paragraphs"),
    ("CSV", b"id,prediction\n1,x\n", "a.csv", "CSV", ("id", "prediction"), "commas"),
    ("CSV with semicolons", b"id;prediction\n1;x, y\n", "a.csv", "CSV", ("id", "prediction"), "semicolons"),
    ("CSV with bars", b"id|prediction\n1|x\n", "a.csv", "CSV", ("id", "prediction"), "vertical bars"),
    ("CSV with old Mac ends", b"id,prediction\r1,x\r2,y\r", "a.csv", "CSV", ("id", "prediction"), "commas"),
    ("CSV without a name", b"id,prediction\n1,x\n2,y\n", "", "CSV", ("id", "prediction"), "commas"),
    ("CSV named json", b"id,prediction\n1,x\n2,y\n", "a.json", "CSV", ("id", "prediction"), "commas"),
    ("CSV whose heading is JSON", b'{"raw": "x"},prediction\n1,x\n', "a.csv", "CSV", ('{"raw": "x"}', "prediction"), "commas"),
    ("TSV", b"id\tprediction\n1\tx, y; z\n", "a.tsv", "TSV", ("id", "prediction"), "tabs"),
    ("TSV in a txt", b"id\tprediction\n1\tx\n", "a.txt", "TSV", ("id", "prediction"), "tabs"),
    ("one column", b"prediction\nx\n\ny\n", "a.csv", "CSV", ("prediction",), ".csv"),
    ("Parquet", PARQUET, "a.parquet", "Parquet", ("id", "prediction"), "PAR1"),
    ("Parquet under another name", PARQUET, "a.csv", "Parquet", ("id", "prediction"), "PAR1"),
    ("gzip", gzip.compress(b"id,prediction\n1,x\n"), "a.csv.gz", "CSV", ("id", "prediction"), "commas"),
    ("UTF-8 with BOM", b"\xef\xbb\xbfid,prediction\n1,x\n", "a.csv", "CSV", ("id", "prediction"), "commas"),
    ("UTF-16 with BOM", "id,prediction\n1,x\n".encode("utf-16"), "a.csv", "CSV", ("id", "prediction"), "commas"),
    ("UTF-16 without BOM", "id,prediction\n1,x\n".encode("utf-16-le"), "a.csv", "CSV", ("id", "prediction"), "commas"),
    ("JSON with BOM", b'\xef\xbb\xbf{"q1": "x"}', "a.json", "JSON by id", ("id", "prediction"), "id to answer"),
]


@pytest.mark.parametrize(("content", "name", "format", "columns", "reason"), [row[1:] for row in RECOGNISED], ids=[row[0] for row in RECOGNISED])
def test_it_is_recognised(content, name, format, columns, reason):
    table = read_table(content, name)
    assert table.format == format
    assert table.names == columns
    assert reason in table.recognised


def test_every_format_of_the_table_is_recognised_by_some_row():
    assert {format.name for format in FORMATS} <= {row[3] for row in RECOGNISED} | TOOLS
    assert all(format.summary.endswith(".") for format in FORMATS)


@pytest.mark.parametrize(("content", "name"), [(b"id,prediction\n1,x\n2,y\n", "a.json"), (PARQUET, "a.csv"), (b'[{"id": "1"}]', "a.jsonl")])
def test_a_name_that_is_wrong_is_told(content, name):
    notes = read_table(content, name).notes
    assert len(notes) == 1
    assert "not what its name says" in notes[0]


@pytest.mark.parametrize("encoding", ["gb18030", "big5", "shift_jis", "euc_kr", "cp1252"])
def test_another_encoding_is_guessed_and_told(encoding):
    text = {
        "gb18030": "北京是中国的首都，历史悠久",
        "big5": "臺灣的首都是臺北，歷史悠久",
        "shift_jis": "東京は日本の首都です。長い歴史があります",
        "euc_kr": "서울은 한국의 수도이며 역사가 깊다",
        "cp1252": "Où est née l’élève française à Zürich",
    }[encoding]
    content = f"id,prediction\n1,{text}\n".encode(encoding) * 1 + "".join(f"{number},{text}\n" for number in range(2, 30)).encode(encoding)
    table = read_table(content, "a.csv")
    assert table.columns["prediction"].texts[0] == text
    assert "is not UTF-8" in table.notes[0]
    assert "line 2" in table.notes[0]


def test_squad_places_and_no_answer():
    impossible = {"id": "2", "question": "Q2", "answers": [], "is_impossible": True, "plausible_answers": []}
    empty = {"id": "3", "question": "Q3", "answers": [], "is_impossible": False}
    dataset = json.loads(json.dumps(SQUAD))
    dataset["data"][0]["paragraphs"][0]["qas"] += [impossible, empty, "no question", {"id": "5", "question": "Q5", "answers": [{"start": 1}]}]
    table = read_table(json.dumps(dataset).encode(), "dev-v2.0.json")
    assert list(table.places) == [f"$.data[0].paragraphs[0].qas[{number}]" for number in range(3)]
    assert [table.columns["answers"].lists[row] for row in range(3)] == [["x"], [""], []]
    assert [row.place for row in table.bad_rows] == ["$.data[0].paragraphs[0].qas[3]", "$.data[0].paragraphs[0].qas[4]"]
    assert table.roles["references"] == "answers"


def test_parquet_of_every_type_keeps_its_values():
    moment = pa.array(["2020-01-01"], pa.string()).cast(pa.date32())
    columns = {
        "whole": pa.array([7], pa.int64()),
        "double": pa.array([0.1]),
        "single": pa.array([0.1], pa.float32()),
        "truth": pa.array([True]),
        "date": moment,
        "decimal": pa.array(["1.50"]).cast(pa.decimal128(5, 2)),
        "texts": pa.array([["a", "b"]]),
        "holed": pa.array([["a", None]]),
        "numbers": pa.array([[1, 2]]),
        "answers": pa.array([{"text": ["a"], "answer_start": [3]}]),
        "bytes": pa.array([b"\xff"]),
        "nothing": pa.nulls(1),
    }
    table = read_table(parquet(pa.table(columns)), "a.parquet")
    found = {name: (Kind(column.kinds[0]), column.as_texts()[0]) for name, column in table.columns.items()}
    assert found == {
        "whole": (Kind.NUMBER, "7"),
        "double": (Kind.NUMBER, "0.1"),
        "single": (Kind.NUMBER, "0.1"),
        "truth": (Kind.BOOLEAN, "true"),
        "date": (Kind.TEXT, "2020-01-01"),
        "decimal": (Kind.NUMBER, "1.50"),
        "texts": (Kind.TEXTS, '["a", "b"]'),
        "holed": (Kind.LIST, '["a", null]'),
        "numbers": (Kind.LIST, "[1, 2]"),
        "answers": (Kind.OBJECT, '{"text": ["a"], "answer_start": [3]}'),
        "bytes": (Kind.TEXT, "\\xff"),
        "nothing": (Kind.NULL, None),
    }


def test_parquet_of_several_row_groups():
    sink = io.BytesIO()
    rows = [[str(number)] for number in range(10)]
    pq.write_table(pa.table({"prediction": [str(number) for number in range(10)], "answers": rows}), sink, row_group_size=3)
    dataset = read(sink.getvalue(), "a.parquet")
    assert list(dataset.predictions) == [str(number) for number in range(10)]
    assert [dataset.references[row] for row in range(10)] == rows


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("id,answer,answer", ("id", "answer", "answer (2)")),
        ("id,,x", ("id", "column 2", "x")),
        (" id , a,b", ("id", "a", "b")),
        ("a,a (2),a", ("a", "a (2)", "a (3)")),
    ],
)
def test_column_names_become_unique(header, names):
    assert read_table(f"{header}\n1,2,3\n".encode(), "a.csv").names == names


@pytest.mark.parametrize(
    ("content", "cells"),
    [
        (b'id\tprediction\n1\t"Heroes" by Bowie\n2\tx\n', ['"Heroes" by Bowie', "x"]),
        (b'id\tprediction\n1\t"unclosed\n2\tx\n', ['"unclosed', "x"]),
        (b'id\tprediction\n1\t"a\tb"\n2\t"say ""x"""\n', ["a\tb", 'say "x"']),
        (b'id\tprediction\n1\t5" wide\n2\tx\n', ['5" wide', "x"]),
    ],
)
def test_quotes_in_tab_separated_files(content, cells):
    table = read_table(content, "a.tsv")
    assert list(table.columns["prediction"].texts) == cells
    assert not table.bad_rows


def test_a_csv_of_many_blocks_and_long_cells():
    long = "x" * 6_000_000
    out = io.StringIO(newline="")
    csv.writer(out).writerows([("id", "prediction"), *((number, f"{number}\n,") for number in range(200_000)), ("long", long), ("end", "")])
    table = read_table(out.getvalue().encode(), "a.csv")
    texts = table.columns["prediction"].texts
    assert (len(table), texts[199_999], texts[200_000], texts[200_001]) == (200_002, "199999\n,", long, "")


def test_jsonl_of_many_blocks_and_long_lines():
    long = "é" * 5_000_000
    lines = [json.dumps({"id": number, "prediction": f"{number}"}) for number in range(100_000)] + [
        json.dumps({"id": -1, "prediction": long}, ensure_ascii=False)
    ]
    table = read_table("\n".join(lines).encode(), "a.jsonl")
    assert (len(table), table.columns["prediction"].texts[100_000], table.columns["id"].texts[100_000]) == (100_001, long, "-1")


def test_blank_lines_do_not_move_places():
    table = read_table(b'\n{"id": "1"}\n\n  \n{"id": "2"}\n\n', "a.jsonl")
    assert list(table.places) == ["line 2", "line 5"]


def test_a_key_that_stands_twice_is_told():
    table = read_table(b'{"id": "1", "id": "2"}\n{"id": "3"}\n', "a.jsonl")
    assert list(table.columns["id"].texts) == ["2", "3"]
    assert "line 1" in table.notes[0]


def test_an_id_that_stands_twice_gives_two_rows():
    loaded = load(b'{"q1": "x", "q1": "y"}', "p.json", b'[{"id": "q1", "answers": ["x"]}]', "r.json")
    assert list(loaded.datasets[0].predictions) == ["x"]
    assert len(loaded.report.duplicated) == 1


@pytest.mark.parametrize("content", [b'{"results": {"a": 1}, "config": {}}', b'{"score": 0.5, "note": {"x": 1}}'])
def test_json_without_answers_is_refused(content):
    with pytest.raises(FormatError, match="hold no answers"):
        read_table(content, "a.json")
