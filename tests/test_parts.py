"""A file scored part by part gives the items and figures of the whole file, in memory that does not grow with it."""

import csv
import gzip
import io
import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evalcore
from evalcore import cli, cli_parts
from evalcore.data import DataError, blocks, load, only_system, parts, read_table
from evalcore.data.formats import delimited
from evalcore.data.parts import NeedsWhole, open_parts
from evalcore.engines.stream import score_parts
from evalcore.report.export import to_jsonl
from tests.shared import ROOT
from tests.tool_files import arrow, parquet

ROWS = [
    {
        "id": f"q{number}",
        "prediction": None if number % 11 == 0 else "" if number % 13 == 0 else f"é the answer, {number % 7}",
        "answers": [] if number % 17 == 0 else [f"answer {number % 5}", "é"],
        "lang": "de" if 40 <= number < 60 else "en",
        "n": number / 4,
    }
    for number in range(150)
]
LINES = b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in ROWS)
ODD = b'{"id": "x1", "prediction": "p", "answers": ["p"], "late": 1}\n\n{"id": \n[1]\n{"id": "x4", "prediction": {"a": 1}, "answers": "a"}\n{"prediction": NaN}'

NEW_COLUMN = ', "late": null'  # Parts before the one in which it first stands do not know it.


def table(separator, *more):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator)
    writer.writerow(["id", "prediction", "answers", "lang"])
    for row in ROWS:
        writer.writerow([row["id"], (row["prediction"] or "") + ' "x"\nnext', "|".join(row["answers"]), row["lang"]])
    return (out.getvalue() + "".join(more)).encode()


def wide(rows):
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out, row_group_size=50)
    return out.getvalue()


FILES = {
    "a.jsonl": LINES,
    "odd.jsonl": LINES + ODD,
    "bom.jsonl": b"\xef\xbb\xbf" + LINES,
    "a.jsonl.gz": gzip.compress(LINES),
    "a.jsonl.zst": pa.Codec("zstd").compress(LINES, asbytes=True),
    "gb18030.jsonl": LINES.decode().replace("é", "中文答案").encode("gb18030"),
    "utf16.jsonl": LINES.decode().encode("utf-16"),
    "a.csv": table(","),
    "bad.csv": table(",", "only one cell\r\n", "q200,x,x,en\r\n"),
    "a.tsv": table("\t"),
    "a.csv.gz": gzip.compress(table(",")),
    "utf16.csv": table(",").decode().encode("utf-16"),
    "a.parquet": wide(ROWS),
    "a.arrow": arrow(ROWS),
}


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 700)
    monkeypatch.setattr(delimited, "PART", 1500)
    monkeypatch.setattr(parts, "ROWS", 20)


def scored(path, preset="squad_v1", references=None, **roles):
    items = []
    opened = open_parts(path)
    streamed = score_parts(opened, evalcore.preset(preset), roles, references, items.append)
    return streamed, items


def in_memory(path, preset="squad_v1", references=None, **roles):
    loaded = only_system(load(path, references=references, mapping=roles))
    return loaded, evalcore.score(loaded.datasets[0], preset=preset)


def rows_of(scores):
    lines = to_jsonl(scores, range(len(scores))).splitlines()
    return [json.dumps(json.loads(line), sort_keys=True) for line in lines]


def compared(streamed, summary):
    found = streamed.summary()
    for name in ("em", "f1", "precision", "recall", "em_first_reference"):
        assert getattr(found, name) == pytest.approx(getattr(summary, name), rel=1e-12, nan_ok=True)
    for name in ("items", "scored", "exact", "missing", "empty", "emptied", "scale", "signature"):
        assert getattr(found, name) == getattr(summary, name)
    assert dict(found.unscored) == dict(summary.unscored)


@pytest.mark.parametrize("preset", ["squad_v1", "squad_v2"])
@pytest.mark.parametrize("name", list(FILES))
def test_parts_give_the_items_and_figures_of_the_whole(name, preset, tmp_path, small_parts):
    path = tmp_path / name
    path.write_bytes(FILES[name])
    streamed, items = scored(path, preset)
    loaded, scores = in_memory(path, preset)
    assert len(items) > 2
    assert [line.replace(NEW_COLUMN, "") for part in items for line in rows_of(part)] == [line.replace(NEW_COLUMN, "") for line in rows_of(scores)]
    compared(streamed, scores.summary())
    assert {what: len(listing) for what, listing in streamed.report.named.items()} == {what: len(listing) for what, listing in loaded.report.named.items()}
    assert list(streamed.report.bad_rows.rows()) == list(loaded.report.bad_rows.rows())
    figures = streamed.figures()
    if preset == "squad_v2":
        expected = evalcore.scoring.squad_v2.figures(scores).as_script()
        assert figures.as_script() == pytest.approx(expected)


