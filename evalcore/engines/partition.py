"""Score one file of a folder: read, score, and write items, what a search reads of them, and statistics beside one another."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from evalcore.analysis.reasons.find import Codes, reasons_alone
from evalcore.analysis.reasons.table import REASONS
from evalcore.data import DataError, Loaded, Mapping
from evalcore.engines import searchable
from evalcore.engines.files import File
from evalcore.engines.groups import slices_of
from evalcore.engines.joining import Bucket, joined
from evalcore.engines.statistics import Statistics
from evalcore.engines.work import PLACES, Outcome, whole
from evalcore.scoring.buckets import BUCKETS, bucket_codes
from evalcore.scoring.preset import Preset
from evalcore.scoring.score import score
from evalcore.scoring.scores import Flags, Scores
from evalcore.text.columns import Texts

LAYOUT = 4  # The columns and statistics of a scored folder; another number is another layout.
ROW_GROUP = 4096  # Rows: an item is opened by decoding its row group alone, and a scan leaves out groups by their bounds.
NUMBERS = ("em", "em_first", "f1", "precision", "recall")
COUNTS = ("common", "predicted", "gold", "best_em", "best_f1")
METADATA = "metadata."  # Begins the names of all other columns.
DISTINCT = ("id", "place", "question", "prediction", "references")  # Texts of which few are equal: dictionaries would cost time and space.


@dataclass(frozen=True)
class Settings:
    """All that decides the numbers: the preset, the columns, and what is counted beside the scores.

    `reasons`: languages in which the main reason of every failed item is
    looked for; none for no reasons.
    """

    preset: Preset
    mapping: Mapping
    reasons: tuple[str, ...] = ()
    slices: bool = True


@dataclass(frozen=True)
class Task:
    """One file to score; `name` is its path below the source, `done` the hash of what was scored before."""

    source: File | Bucket
    name: str
    out: Path
    settings: Settings
    done: str = ""

    @property
    def outputs(self) -> tuple[Path, Path, Path]:
        """Where items, what a search reads of them, and their statistics are written."""
        return outputs(self.out, self.name)


def outputs(out: Path, name: str) -> tuple[Path, Path, Path]:
    """Give where the items of a file of this name stand in a scored folder, what a search reads of them, and their statistics."""
    return out / "items" / f"{name}.parquet", out / "search" / f"{name}.arrow", out / "statistics" / f"{name}.json"


def score_partition(task: Task) -> Outcome:
    """Score one file, unless its content is what was scored before.

    Every output appears whole or not at all: it is written under another
    name first. What cannot be read or written is told in the outcome.
    """
    content_hash = ""
    try:
        content_hash, load = task.source.opened()
        if content_hash == task.done:
            return Outcome(task.name, "done", content_hash, kept=True)
        loaded = load(task.settings.mapping)
        scores = score(loaded.datasets[0], preset=task.settings.preset, threads=1)
        _write(task, scores)
    except DataError as error:
        _remove(task.outputs)
        return Outcome(task.name, "unreadable", content_hash, message=str(error))
    except (OSError, MemoryError) as error:
        with suppress(OSError):
            _remove(task.outputs)
        return Outcome(task.name, "failed", content_hash, message=f"{type(error).__name__}: {error}; what is done stays, and the same command goes on there")
    return _outcome(task, content_hash, scores, loaded)


def _remove(files: Sequence[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)


def _outcome(task: Task, content_hash: str, scores: Scores, loaded: Loaded) -> Outcome:
    report = loaded.report
    listings = (report.bad_rows, report.unscorable)
    places = [" ".join(part for part in row if part) for listing in listings for row in listing.rows(PLACES)]
    met = joined(report) if isinstance(task.source, Bucket) else {}
    return Outcome(task.name, "done", content_hash, len(scores), bad_rows=sum(map(len, listings)), places=tuple(places[:PLACES]), joined=met)


def _write(task: Task, scores: Scores) -> None:
    settings = task.settings
    codes = reasons_alone(scores, settings.reasons) if settings.reasons else None
    table = items_table(scores, codes)
    listed = [name for name in table.column_names if name not in DISTINCT]
    items, search, statistics = task.outputs
    whole(items, lambda file: pq.write_table(table, file, compression="zstd", row_group_size=ROW_GROUP, use_dictionary=listed))
    whole(search, lambda file: searchable.write(table, file))
    found = Statistics.of(scores, reasons=None if codes is None else _by_reason(codes), slices=slices_of(scores) if settings.slices else None)
    content = json.dumps(found.to_json(), ensure_ascii=True, allow_nan=False)
    whole(statistics, lambda file: file.write_text(content, encoding="utf-8"))


def _by_reason(codes: Codes) -> dict[str, Flags]:
    return {REASONS[code].name: codes == code for code in np.unique(codes[codes >= 0]).tolist()}


def items_table(scores: Scores, reasons: Codes | None = None) -> pa.Table:
    """Give every item with its scores as Arrow columns; numbers there are none of are null.

    Shape: id, place, question, context, prediction, references (a list),
    numbers, token counts, indexes of the best references, emptied,
    prediction_bytes (UTF-8, 0 where missing), bucket,
    reason (where they were looked for; null for items that did not fail),
    unscored, and `metadata.NAME` columns; the signature stands in the schema.
    A column with a lone surrogate is kept as bytes.
    """
    data = scores.dataset
    texts = {"id": data.ids, "place": data.places, "question": data.questions, "context": data.contexts, "prediction": data.predictions}
    columns: dict[str, pa.Array] = {name: _strings(column) for name, column in texts.items() if column is not None}
    offsets = pa.array(data.references.offsets, pa.int64())
    columns["references"] = pa.LargeListArray.from_arrays(offsets, _strings(data.references.texts))
    columns |= {name: pa.array(getattr(scores, name), pa.float64(), from_pandas=True) for name in NUMBERS}
    columns |= {name: pa.array(getattr(scores, name), pa.int64()) for name in COUNTS}
    columns["emptied"] = pa.array(scores.emptied)
    columns["prediction_bytes"] = pa.array(data.predictions.byte_lengths(), pa.int64())
    columns["bucket"] = _named(bucket_codes(scores), BUCKETS)
    if reasons is not None:
        columns["reason"] = _named(reasons, [reason.name for reason in REASONS])
    columns["unscored"] = pa.array(scores.unscored.tolist(), pa.large_string())
    columns |= {f"{METADATA}{name}": _strings(column) for name, column in data.metadata.items()}
    named = [name.encode("utf-8", "backslashreplace").decode() for name in columns]
    return pa.table(list(columns.values()), names=named).replace_schema_metadata({"whymiss.signature": scores.signature})


def _named(codes: Codes, names: Sequence[str]) -> pa.Array:
    """Give codes as their names, null where they are negative."""
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), pa.array(names, pa.large_string())).dictionary_decode()


def _strings(column: Texts) -> pa.Array:
    try:
        return column.array.cast(pa.large_string())
    except pa.ArrowInvalid:
        return column.array
