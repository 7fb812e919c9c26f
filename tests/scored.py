"""Folders to score, and what is in scored ones."""

import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evalcore
from evalcore.engines.folder import score_folder
from evalcore.engines.local import Processes
from tests.restated.pairs import hostile_items

ROOT = Path(__file__).parents[1]
PRESET = evalcore.preset("squad_v1")
SURROGATE = {"id": "odd", "prediction": "half \ud800 Paris", "references": ["Paris"]}
needs_dask = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="needs the extra distributed")


def items(count=210):
    """Give hostile items with ids, without lone surrogates."""
    predictions, references = hostile_items(count, seed=11)
    return [
        {"id": f"i{number}", "prediction": prediction, "references": golds}
        for number, (prediction, golds) in enumerate(zip(predictions, references, strict=True))
        if not any("\ud800" <= letter <= "\udfff" for text in (prediction or "", *golds) for letter in text)
    ]


def written(folder, rows, parts, kind="jsonl"):
    """Write rows as so many files."""
    folder.mkdir()
    for number in range(parts):
        chosen = rows[number::parts]
        if kind == "jsonl":
            (folder / f"part-{number:03}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in chosen), encoding="utf-8")
        else:
            pq.write_table(pa.Table.from_pylist(chosen), folder / f"part-{number:03}.parquet")
    return folder


def surrogate_folder(root):
    """Score hostile items in four files, the last with one item that holds a lone surrogate; give the scored folder."""
    source = written(root / "in", items(), 3)
    (source / "part-003.jsonl").write_text(json.dumps(SURROGATE) + "\n", encoding="utf-8")
    score_folder(str(source), root / "out", PRESET, engine=Processes(1))
    return root / "out"


def whole(rows, preset=PRESET):
    """Score rows in one run; give the scores, and the row of every id."""
    data = evalcore.score([row["prediction"] for row in rows], [row["references"] for row in rows], preset=preset)
    return data, {row["id"]: number for number, row in enumerate(rows)}


def read(out):
    """Give all items of a scored folder by id."""
    found = {}
    for file in sorted((out / "items").rglob("*.parquet")):
        for row in pq.read_table(file).to_pylist():
            assert row["id"] not in found
            found[row["id"]] = row
    return found


def files(out):
    """Give the content of all files of a folder by their names."""
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file() and path.name != ".lock"}


def started(source, out, *options, **how):
    """Start the command line on a folder."""
    words = [sys.executable, "-m", "evalcore", "score-folder", str(source), str(out), *options]
    return subprocess.Popen(words, cwd=ROOT, **{"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **how})


def until(holds, running):
    """Look again and again until something holds; give up when the process is over."""
    while running.poll() is None:
        if holds():
            return True
        time.sleep(0.005)
    return False


def children(process):
    """Give the processes another one has started, straight from the kernel."""
    try:
        return [int(number) for task in Path(f"/proc/{process}/task").iterdir() for number in (task / "children").read_text().split()]
    except (OSError, ValueError):
        return []


def is_worker(process):
    """Tell whether a process is one of those that score."""
    try:
        return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