PAIRS = {
    "by id": lambda n: f"q{n}",
    "cut ids": lambda n: f"run--q{n}",
}


@pytest.mark.parametrize("ids", list(PAIRS))
def test_references_are_kept_and_joined_by_id(ids, tmp_path, small_parts):
    predictions = [{"id": PAIRS[ids](number), "prediction": f"answer {number % 4}"} for number in range(100)]
    predictions += [{"id": PAIRS[ids](7), "prediction": "again"}, {"id": "nobody", "prediction": "x"}, {"id": None, "prediction": "y"}]
    golds = [
        {"id": f"q{number}", "answers": [f"answer {number % 5}"], "lang": "de" if number % 9 == 0 else "en"} for number in range(130) if number not in (3, 50)
    ]
    golds += [{"id": "q3", "answers": ["answer 3"], "lang": "en"}, {"id": "q30", "answers": ["twice"], "lang": "en"}]
    path, other = tmp_path / "p.jsonl", tmp_path / "r.json"
    path.write_text("".join(json.dumps(row) + "\n" for row in predictions), encoding="utf-8")
    other.write_text(json.dumps(golds), encoding="utf-8")
    for roles in ({}, {"where": (("lang", "en"),)}):
        streamed, items = scored(path, references=read_table(other), **roles)
        loaded, scores = in_memory(path, references=other, **roles)
        compared(streamed, scores.summary())
        assert sorted(line for part in items for line in rows_of(part)) == sorted(rows_of(scores))
        found, expected = streamed.report, loaded.report
        assert (found.items, found.matched, found.how) == (expected.items, expected.matched, expected.how)
        for name in ("predictions_without_reference", "references_without_prediction", "duplicated", "left_out"):
            assert sorted(row[:2] for row in found.named[name].rows()) == sorted(row[:2] for row in expected.named[name].rows()), name


def test_conditions_may_fit_late_rows_only(tmp_path, small_parts):
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    streamed, _ = scored(path, where=(("lang", "de"),))
    _, scores = in_memory(path, where=(("lang", "de"),))
    compared(streamed, scores.summary())
    with pytest.raises(DataError, match="no row that fits"):
        scored(path, where=(("lang", "xx"),))


def test_what_cannot_be_read_in_parts_says_why(tmp_path):
    for name, content, words in [
        ("a.json", json.dumps(ROWS).encode(), "read as a whole"),
        ("a.csv", b"prediction\nx\ny\n", "one column"),
        ("a.zip", b"PK\x03\x04 and more", "an archive"),
        ("sep.csv", b"sep=;\nid;prediction\n1;x\n2;y\n", "names its separator"),
        ("head.csv", b"id,prediction\n", r"has no rows \(columns: id, prediction\)"),
        ("bad.jsonl", b'{"id":\n{"id"\n', "none of its 2 rows can be used"),
        ("a.parquet", parquet([{"doc": {"id": "1"}, "metric": {"em": 1.0}, "model_response": {"text": ["x"]}}]), "lighteval"),
    ]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError, match=words):
            open_parts(tmp_path / name)
    (tmp_path / "p.jsonl").write_bytes(b'{"prediction": "x"}\n' * 3)
    with pytest.raises(NeedsWhole, match="need an id"):
        score_parts(open_parts(tmp_path / "p.jsonl"), evalcore.preset("squad_v1"), {}, read_table(b'[{"id": "1", "answers": ["x"]}]', "r.json"))


def test_a_file_that_goes_on_in_another_encoding_is_refused_with_its_move(tmp_path, small_parts):
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES + '{"id": "z", "prediction": "café", "answers": ["x"]}\n'.encode("cp1252"))
    with pytest.raises(DataError, match="began as UTF-8 and does not go on so"):
        scored(path)


