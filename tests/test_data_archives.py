"""Several files in one zip archive: pairs are recognised in either order, and anything else is asked about."""

import io
import json
import zipfile

import pytest

from evalcore import cli
from evalcore.data import FormatError, load, read_tables

PREDICTIONS = json.dumps({"q1": "x", "q2": "z"}).encode()
REFERENCES = json.dumps([{"id": "q1", "answers": ["x"]}, {"id": "q2", "answers": ["y"]}]).encode()
WHOLE = b'{"id": "q1", "prediction": "x", "answers": ["x"]}\n{"id": "q2", "prediction": "z", "answers": ["y"]}\n'
SQUAD = {"paragraphs": [{"context": "c", "qas": [{"id": q, "question": "?", "answers": [{"text": "x", "answer_start": 0}]} for q in ("q1", "q2")]}]}


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize(
    "files",
    [
        {"p.json": PREDICTIONS, "r.json": REFERENCES},
        {"a/r.json": REFERENCES, "b/p.json": PREDICTIONS},
        {"dev.json": json.dumps({"version": "1.1", "data": [{"title": "t", **SQUAD}]}).encode(), "p.json": PREDICTIONS, "README.md": b"# read me"},
        {"p.json": PREDICTIONS, "r.json": REFERENCES, "plot.png": b"\x89PNG\r\n\x1a\n0000"},
        {"p.json": PREDICTIONS, "r.json": REFERENCES, "na_prob.json": b'{"q1": 0.25, "q2": 0.5}'},
    ],
)
def test_a_pair_in_one_archive_is_joined(files):
    loaded = load(zipped(files), "runs.zip")
    assert (list(loaded.datasets[0].predictions), loaded.report.how) == (["x", "z"], "by id")
    assert any("read from one archive" in warning for warning in loaded.warnings)
    left = [warning for warning in loaded.warnings if "left out" in warning]
    assert ["plot.png" in warning for warning in left] == [True] * ("plot.png" in files)


@pytest.mark.parametrize(
    "files",
    [
        {"samples/run.jsonl": WHOLE},
        {"samples/run.jsonl": WHOLE, "samples/notes.bin": b"\x00\x01"},
        {"run.jsonl": WHOLE, "header.json": b"{}"},
        {"run.jsonl": WHOLE, "content.xml": b"<a/>"},
    ],
)
def test_a_name_as_in_a_log_or_a_workbook_makes_none(files):
    loaded = load(zipped(files), "runs.zip")
    assert list(loaded.datasets[0].predictions) == ["x", "z"]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a.jsonl": WHOLE, "b.jsonl": WHOLE}, "holds 2 files: 'a.jsonl', 'b.jsonl'"),
        ({"a.json": PREDICTIONS, "b.json": PREDICTIONS, "r.json": REFERENCES}, "holds 3 files"),
        ({"a.png": b"\x89PNG0000", "b.png": b"\x89PNG0000"}, "holds no file of answers"),
    ],
)
def test_what_could_be_paired_in_more_ways_is_asked_about(files, words):
    with pytest.raises(FormatError, match=words) as raised:
        read_tables(zipped(files), "runs.zip")
    assert "give the files you mean" in str(raised.value)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name_are_asked_about():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for content in (WHOLE, PREDICTIONS):
            packed.writestr("a.json", content)
    with pytest.raises(FormatError, match=r"holds two files named 'a\.json'; unpack it"):
        load(out.getvalue(), "runs.zip")


def test_an_archive_of_two_beside_references_is_refused():
    with pytest.raises(FormatError, match="are 3 files with answers"):
        load(zipped({"p.json": PREDICTIONS, "r.json": REFERENCES}), "runs.zip", REFERENCES, "more.json")


def test_the_command_line_scores_a_pair_in_an_archive(tmp_path, capsys):
    (tmp_path / "runs.zip").write_bytes(zipped({"r.json": REFERENCES, "p.json": PREDICTIONS}))
    assert cli.main(["score", str(tmp_path / "runs.zip")]) == 0
    out = capsys.readouterr().out
    assert "50.00" in out
    assert "p.json: JSON by id" in out
