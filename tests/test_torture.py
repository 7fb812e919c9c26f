"""Files nobody would write on purpose: the right rows or a clear error, within bounded memory, and nothing dropped silently."""

import bz2
import datetime
import gzip
import io
import json
import lzma
import pickle
import subprocess
import sys
import tarfile
import warnings
import zipfile
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter

import evalcore
from evalcore.data import FormatError, Kind, load, read_table
from evalcore.data.archive import MOST_TIMES
from tests.tool_files import archive, arrow, parquet, workbook

ROWS = [{"id": "q1", "prediction": "x", "answers": ["x", "y"]}, {"id": "q2", "prediction": "中", "answers": ["中"]}]
JSONL = "\n".join(map(json.dumps, ROWS)).encode()
CSV = b"id,prediction,answers\nq1,x,x|y\nq2,\xe4\xb8\xad,\xe4\xb8\xad\n"
XLSX = workbook(("id", "prediction", "answers"), ("q1", "x", "x|y"), ("q2", "中", "中"))
PLAIN = {"a.jsonl": JSONL, "a.json": json.dumps(ROWS).encode(), "a.csv": CSV, "a.xlsx": XLSX, "a.parquet": parquet(ROWS), "a.arrow": arrow(ROWS)}


def zst(content):
    return pa.Codec("zstd").compress(content, asbytes=True)


