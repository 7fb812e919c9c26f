"""Time the command line from a file to its table, and the trace of a long answer."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import evalcore
from benchmarks.algorithms import compute_score
from benchmarks.cases import CASES
from benchmarks.data import Answers, short_answers
from benchmarks.measure import alternate

ROOT = Path(__file__).parents[1]
LONG = 20_000


def end_to_end(items: int, few: int, repetitions: int) -> tuple[float, float]:
    """Give seconds of the command line for `items` from Parquet, and of the official algorithm for `few` of them, in turn."""
    answers = short_answers(items)
    sample = Answers(answers.predictions[:few], answers.references[:few])
    case = next(case for case in CASES if case.name == "squad_v1")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.parquet"
        table = pa.table({"id": [str(number) for number in range(items)], "prediction": answers.predictions, "references": answers.references})
        pq.write_table(table, path)
        del table, answers
        command = [sys.executable, "-m", "evalcore", "score", str(path), "--preset", "squad_v1"]

        def from_file() -> None:
            subprocess.run(command, cwd=ROOT, check=True, capture_output=True)

        seconds = alternate({"ours": from_file, "official": lambda: compute_score(*sample, **case.official)}, repetitions)
    return seconds["ours"], seconds["official"]


def trace_seconds(repetitions: int) -> float:
    """Give the best time to trace an answer of 20,000 characters of several scripts under SQuAD's steps and accents stripped."""
    text = ("The Café of a ΣΑΣ, (No. 3.5) 北京 の！ e\u0301 الكتاب " * 1000)[:LONG]
    settings = evalcore.preset("squad_v1")
    settings = settings.with_steps([evalcore.step("strip_accents"), *settings.pipeline])
    best = float("inf")
    for _ in range(repetitions):
        start = time.perf_counter()
        settings.pipeline.on("prediction").trace(text)
        best = min(best, time.perf_counter() - start)
    return best
