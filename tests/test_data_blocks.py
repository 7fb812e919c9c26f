"""A large file of lines read block by block gives what it gives at once, in less memory."""

import gzip
import importlib
import json
import subprocess
import sys

import pyarrow as pa
import pytest

from evalcore.data import FormatError, blocks, read_table
from evalcore.data.blocks import line_blocks
from tests.shared import ROOT

ROWS = [{"id": f"q{number}", "prediction": f"é {number}", "answers": ["a", f"{number}"], "n": number / 4} for number in range(200)]
LINES = b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in ROWS)
ODD = b'{"id": "x1", "prediction": "p", "late": 1}\n\n{"id": \n{"id": "x2", "id": "x3", "prediction": null}\r\n[1]\n{"id": "x4", "prediction": {"a": [1.0]}}'


@pytest.fixture
def in_blocks(monkeypatch):
    monkeypatch.setattr(blocks, "AT_ONCE", 0)
    monkeypatch.setattr(blocks, "AT_ONCE_PACKED", 0)
    monkeypatch.setattr(blocks, "BLOCK", 512)


def described(table):
    cells = {name: (column.kinds.tolist(), list(column.as_texts()), column.as_lists()) for name, column in table.columns.items()}
    return cells, list(table.places), table.bad_rows, table.notes, table.format, table.recognised, table.encoding, table.encodings


CONTENTS = {
    "plain": LINES,
    "odd lines": LINES + ODD,
    "a BOM": b"\xef\xbb\xbf" + LINES,
    "no last line end": LINES[:-1],
    "carriage returns": LINES.replace(b"\n", b"\r\n"),
    "lone surrogates": LINES + b'{"id": "s", "prediction": "\\ud800 \xed\xa0\x80"}\n',
    "a longer line": LINES + json.dumps({"id": "long", "prediction": "x" * 5000}).encode() + b"\n" + LINES,
    "not UTF-8 further on": LINES + '{"id": "z", "prediction": "café"}\n'.encode("cp1252") * 3,
    "a document over many lines": json.dumps(ROWS, indent=1).encode(),
    "another encoding": LINES.decode().replace("é", "中").encode("gb18030"),
    "LongBench": b"".join(json.dumps({"pred": "x", "answers": ["x"], "all_classes": None, "length": number}).encode() + b"\n" for number in range(300)),
    "CSV": b"id,prediction,answers\n" + b"".join(b"%d,x,y\n" % number for number in range(500)),
}


@pytest.mark.parametrize("packing", ["", ".gz", ".zst"])
@pytest.mark.parametrize("content", list(CONTENTS))
def test_blocks_give_what_the_whole_gives(content, packing, tmp_path, in_blocks):
    packed = {"": bytes, ".gz": gzip.compress, ".zst": lambda data: pa.Codec("zstd").compress(data, asbytes=True)}[packing](CONTENTS[content])
    name = f"a.{'csv' if content == 'CSV' else 'jsonl'}{packing}"
    (tmp_path / name).write_bytes(packed)
    assert described(read_table(tmp_path / name)) == described(read_table(CONTENTS[content], name))


def test_large_files_are_read_in_blocks(tmp_path, in_blocks, monkeypatch):
    (tmp_path / "a.jsonl").write_bytes(LINES)
    opened = []
    monkeypatch.setattr(importlib.import_module("evalcore.data.read"), "open_source", lambda *given: opened.append(given))
    assert (len(read_table(tmp_path / "a.jsonl")), opened) == (200, [])


def test_a_packed_file_cut_off_or_too_large_is_refused(tmp_path, in_blocks, monkeypatch):
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(LINES)[:-12])
    with pytest.raises(FormatError, match="begins as a gzip file but cannot be unpacked"):
        read_table(tmp_path / "a.jsonl.gz")
    monkeypatch.setattr("evalcore.data.archive.ALWAYS_ALLOWED", 1000)
    monkeypatch.setattr("evalcore.data.archive.MOST_TIMES", 2)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(LINES * 20))
    with pytest.raises(FormatError, match="unpacks to more than"):
        read_table(tmp_path / "b.jsonl.gz")


def test_a_line_without_end_is_refused(monkeypatch):
    class Endless:
        def read(self, size):
            return b"x" * size

    monkeypatch.setattr(blocks, "MOST_LINE", 1 << 12)
    with pytest.raises(FormatError, match="one item a line"):
        list(line_blocks(Endless(), "a.jsonl", 256))


MILLION = """
import sys
from evalcore.data import load
loaded = load(sys.argv[1])
assert len(loaded.datasets[0]) == 1_000_000, len(loaded.datasets[0])
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
"""  # getrusage would count the memory of the process that started this one, too.


def test_a_million_rows_load_within_800_mb_of_memory(tmp_path):
    path = tmp_path / "million.jsonl"
    filler = "Which of the cities along the river was the capital of the kingdom until the treaty was signed"
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, 1_000_000, 10_000):
            part = range(start, start + 10_000)
            file.writelines(
                f'{{"id": "item-{n}", "question": "{filler}, number {n}?", "prediction": "The answer {n}", "answers": ["answer {n}", "{n}"]}}\n' for n in part
            )
    assert path.stat().st_size > 190_000_000
    found = subprocess.run([sys.executable, "-c", MILLION, str(path)], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(found.stdout) * 1024 < 800_000_000