def zipped(files, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as packed:
        for name, content in files.items() if isinstance(files, dict) else files:
            packed.writestr(name, content)
    return out.getvalue()


PACKED = {
    "gz": lambda name, content: (f"{name}.gz", gzip.compress(content)),
    "two gz members": lambda name, content: (f"{name}.gz", gzip.compress(content[:20]) + gzip.compress(content[20:])),
    "zst": lambda name, content: (f"{name}.zst", zst(content)),
    "zip": lambda name, content: ("runs.zip", zipped({f"folder/{name}": content})),
    "zip of gz": lambda name, content: ("runs.zip", zipped({f"{name}.gz": gzip.compress(content)})),
    "zip with a readme": lambda name, content: ("runs.zip", zipped({"README.md": b"# hi", "__MACOSX/._a": b"x", name: content})),
    "zip in zip": lambda name, content: ("runs.zip", zipped({"inner.zip": zipped({name: content})})),
    "zip stored": lambda name, content: ("runs.zip", zipped({name: content}, zipfile.ZIP_STORED)),
    "zip bzip2": lambda name, content: ("runs.zip", zipped({name: content}, zipfile.ZIP_BZIP2)),
    "zip zstd": lambda name, content: ("runs.zip", archive({name: content}, "zstd")),
    "no name": lambda name, content: ("", gzip.compress(content)),
}


@pytest.mark.parametrize("packing", list(PACKED))
@pytest.mark.parametrize("name", list(PLAIN))
def test_every_packing_of_every_format(name, packing):
    packed, content = PACKED[packing](name, PLAIN[name])
    dataset = load(content, packed).datasets[0]
    assert list(dataset.predictions) == ["x", "中"]
    assert [dataset.references[row] for row in range(2)] == [["x", "y"], ["中"]]


LOCKED = bytearray(zipped({"a.csv": CSV}))
LOCKED[6] |= 1
LOCKED[LOCKED.index(b"PK\x01\x02") + 8] |= 1
with warnings.catch_warnings(action="ignore"):
    TWICE = zipped([("a.csv", CSV), ("a.csv", CSV)])
TAR = io.BytesIO()
with tarfile.open(fileobj=TAR, mode="w") as packed_tar:
    packed_tar.addfile(tarfile.TarInfo("a.csv"))
BOMB = gzip.compress(bytes(300 * 1024**2), 9)

# label, name, content, words of the message
REFUSED = [
    ("an empty zip", "a.zip", zipped({}), ["an empty zip archive", "one file with answers"]),
    ("several files", "a.zip", zipped({"p.csv": CSV, "r.csv": CSV}), ["holds 2 files: 'p.csv', 'r.csv'", "give the files you mean"]),
    ("zips four deep", "a.zip", zipped({"1.zip": zipped({"2.zip": zipped({"3.zip": zipped({"a.csv": CSV})})})}), ["archives in archives", "unpack it"]),
    ("a gzip bomb", "a.json.gz", BOMB, ["unpacks to more than 256 MB", "unpack it yourself"]),
    ("a zip bomb", "a.zip", zipped({"a.json": bytes(300 * 1024**2)}), ["a.json", "unpacks to more than 256 MB"]),
    ("a bomb in a bomb", "a.zip", zipped({"a.json.gz": BOMB}), ["unpacks to more than 256 MB"]),
    ("a password", "a.zip", bytes(LOCKED), ["locked with a password"]),
    ("an unknown method", "a.zip", zipped({"a.csv": CSV}, zipfile.ZIP_LZMA), ["packed by method 14", "accepted are stored, deflate, bzip2, zstd"]),
    ("zstd cut off", "a.csv.zst", zst(CSV * 100)[:-9], ["begins as a zstd file", "Truncated"]),
    ("a zip cut off", "a.zip", zipped({"a.csv": CSV})[:-20], ["begins as a zip archive", "download or pack it again"]),
    ("bzip2", "a.csv.bz2", bz2.compress(CSV), ["a bzip2 archive"]),
    ("a damaged workbook", "a.xlsx", zipped({"xl/workbook.xml": b"<nothing"}), ["begins as a workbook", "save it again as xlsx"]),
    ("an empty sheet", "a.xlsx", workbook(), ["has no rows"]),
    ("a heading alone", "a.xlsx", workbook(("id", "prediction")), ["has no rows (columns: id, prediction)"]),
    ("half an Arrow file", "a.arrow", PLAIN["a.arrow"][:100], ["begins as Arrow but cannot be read"]),
    ("a document nested too deeply", "a.json", b"[" * 100_000, ["nested too deeply"]),
    (
        "keys that are ids",
        "a.jsonl",
        b"\n".join(b'{"q%d": "Paris"}' % number for number in range(12_000)),
        ["different keys", "write the same keys in every row"],
    ),
    ("keys that are ids in a list", "a.json", json.dumps([{f"q{number}": "x"} for number in range(12_000)]).encode(), ["a.json has 12,000 different keys"]),
    ("a heading alone without a line end", "a.csv", b"id,prediction", ["has no rows (columns: id, prediction)"]),
    ("two files of one name", "a.zip", TWICE, ["holds 2 files: 'a.csv', 'a.csv'", "give the files you mean"]),
    ("xz", "a.csv.xz", lzma.compress(CSV), ["an xz archive"]),
    ("a pickle", "a.pkl", pickle.dumps(ROWS), ["a Python pickle"]),
    ("a tar archive", "a.tar", TAR.getvalue(), ["a tar archive"]),
    ("an old document that is none", "a.xls", b"\xd0\xcf\x11\xe0" + bytes(100), ["begins as a workbook"]),
]


@pytest.mark.parametrize(("name", "content", "words"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused_with_a_clear_error(name, content, words):
    with pytest.raises(FormatError) as raised:
        read_table(content, name)
    assert [word for word in words if word not in str(raised.value)] == []


def test_paths_in_an_archive_lead_nowhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = read_table(zipped({"../../evil.csv": CSV}), "a.zip")
    assert (len(table), list(tmp_path.iterdir()), (tmp_path.parent.parent / "evil.csv").exists()) == (2, [], False)


def test_an_archive_tells_what_was_read():
    assert "runs.zip holds folder/a.csv, which was read" in read_table(*reversed(PACKED["zip"]("a.csv", CSV))).notes[0]
    assert MOST_TIMES > 100


def test_a_workbook_with_formulas_dates_and_merged_cells():
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        book.add_worksheet("empty")
        sheet = book.add_worksheet("answers")
        day, moment = book.add_format({"num_format": "yyyy-mm-dd"}), book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
        sheet.write_row(0, 0, ("id", "prediction", "id", "", "flag"))
        sheet.write_row(1, 0, ("007", 1234567890123456, 0.1))
        sheet.write_formula(2, 1, "=1+1", value=2)
        sheet.write_datetime(3, 1, datetime.datetime(2020, 1, 2), day)
        sheet.write_datetime(4, 1, datetime.datetime(2020, 1, 2, 3, 4), moment)
        sheet.write_boolean(5, 1, True)
        sheet.merge_range(6, 0, 7, 1, "merged")
        sheet.write_string(7, 4, "x")
        book.add_worksheet("more").write_row(0, 0, ("a", "b"))
    table = read_table(out.getvalue(), "a.xlsx")
    assert table.names == ("id", "prediction", "id (2)", "column 4", "flag")
    assert list(table.columns["prediction"].texts) == ["1234567890123456", "2", "2020-01-02", "2020-01-02T03:04:00", "true", "", ""]
    assert list(table.columns["id"].texts) == ["007", "", "", "", "", "merged", ""]
    assert list(table.places) == [f"row {number}" for number in range(2, 9)]
    assert any("of 3 sheets 'answers' was read; the others are 'empty', 'more'" in note for note in table.notes)
    assert any("1 range of merged cells: its value stands" in note for note in table.notes)


def test_formulas_that_have_no_value_are_told():
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        book.add_worksheet("first & empty")
        sheet = book.add_worksheet("answers <1>")
        sheet.write_row("B3", ("id", "prediction", "references"))
        for row, (formula, value) in enumerate([("=NA()", "#N/A"), ('="x"', "x"), ('=""', ""), ("=1/0", "#DIV/0!")], 4):
            sheet.write_row(f"B{row}", (str(row), "", "x"))
            sheet.write_formula(f"C{row}", formula, None, value)
        sheet.write_row("B8", ("8", "", "x"))
    content = out.getvalue()
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    sheet = files["xl/worksheets/sheet2.xml"]
    sheet = sheet.replace(b'<c r="C6"', b'<c r="C6" t="str"')  # As spreadsheet programs write an empty text.
    files["xl/worksheets/sheet2.xml"] = sheet.replace(b'<c r="D8"', b'<c r="C8"><f>A1</f><v></v></c><c r="D8"')
    table = read_table(zipped(files), "a.xlsx")
    assert list(table.columns["prediction"].texts) == ["#N/A", "x", "", "#DIV/0!", ""]
    assert list(table.places) == [f"row {number}" for number in range(4, 9)]
    assert "2 formulas gave an error, which is read as its text: #N/A in row 4, #DIV/0! in row 7" in table.notes
    assert any("1 formula has no value and is read as empty, such as in row 8: open the workbook" in note for note in table.notes)


def test_a_workbook_with_a_cell_far_away_costs_itself_alone():
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ("id", "prediction"))
        sheet.write_row(1, 0, ("1", "x"))
        sheet.write(1_048_575, 16_383, "far")
    assert len(out.getvalue()) < 10_000
    with pytest.raises(FormatError, match=r"a\.xlsx .* within 4,096 MB of memory; a cell may stand far from all others"):
        read_table(out.getvalue(), "a.xlsx")


def test_parquet_with_nested_structs():
    rows = [{"id": 1, "prediction": {"text": "x", "spans": [{"a": 1}]}, "references": [{"text": "x"}, {"text": "y"}], "deep": [[["z"]]]}]
    dataset = load(parquet(rows), "a.parquet").datasets[0]
    assert (dataset.predictions[0], dataset.references[0], dataset.metadata["deep"][0]) == ("x", ["x", "y"], '[[["z"]]]')


# label, Arrow column, what its cells become
ARROW = [
    ("floats as a dictionary", pa.array([3.141592653589793, 0.1]).dictionary_encode(), ["3.141592653589793", "0.1"]),
    ("decimals as a dictionary", pa.array([Decimal("1.50"), None], pa.decimal128(9, 2)).dictionary_encode(), ["1.50", None]),
    ("lists as a dictionary", pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array([["a", "b"]])), ['["a", "b"]'] * 2),
    ("small decimals", pa.array([Decimal("1.5"), Decimal("0.0000001")], pa.decimal128(20, 7)), ["1.5000000", "0.0000001"]),
    ("half floats", pa.array(np.array([0.1, 2.5], np.float16)), ["0.1", "2.5"]),
    ("nanoseconds of a day", pa.array([1, None], pa.time64("ns")), ["00:00:00.000000001", None]),
    ("moments", pa.array([0, 1_500], pa.timestamp("ms")), ["1970-01-01T00:00:00", "1970-01-01T00:00:01.500000"]),
    ("a year of six digits", pa.array([2**44, 0], pa.timestamp("s")), [f"{2**44} s since 1970", "1970-01-01 00:00:00"]),
    ("a day of another age", pa.array([2**30, 0], pa.date32()), [f"{2**30} days since 1970", "1970-01-01"]),
    ("a long while", pa.array([2**50, 1], pa.duration("s")), [f"{2**50} s", "1 s"]),
]


@pytest.mark.parametrize(("array", "cells"), [row[1:] for row in ARROW], ids=[row[0] for row in ARROW])
def test_arrow_columns_of_any_type_lose_nothing(array, cells):
    content = pa.table({"prediction": ["x", "y"], "references": ["x", "y"], "m": array})
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, content.schema) as writer:
        writer.write_table(content)
    found = list(load(sink.getvalue(), "a.arrow").datasets[0].metadata["m"])
    assert found == cells


