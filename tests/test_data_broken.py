"""Broken input gives a message with the place and the next move, in the library and on the command line."""

import gzip
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evalcore.cli import main
from evalcore.data import DataError, FormatError, JoinError, MappingError, load, read_table, source
from evalcore.data.json_text import decode

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
SINK = io.BytesIO()
pq.write_table(pa.table({"id": ["1"], "prediction": ["x"]}), SINK)
PARQUET = SINK.getvalue()
SINK = io.BytesIO()
pq.write_table(pa.table({"id": pa.array([], pa.string())}), SINK)
NO_ROWS = SINK.getvalue()
REFERENCES = b'[{"id": "1", "answers": ["x"]}]'
PREDICTIONS = b'[{"id": "1", "prediction": "x"}]'

# label, name, content, references, error, what the message says
BROKEN = [
    ("an empty file", "a.jsonl", b"", None, FormatError, ["a.jsonl is empty (0 bytes)", "at least one row", "JSONL, JSON, CSV, TSV, Excel, Parquet or Arrow"]),
    ("only white space", "a.csv", b" \n\n", None, FormatError, ["a.csv is empty", "at least one row"]),
    ("only a BOM", "a.csv", b"\xef\xbb\xbf", None, FormatError, ["a.csv", "empty"]),
    ("an image named json", "cat.json", PNG, None, FormatError, ["cat.json begins with b'\\x89PNG", "a PNG image", "export the answers as"]),
    ("a JPEG", "cat.csv", b"\xff\xd8\xff\xe0\x00\x10JFIF", None, FormatError, ["a JPEG image"]),
    ("a cut off archive", "a.xlsx", b"PK\x03\x04\x14\x00\x00\x00", None, FormatError, ["begins as a zip archive", "download or pack it again"]),
    ("a PDF", "a.csv", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", None, FormatError, ["a PDF document"]),
    ("bytes of no kind", "a.csv", bytes(range(256)) * 4, None, FormatError, ["a.csv is no text", "on line", "Save it as UTF-8"]),
    (
        "truncated JSON list",
        "a.json",
        b'[{"id": "1", "prediction": "x"},\n {"id": "2", "pred',
        None,
        FormatError,
        ["stops in the middle", "line 2, column 14", "copy or write it again"],
    ),
    ("truncated JSON object", "a.json", b'{"q1": "x", "q2"', None, FormatError, ["stops in the middle", "line 1, column 17"]),
    ("broken JSON", "a.json", b'{"q1": "x",\n "q2": y}', None, FormatError, ["no valid JSON", "line 2, column 8", "repair this place"]),
    ("JSON of one text", "a.json", b'"x"', None, FormatError, ["a.json cannot be read as its name", "line 1"]),
    ("JSON without answers", "a.json", b'{"a": {"b": 1}, "c": 2}', None, FormatError, ["2 keys ('a', 'c') that hold no answers", "accepted are"]),
    (
        "lists of different lengths",
        "a.json",
        b'{"predictions": ["x"], "references": ["y", "z"]}',
        None,
        FormatError,
        ["predictions: 1, references: 2", "equally long"],
    ),
    ("an empty JSON list", "a.json", b"[]", None, FormatError, ["has no rows", "at least one row"]),
    ("an empty JSON object", "a.json", b"{}", None, FormatError, ["has no rows"]),
    (
        "only bad lines",
        "a.jsonl",
        b'{"id": 1\n{"id": 2\n',
        None,
        FormatError,
        ["none of its 2 rows can be used", "line 1: no valid JSON", "at column 9", "line 2"],
    ),
    ("a heading without rows", "a.csv", b"id,prediction\n", None, FormatError, ["a.csv was read as CSV and has no rows (columns: id, prediction)"]),
    ("Parquet without rows", "a.parquet", NO_ROWS, None, FormatError, ["has no rows (columns: id)"]),
    ("truncated Parquet", "a.parquet", PARQUET[:200], None, FormatError, ["begins as Parquet but cannot be read (200 bytes)", "copy or write it again"]),
    ("text named Parquet", "a.parquet", b"hello world", None, FormatError, ["cannot be read as its name 'a.parquet' says", "'hello world'"]),
    ("prose named JSON", "a.json", b"These are no answers.", None, FormatError, ["line 1 begins with 'These are no answers.'", "Accepted are"]),
    ("truncated gzip", "a.json.gz", gzip.compress(PREDICTIONS * 100)[:-12], None, FormatError, ["cannot be unpacked", "again"]),
    (
        "rows of other lengths only",
        "a.csv",
        b"id,prediction\n1\n2,x,y\n",
        None,
        FormatError,
        ["none of its 2 rows", "row 2: 1 cell where the header has 2", "row 3: 3 cells"],
    ),
    ("no id in common", "p.json", b'{"a": "x", "b": "y"}', REFERENCES, JoinError, ["no id of p.json", "'a', 'b'", "'1'", "map other columns to id"]),
    ("no prediction", "a.json", REFERENCES, None, MappingError, ["clearly prediction", "'id', 'answers'", "give the file with the predictions too"]),
    ("no references", "a.json", b'{"q1": "x"}', None, MappingError, ["clearly references", "give the file with the references too"]),
    ("broken references", "p.json", PREDICTIONS, b'[{"id": "1"', FormatError, ["r.json", "stops in the middle"]),
]


@pytest.mark.parametrize(("name", "content", "references", "error", "words"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_the_library_says_what_is_wrong(name, content, references, error, words):
    with pytest.raises(error) as raised:
        load(content, name, references, "r.json")
    assert [word for word in words if word not in str(raised.value)] == []


@pytest.mark.parametrize(("name", "content", "references", "error", "words"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_the_command_line_says_the_same_and_exits_with_2(name, content, references, error, words, tmp_path, capsys):
    (tmp_path / name).write_bytes(content)
    arguments = ["score", str(tmp_path / name)]
    if references is not None:
        (tmp_path / "r.json").write_bytes(references)
        arguments += ["--references", str(tmp_path / "r.json")]
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("whymiss: ")
    assert "Traceback" not in err
    assert [word for word in words if word not in err] == []


# label, name, content, answers that load, places and words of the bad rows
MENDED = [
    (
        "one bad line",
        "a.jsonl",
        b'{"id": 1, "prediction": "x"}\n{"id": 2, "predic\n{"id": 3, "prediction": "z"}\n',
        ["x", "z"],
        [("line 2", "Unterminated string")],
    ),
    ("a last line cut off", "a.jsonl", b'{"id": 1, "prediction": "x"}\n{"id": 2, "prediction": "y"}\n{"id"', ["x", "y"], [("line 3", "column 6")]),
    (
        "a first line that is bad",
        "a.jsonl",
        b'{"id": 1, "pred\n{"id": 2, "prediction": "y"}\n{"id": 3, "prediction": "z"}\n',
        ["y", "z"],
        [("line 1", "column 11")],
    ),
    (
        "lines that are no objects",
        "a.jsonl",
        b'{"prediction": "x"}\n[1]\nnull\n"y"\n{"prediction": "z"}\n',
        ["x", "z"],
        [("line 2", "list"), ("line 3", "null"), ("line 4", "text")],
    ),
    (
        "lines that end in a carriage return alone",
        "a.jsonl",
        b'{"id": 1, "prediction": "x"}\r{"id": 2, "prediction": "y"}\r\n{"id": 3, "prediction": "z"}\r{"id": 4, "predic',
        ["x", "y", "z"],
        [("line 4", "Unterminated string")],
    ),
    (
        "files with a mark of their encoding put together",
        "a.jsonl",
        b'\xef\xbb\xbf\xef\xbb\xbf{"id": 1, "prediction": "x"}\n\xef\xbb\xbf{"id": 2, "prediction": "y"}\n',
        ["x", "y"],
        [],
    ),
    (
        "files with a heading put together",
        "a.csv",
        b'id,prediction\n1,x\n2,y,z\n\xef\xbb\xbfid,prediction\n2,"y"\n"id","prediction"\n3,z\n',
        ["x", "y", "z"],
        [("row 3", "3 cells"), ("row 4", "the heading stands here again"), ("row 6", "the heading stands here again")],
    ),
    (
        "a row that nests deep",
        "a.jsonl",
        b'{"id": 1, "prediction": "x"}\n{"id": 2, "prediction": "y", "more": ' + b"[" * 300 + b"]" * 300 + b"}\n",
        ["x"],
        [("line 2", "nested too deeply")],
    ),
    ("two objects on a line", "a.jsonl", b'{"prediction": "x"}\n{"prediction": "y"}{"prediction": "z"}\n', ["x"], [("line 2", "Extra data")]),
    ("a list with something else", "a.json", b'[{"prediction": "x"}, 3, {"prediction": "z"}]', ["x", "z"], [("$[1]", "not an object")]),
    ("a row too long", "a.csv", b"id,prediction\n1,x\n2,y,z\n3,w\n", ["x", "w"], [("row 3", "3 cells where the header has 2: '2,y,z'")]),
    ("a row too short", "a.csv", b"id,prediction\n1,x\n2\n\n3,w\n", ["x", "w"], [("row 3", "1 cell where")]),
    ("a quote that never closes", "a.csv", b'id,prediction\n1,x\n2,"y\n3,z\n', ["x", '"y', "z"], []),
    ("a quote that never closes among real ones", "a.csv", b'id,prediction\n1,"x, y"\n2,"y\n3,z\n', ["x, y"], [("row 3", "never closes")]),
    ("a quote that never closes on the last line", "a.csv", b'id,prediction\n1,"x, y"\n2,"y', ["x, y"], [("row 3", "never closes")]),
]


@pytest.mark.parametrize(("name", "content", "answers", "bad"), [row[1:] for row in MENDED], ids=[row[0] for row in MENDED])
def test_good_rows_around_a_bad_one_load_and_the_bad_ones_are_listed(name, content, answers, bad):
    table = read_table(content, name)
    assert list(table.columns["prediction"].texts) == answers
    assert [row.place for row in table.bad_rows] == [place for place, _ in bad]
    assert [words for row, (_, words) in zip(table.bad_rows, bad, strict=True) if words not in row.message] == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'id,prediction\n1,x\n2,"y\n3,z\n', ["row 3", "a quote opens here and never closes", "read as letters"]),
        (b'id,"prediction\n1,x\n2,y\n', ["in the heading", "quotes are letters"]),
        (b'id,prediction\n1,"x"\n2,"y, z"\n', []),
    ],
)
def test_quotes_read_as_letters_are_told_with_their_row(content, words):
    notes = read_table(content, "a.csv").notes
    assert [word for word in words if word not in " ".join(notes)] == []
    assert len(notes) == bool(words)


def test_places_of_good_rows_skip_the_bad_ones():
    table = read_table(b"id,prediction\n1,x\n2,y,z\n3,w\n4\n5,v\n", "a.csv")
    assert list(table.places) == ["row 2", "row 4", "row 6"]
    assert [row.place for row in table.bad_rows] == ["row 3", "row 5"]


def test_bad_rows_are_in_the_report_of_either_file(tmp_path, capsys):
    predictions = b'{"id": "1", "prediction": "x"}\n{"id": \n{"id": "2", "prediction": "y"}\n'
    references = b"id,answers\n1,x\n2\n2,y\n"
    loaded = load(predictions, "p.jsonl", references, "r.csv")
    assert [place for _, place, _ in loaded.report.bad_rows.rows()] == ["p.jsonl, line 2", "r.csv, row 3"]
    assert list(loaded.datasets[0].predictions) == ["x", "y"]
    (tmp_path / "p.jsonl").write_bytes(predictions)
    (tmp_path / "r.csv").write_bytes(references)
    assert main(["score", str(tmp_path / "p.jsonl"), "--references", str(tmp_path / "r.csv")]) == 0
    out, _ = capsys.readouterr()
    assert "2 rows that could not be read: p.jsonl, line 2 no valid JSON" in out


def test_the_first_ten_bad_rows_are_shown_and_the_rest_counted():
    content = b"id,prediction\n" + b"".join(b"%d\n" % number for number in range(25))
    with pytest.raises(FormatError) as error:
        read_table(content, "a.csv")
    assert "none of its 25 rows" in str(error.value)
    assert str(error.value).count("\n  row ") == 10
    assert "and 15 more" in str(error.value)


@pytest.mark.parametrize(
    "content",
    [b"[" * 100_000, b'{"a":' * 100_000, b'{"id": 1}\n' + b'{"a":' * 100_000, b'{"id": 1}\n{"id": 2, "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"],
)
def test_deep_nesting_is_refused_or_listed(content):
    try:
        table = read_table(content, "a.json")
    except FormatError:
        return
    assert len(table) == 1
    assert len(table.bad_rows) == 1


@pytest.mark.parametrize("levels", [90, 150, 500, 900, 1100])
@pytest.mark.parametrize("brackets", [('{"a": ', "}"), ("[", "]")])
def test_what_nests_deep_is_read_or_told_at_any_depth(levels, brackets):
    value = brackets[0] * levels + "1" + brackets[1] * levels
    row = f'{{"id": 1, "prediction": "x", "references": ["x"], "more": {value}}}'
    if levels < 100:
        assert load(row.encode(), "a.jsonl").datasets[0].metadata["more"][0] == value
        assert load(f"[{row}]".encode(), "a.json").datasets[0].metadata["more"][0] == value
        return
    for name, content in (("a.jsonl", row), ("a.json", f"[{row}]")):
        with pytest.raises(FormatError, match="nested too deeply"):
            load(content.encode(), name)


def test_a_document_that_is_none_is_not_parsed_once_for_every_format(monkeypatch):
    parsed = []
    monkeypatch.setattr(source, "decode", lambda text: parsed.append(text) or decode(text))
    with pytest.raises(FormatError, match="stops in the middle"):
        read_table(b'[{"id": 1},\n {"id": 2', "a.json")
    assert len(parsed) <= 2


def test_a_row_like_a_heading_whose_names_are_alike_is_a_row():
    assert len(read_table(b"x,x\ny,z\nx,x\n", "a.csv")) == 2


def test_messages_do_not_grow_with_the_content():
    with pytest.raises(DataError) as error:
        read_table(json.dumps({"x" * 10_000: {"y": 1}, "z": 2}).encode(), "a.json")
    assert len(str(error.value)) < 1_000
    table = read_table(b'{"id": 1}\n{"id": 2}\n{"' + b"x" * 100_000, "a.jsonl")
    assert len(table.bad_rows[0].message) < 300


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FormatError, match="there is no file"):
        load(tmp_path / "nope.json")
    with pytest.raises(FormatError, match="cannot be opened"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:abc\n", "a pointer of Git LFS.*git lfs pull"),
        (b"\n<!DOCTYPE html><html><body>Sign in</body></html>", "a web page.*download the file itself"),
    ],
)
def test_what_came_in_place_of_the_file_is_named(content, words):
    with pytest.raises(FormatError, match=words):
        read_table(content, "a.jsonl")


def test_a_line_that_names_the_separator_is_no_heading():
    table = read_table(b"sep=;\r\nid;prediction;answers\r\n1;a,b;c\r\n2;x\r\n3;y;z\r\n", "a.csv")
    assert list(table.columns["prediction"].texts) == ["a,b", "y"]
    assert (list(table.places), [row.place for row in table.bad_rows]) == (["row 3", "row 5"], ["row 4"])
