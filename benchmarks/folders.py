"""Measure the engines on many files, and check that all give the same numbers.

python -m benchmarks.folders                 5,000,000 items in 64 files (some minutes; 3 GB of memory, 2.1 GB of disk)
python -m benchmarks.folders --items 100000  less of everything
python -m benchmarks.folders --write         and into the docs
"""

import argparse
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import evalcore
from benchmarks.data import short_answers
from evalcore.analysis.aggregates import intervals
from evalcore.data import load
from evalcore.engines.cluster import Cluster
from evalcore.engines.folder import score_folder
from evalcore.engines.local import Processes
from evalcore.engines.work import Engine

POOL = 200_000  # Different items; the files hold them in other orders, under ids of their own.
NUMBERS = ("em", "f1", "precision", "recall")
COUNTS = ("common", "predicted", "gold", "best_em", "best_f1")
PRESET = "squad_v1"
START, END = "<!-- folders: begin -->", "<!-- folders: end -->"


class Run(NamedTuple):
    """One way to score all: seconds, a hash of the numbers of every item, and means and bounds."""

    name: str
    seconds: float
    digest: str
    aggregates: tuple[float, ...]


def write(folder: Path, items: int, files: int) -> None:
    """Write Parquet files of made-up answers."""
    pool = min(POOL, items)
    answers = short_answers(pool)
    table = pa.table({"prediction": answers.predictions, "references": answers.references})
    chance = np.random.default_rng(1)
    bounds = np.linspace(0, items, files + 1).astype(int)
    for number in range(files):
        ids = np.arange(bounds[number], bounds[number + 1])
        chosen = table.take(chance.integers(0, pool, len(ids)))
        pq.write_table(chosen.add_column(0, "id", pa.array(ids).cast(pa.string())), folder / f"part-{number:03}.parquet", compression="zstd")


def engines() -> dict[str, AbstractContextManager[Engine]]:
    """Give every engine to measure."""
    local = {f"local, {number} process{'es' if number > 1 else ''}": Processes(number) for number in (1, 2)}
    return {**local, **{f"dask, {number} worker{'s' if number > 1 else ''}": Cluster(number) for number in (1, 2, 4)}}


def by_engine(name: str, engine: AbstractContextManager[Engine], source: Path, out: Path, slices: bool) -> Run:
    """Score the folder, starting of processes and all included."""
    os.sync()  # Else a part of what the engine before left to write is written while this one is timed.
    start = time.perf_counter()
    scored = score_folder(str(source), out, evalcore.preset(PRESET), engine=engine, slices=slices)
    seconds = time.perf_counter() - start
    assert scored.complete
    tables = (pq.read_table(file, columns=[*NUMBERS, *COUNTS]) for file in sorted((out / "items").glob("*.parquet")))
    columns = ({name: np.asarray(table.column(name).combine_chunks()) for name in table.column_names} for table in tables)
    found = [scored.statistics.interval(measure) for measure in NUMBERS]
    means = [scored.statistics.mean(measure) for measure in NUMBERS]
    run = Run(name, seconds, digest(columns), (*means, *(bound for each in found for bound in (each.low, each.high))))
    shutil.rmtree(out)  # So that every engine finds the same disk and as much free memory.
    return run


def at_once(source: Path, merged: Path) -> Run:
    """Score all items in one run, from one file."""
    os.sync()
    start = time.perf_counter()
    scores = evalcore.score(load(merged).datasets[0], preset=PRESET)
    found = intervals(scores)
    seconds = time.perf_counter() - start
    summary = scores.summary()
    sizes = np.cumsum([0, *(pq.ParquetFile(file).metadata.num_rows for file in sorted(source.glob("*.parquet")))])
    columns = ({name: getattr(scores, name)[first:last] for name in (*NUMBERS, *COUNTS)} for first, last in pairwise(sizes.tolist()))
    bounds = (bound for measure in NUMBERS for bound in (found[measure].low, found[measure].high))
    return Run("one run in memory", seconds, digest(columns), (*(getattr(summary, measure) for measure in NUMBERS), *bounds))


def digest(parts: Iterator[dict[str, np.ndarray]]) -> str:
    """Hash the bits of all numbers, column by column, part by part."""
    found = hashlib.sha256()
    for columns in parts:
        for name in (*NUMBERS, *COUNTS):
            found.update(np.ascontiguousarray(columns[name], dtype=np.float64 if name in NUMBERS else np.int64).tobytes())
    return found.hexdigest()


def merge(source: Path, merged: Path) -> None:
    """Write all files as one."""
    files = sorted(source.glob("*.parquet"))
    with pq.ParquetWriter(merged, pq.read_schema(files[0]), compression="zstd") as writer:
        for file in files:
            writer.write_table(pq.read_table(file))


def measured(folder: Path, items: int, files: int, slices: bool) -> Iterator[str]:
    """Give the lines of the table as they are measured; stop where numbers differ."""
    from benchmarks.__main__ import machine  # Not above: every process that scores imports this module too, and needs nothing of that one.

    source = folder / "in"
    source.mkdir()
    write(source, items, files)
    merge(source, folder / "all.parquet")
    yield f"{machine()}. {items:,} items in {files} Parquet files, {'with' if slices else 'without'} slices; starting of processes is included."
    yield "When a line begins, what the one before wrote is removed, and nothing waits to be written to disk."
    yield ""
    yield "| engine | seconds | items/s |"
    yield "|---|---|---|"
    runs = []
    for number, (name, engine) in enumerate(engines().items()):
        runs.append(by_engine(name, engine, source, folder / f"out{number}", slices))
        yield row(runs[-1], items)
    runs.append(at_once(source, folder / "all.parquet"))
    yield row(runs[-1], items)
    if len({run.digest for run in runs}) > 1:
        raise SystemExit(f"numbers of items differ: {[(run.name, run.digest) for run in runs]}")
    apart = max(abs(np.subtract(run.aggregates, runs[-1].aggregates)).max() for run in runs)
    if apart > 1e-12:
        raise SystemExit(f"aggregates differ by {apart}")
    yield ""
    yield f"Two processes over one: {runs[0].seconds / runs[1].seconds:.2f}x (goal 1.6x). All numbers of all items are the same bits;"
    yield f"means and bounds of intervals differ by {apart:.1e} at most."


def row(run: Run, items: int) -> str:
    """Give one line of the table."""
    return f"| {run.name} | {run.seconds:.1f} | {items / run.seconds:,.0f} |"


def main() -> None:
    """Measure and print a table; write it into docs/performance.md when asked to."""
    from benchmarks.__main__ import write as write_lines

    parser = argparse.ArgumentParser(prog="python -m benchmarks.folders", description="The engines on many files.")
    parser.add_argument("--items", type=int, default=5_000_000)
    parser.add_argument("--files", type=int, default=64)
    parser.add_argument("--slices", action="store_true", help="count slices too, as score-folder does unless told otherwise")
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    chosen = parser.parse_args()
    lines = []
    with tempfile.TemporaryDirectory() as place:
        for line in measured(Path(place), chosen.items, chosen.files, chosen.slices):
            print(line, flush=True)
            lines.append(line)
    if chosen.write:
        write_lines(lines, START, END)


if __name__ == "__main__":
    main()