def test_a_date_in_an_object_that_cannot_be_written_is_told():
    content = pa.table({"prediction": ["x"], "m": pa.array([{"t": 2**50}], pa.struct([("t", pa.timestamp("s"))]))})
    sink = io.BytesIO()
    pq.write_table(content, sink)
    with pytest.raises(FormatError, match=r"column 'm' of a\.parquet .* leave the column out"):
        read_table(sink.getvalue(), "a.parquet")


def test_a_column_of_mixed_types():
    lines = [
        '{"id":1,"answer":"Rome"}',
        '{"id":2,"answer":1984}',
        '{"id":3,"answer":["a","b"]}',
        '{"id":4,"answer":NaN}',
        '{"id":5,"answer":{"x":1}}',
        '{"id":6}',
    ]
    table = read_table("\n".join(lines).encode(), "a.jsonl")
    kinds = [Kind.TEXT, Kind.NUMBER, Kind.TEXTS, Kind.NUMBER, Kind.OBJECT, Kind.NULL]
    assert [Kind(kind) for kind in table.columns["answer"].kinds] == kinds
    loaded = load("\n".join(line[:-1] + ',"prediction":"p"}' for line in lines).encode(), "a.jsonl")
    assert [loaded.datasets[0].references[row] for row in range(6)] == [["Rome"], ["1984"], ["a", "b"], [], [], []]
    assert loaded.datasets[0].unscorable == {4: "references are an object without texts", 3: "reference is NaN, which is no answer"}
    assert len(loaded.report.without_reference) == 1


