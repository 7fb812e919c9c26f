"""A scored folder of made-up answers, as large as asked for, kept between runs."""

import os
import shutil
from pathlib import Path

import numpy as np
import platformdirs
import pyarrow as pa
import pyarrow.parquet as pq

import evalcore
from benchmarks.data import short_answers
from evalcore.engines.folder import score_folder
from evalcore.engines.partition import LAYOUT

VARIABLE = "WHYMISS_CACHE"
PRESET = "squad_v1"
POOL = 160_000  # Answers that differ; every file holds them in an order of its own.


def cache() -> Path:
    """Give the folder in which large data are kept between runs."""
    return Path(os.environ.get(VARIABLE) or platformdirs.user_cache_dir("whymiss"))


def scored(items: int, files: int, slices: bool = True) -> Path:
    """Give a scored folder of so many items, made unless it is there; a run that was stopped goes on."""
    root = cache() / f"scored-{items}-{files}-{LAYOUT}-{evalcore.__version__}{'' if slices else '-plain'}"
    out = root / "out"
    if not (out / "summary.json").exists():
        write(root / "source", items, files)
        score_folder(str(root / "source"), out, evalcore.preset(PRESET), slices=slices)
        shutil.rmtree(root / "source")
    return out


def write(folder: Path, items: int, files: int) -> None:
    """Write answers with ids, questions and a language as Parquet files."""
    folder.mkdir(parents=True, exist_ok=True)
    answers = short_answers(min(items, POOL))
    pool = pa.table({"prediction": answers.predictions, "references": answers.references})
    names = [listed[0] for listed in answers.references]
    languages = np.array(["en", "de", "fr", "es"])
    start = 0
    for number in range(files):
        count = (items - start) // (files - number)
        chosen = np.random.default_rng(number).integers(0, len(pool), count)
        ids = [f"q{place:08}" for place in range(start, start + count)]
        questions = [f"Which {names[row][:40]} does question {place} ask for?" for place, row in enumerate(chosen[::-1].tolist(), start)]
        table = pool.take(pa.array(chosen)).append_column("id", pa.array(ids)).append_column("question", pa.array(questions))
        pq.write_table(table.append_column("language", pa.array(languages[chosen % 4])), folder / f"part-{number:03}.parquet")
        start += count
