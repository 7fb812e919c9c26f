"""Loading files into a dataset, against loops that only parse."""

import csv
import json
import tempfile
from pathlib import Path

import orjson

import evalcore
from benchmarks.data import short_answers
from benchmarks.measure import alternate


def loading(megabytes: int, repetitions: int) -> dict[str, float]:
    """Give our speed as times that of an `orjson.loads` loop over JSONL, and of pandas over CSV."""
    import pandas as pd

    answers = short_answers(20_000)
    rows = [
        {"id": f"item-{row}", "question": f"Question {row} about {text[:30]}?", "prediction": text, "references": listed}
        for row, (text, listed) in enumerate(zip(answers.predictions, answers.references, strict=True))
    ]
    with tempfile.TemporaryDirectory() as folder:
        jsonl, table = Path(folder) / "answers.jsonl", Path(folder) / "answers.csv"
        _write(jsonl, table, rows, megabytes << 20)
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


def _write(jsonl: Path, table: Path, rows: list[dict[str, object]], size: int) -> None:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with jsonl.open("w", encoding="utf-8") as file:
        for _ in range(-(-size // len(lines.encode()))):
            file.write(lines)
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "question", "prediction", "reference"])
        while file.tell() < size:
            writer.writerows([row["id"], row["question"], row["prediction"], row["references"][0]] for row in rows)  # type: ignore[index]