NO_ANSWERS = '{"id": "1", "prediction": NaN, "answer": "x"}\n{"id": "2", "prediction": -Infinity, "answer": ["x", NaN]}\n'
NO_ANSWERS += '{"id": "3", "prediction": "NaN", "answer": "NaN"}\n'


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_a_bare_nan_is_no_answer_and_stays_visible(name):
    content = NO_ANSWERS if name == "a.jsonl" else "[" + NO_ANSWERS.strip().replace("\n", ",") + "]"
    loaded = load(content.encode(), name)
    dataset = loaded.datasets[0]
    assert list(dataset.predictions) == ["NaN", "-Infinity", "NaN"]
    assert dataset.unscorable == {0: "prediction is NaN, which is no answer", 1: "prediction is -Infinity, which is no answer"}
    assert [dataset.references[row] for row in range(3)] == [["x"], ["x"], ["NaN"]]
    assert any("prediction is NaN, which is no answer" in line for line in loaded.report.lines())
    assert evalcore.score(dataset).em.tolist()[2] == 1.0


def test_a_missing_number_of_parquet_is_no_answer():
    columns = {
        "prediction": pa.array([1.5, float("nan"), float("inf"), None]),
        "answer": pa.array(["1.5"] * 4),
        "x": pa.array([float("nan")] * 4, pa.float32()),
    }
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    dataset = load(out.getvalue(), "a.parquet").datasets[0]
    assert list(dataset.predictions) == ["1.5", "NaN", "Infinity", None]
    assert (list(dataset.unscorable), list(dataset.metadata["x"])) == ([1, 2], ["NaN"] * 4)


def test_nan_beside_another_reference_column_is_none():
    lines = b'{"prediction": "x", "gold": NaN, "gold2": "x"}\n{"prediction": "x", "gold": NaN, "gold2": null}\n'
    dataset = load(lines, "a.jsonl", mapping={"references": ("gold", "gold2")}).datasets[0]
    assert ([dataset.references[row] for row in range(2)], dataset.unscorable) == ([["x"], []], {1: "reference is NaN, which is no answer"})


