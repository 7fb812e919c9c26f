"""Loading files into a dataset, against loops that only parse."""

import csv
import tempfile
from itertools import cycle
from pathlib import Path

import orjson

import evalcore
from benchmarks.data import Answers, short_answers
from benchmarks.measure import alternate


def loading(megabytes: int, repetitions: int) -> dict[str, float]:
    """Give our speed as times that of an `orjson.loads` loop over JSONL, and of pandas over CSV."""
    import pandas as pd

    answers = short_answers(20_000)
    with tempfile.TemporaryDirectory() as folder:
        jsonl, table = Path(folder) / "answers.jsonl", Path(folder) / "answers.csv"
        _write(jsonl, table, answers, megabytes << 20)
        seconds = alternate(
            {
                "orjson": lambda: [orjson.loads(line) for line in jsonl.read_bytes().splitlines()],
                "jsonl": lambda: evalcore.read(jsonl),
                "pandas": lambda: pd.read_csv(table, dtype=str, keep_default_na=False),
                "csv": lambda: evalcore.read(table),
            },
            repetitions,
        )
    return {"JSONL": seconds["orjson"] / seconds["jsonl"], "CSV": seconds["pandas"] / seconds["csv"]}


def _write(jsonl: Path, table: Path, answers: Answers, size: int) -> None:
    with jsonl.open("wb") as lines, table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "question", "prediction", "reference"])
        for number, (text, listed) in enumerate(cycle(zip(answers.predictions, answers.references, strict=True))):
            if lines.tell() >= size and file.tell() >= size:
                break
            row = {"id": f"item-{number}", "question": f"Question {number} about {text[:30]}?", "prediction": text, "references": listed}
            if lines.tell() < size:
                lines.write(orjson.dumps(row) + b"\n")
            if file.tell() < size:
                writer.writerow([row["id"], row["question"], text, listed[0]])