def test_a_first_part_of_bad_rows_only_is_told_and_passed(tmp_path, small_parts):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id":\n' * 150 + LINES)
    assert b"q1" not in blocks.opened(path, "a.jsonl").data
    streamed = score_parts(open_parts(path), evalcore.preset("squad_v1"), {})
    assert (streamed.report.items, len(streamed.report.bad_rows)) == (150, 150)


def run(capsys, *arguments):
    status = cli.main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_command_line_prints_the_same_table(tmp_path, capsys, small_parts):
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    _, whole, _ = run(capsys, "score", path)
    status, out, _ = run(capsys, "score", path, "--reading", "parts")
    assert status == 0
    assert [line for line in out.splitlines() if "repeat" not in line] == whole.splitlines()


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_items_are_written_as_they_come_and_load_again(tmp_path, capsys, small_parts, ending):
    path, out = tmp_path / "a.jsonl", tmp_path / f"items.{ending}"
    path.write_bytes(LINES)
    assert run(capsys, "score", path, "--reading", "parts", "--export", out)[0] == 0
    written = out.read_bytes()
    assert run(capsys, "score", path, "--export", out)[0] == 0
    assert written == out.read_bytes()
    if ending == "csv":
        assert run(capsys, "score", path, "--reading", "parts", "--csv")[1].encode() == written


def test_large_files_go_part_by_part_unless_something_needs_the_whole(tmp_path, capsys, monkeypatch, small_parts):
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    for name in ("ABOVE", "ABOVE_PACKED"):
        monkeypatch.setattr(cli_parts, name, 1000)
    seen = []
    real = cli_parts.score_parts
    monkeypatch.setattr(cli_parts, "score_parts", lambda *given: seen.append(1) or real(*given))
    assert (run(capsys, "score", path)[0], len(seen)) == (0, 1)
    assert (run(capsys, "score", path, "--reading", "whole")[0], len(seen)) == (0, 1)
    status, _, err = run(capsys, "score", path, "--json")
    assert (status, len(seen)) == (0, 1)
    assert "the whole of" in err
    assert "--json holds all items in one document" in err
    status, _, err = run(capsys, "score", path, "--json", "--reading", "parts")
    assert status == 2
    assert "cannot be read part by part" in err


def test_a_file_that_fails_leaves_no_half_written_items(tmp_path, capsys, small_parts):
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES + b'{"id": "\xe9", "prediction": "x", "answers": ["x"]}\n')
    status, _, err = run(capsys, "score", path, "--reading", "parts", "--export", tmp_path / "out.jsonl")
    assert status == 2
    assert "--encoding" in err
    assert list(tmp_path.iterdir()) == [path]


PEAK = """
import sys
from evalcore import cli
from evalcore.data import blocks, parts
from evalcore.data.formats import delimited
blocks.BLOCK = delimited.PART = 1 << 18
parts.ROWS = 1 << 12
status = cli.main(sys.argv[1:])
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
sys.exit(status)
"""


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_memory_does_not_grow_with_the_file(kind, tmp_path):
    """A file of 32 MB takes at most 20 MB more than one of 8 MB."""
    peaks, means = [], []
    for times in (1, 4):
        path = tmp_path / f"a{times}.{kind}"
        write(path, kind, 50_000 * times)
        command = [sys.executable, "-c", PEAK, "score", str(path), "--reading", "parts"]
        out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        peaks.append(int(out[-1]) / 1024)
        means.append(out[:2])
    assert means[0] == means[1]
    assert peaks[1] - peaks[0] < 20


def write(path, kind, rows):
    question = "which of the cities along the river was the capital of the kingdom until the treaty was signed by the two kings of the north"
    columns = {
        "id": [f"q{number}" for number in range(rows)],
        "question": [f"{question} {number}" for number in range(rows)],
        "prediction": [f"the answer {number % 5}" for number in range(rows)],
        "answers": [f"answer {number % 4}" for number in range(rows)],
    }
    if kind == "parquet":
        pq.write_table(pa.table(columns), path, compression="none", use_dictionary=False, row_group_size=rows)
    elif kind == "csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
    else:
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in zip(*columns.values(), strict=True))


def test_intervals_and_buckets_are_those_of_the_whole(tmp_path, small_parts):
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    streamed, _ = scored(path)
    _, scores = in_memory(path)
    assert streamed.statistics == evalcore.engines.statistics.Statistics.of(scores)
    np.testing.assert_allclose(streamed.statistics.interval("em").low, evalcore.scoring.statistics.em_interval(scores.em[scores.is_scored]).low)