def test_duplicate_ids_are_listed_and_the_first_counts():
    predictions = b'[{"id": "1", "prediction": "a"}, {"id": "1", "prediction": "b"}]'
    loaded = load(predictions, "p.json", b'[{"id": "1", "references": ["a"]}]', "r.json")
    assert list(loaded.datasets[0].predictions) == ["a"]
    assert [(row[0], row[2]) for row in loaded.report.duplicated.rows()] == [("1", "its id stands before at p.json, $[0]")]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "json"])
def test_ten_thousand_columns(kind):
    names = [f"c{number}" for number in range(10_000)]
    row = {"prediction": "x", "answers": "x", **dict.fromkeys(names, "v")}
    content = {
        "jsonl": "\n".join([json.dumps(row)] * 3),
        "json": json.dumps([row] * 3),
        "csv": "\n".join([",".join(row), *[",".join(row.values())] * 3]),
    }[kind]
    dataset = load(content.encode(), f"a.{kind}").datasets[0]
    assert (len(dataset), len(dataset.metadata), dataset.metadata["c9999"][2]) == (3, 10_000, "v")


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_fifty_thousand_columns_in_any_order(kind):
    row = {"prediction": "x", "answers": "x", **{f"c{number}": "v" for number in range(50_000 if kind == "csv" else 10_000)}}
    other = dict(reversed(row.items()))
    content = {
        "csv": lambda: "\n".join([",".join(row), *[",".join(row.values())] * 2, ""]).encode(),
        "jsonl": lambda: "\n".join(map(json.dumps, (row, other, row, other, other))).encode(),
        "parquet": lambda: parquet([row, other]),
    }[kind]()
    table = read_table(content, f"a.{kind}")
    assert (len(table.names), set(table.columns["c9999"].texts)) == (len(row), {"v"})


def test_names_that_stand_often_get_numbers_of_their_own():
    table = read_table(b",".join([b"c"] * 20_000) + b"\n" + b",".join([b"v"] * 20_000) + b"\n", "a.csv")
    assert (table.names[:2], table.names[-1], len(set(table.names))) == (("c", "c (2)"), "c (20000)", 20_000)


def test_a_csv_of_one_column_and_line_ends_of_all_kinds():
    for end in ("\n", "\r\n", "\r"):
        table = read_table(end.join(["prediction", "x", "y y", "z"]).encode(), "a.csv")
        assert list(table.columns["prediction"].texts) == ["x", "y y", "z"]


def test_nul_bytes_stay():
    assert read_table(b"id,prediction\n1,a\x00b\n", "a.csv").columns["prediction"].texts[0] == "a\x00b"
    assert read_table(b'{"prediction": "a\\u0000b"}\n{"prediction": "c"}\n', "a.jsonl").columns["prediction"].texts[0] == "a\x00b"


MEMORY = """
import json, resource, sys
from evalcore.data import load
small = b'{"id": "1", "prediction": "x", "answers": ["x"], "n": 1.5}\\n' * 2
load(small, "a.jsonl")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
loaded = load(sys.argv[1])
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([len(loaded.datasets[0]), after - before, len(loaded.report.bad_rows)]))
"""


def measured(path):
    """Load a file in a process of its own: rows, kilobytes above what loading a small file takes, and bad rows."""
    run = subprocess.run([sys.executable, "-c", MEMORY, str(path)], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.parametrize("megabytes", [8, pytest.param(100, marks=pytest.mark.long)])
def test_a_document_in_a_single_line(tmp_path, megabytes):
    path = tmp_path / "line.json"
    row = json.dumps({"id": "q", "prediction": "x" * 1000, "answers": ["y" * 1000]})
    path.write_text("[" + ", ".join([row] * (megabytes * 490)) + "]", encoding="utf-8")
    rows, kilobytes, _ = measured(path)
    assert rows == megabytes * 490
    assert kilobytes < (64 + 8 * megabytes) * 1024


def test_one_line_of_many_megabytes_beside_others():
    long = json.dumps({"id": "2", "prediction": "x" * 20_000_000, "answers": ["x"]})
    table = read_table(f'{{"id": "1", "prediction": "a", "answers": ["a"]}}\n{long}\n{{"id": "3", "predi'.encode(), "a.jsonl")
    assert table.columns["prediction"].texts.byte_lengths().tolist() == [1, 20_000_000]
    assert [row.place for row in table.bad_rows] == ["line 3"]
    assert len(table.bad_rows[0].message) < 300
