"""Exports: exactly the given items, as JSONL or CSV; Parquet and Excel stand beside.

What is exported loads again and gives the same scores.

CSV is safe to open in a spreadsheet: a text that begins with one of
FORMULA_STARTS (`evalcore.text.spreadsheet`), or with apostrophes before
one, gets one apostrophe in front, so that it is shown and never computed.
`unguarded` takes it off again. Numbers of ours (EM, F1, precision, recall) are written as they are.
Lone surrogates, which UTF-8 cannot hold, are written as `\\ud800` in JSONL,
which JSON readers turn back, and in CSV as those six characters.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.analysis.best_reference import best_reference
from evalcore.analysis.reasons.find import Reasons
from evalcore.analysis.reasons.table import REASONS
from evalcore.scoring.preset import Preset
from evalcore.scoring.scores import Scores
from evalcore.text.rules import StepFailed
from evalcore.text.spreadsheet import guarded

NUMBERS = ("em", "f1", "precision", "recall")
BASE = (
    "id",
    "question",
    "context",
    "prediction",
    "references",
    "extracted_prediction",
    "normalized_prediction",
    "normalized_references",
    *NUMBERS,
    "best_reference",
    "unscored",
    "missing",
    "place",
)


def to_jsonl(scores: Scores, rows: npt.ArrayLike, reasons: Reasons | None = None, trace: bool = False) -> bytes:
    """Write the items of the rows, one JSON object a line, in the order given.

    Shape: the keys of `BASE`, `reason` and `trace` where asked for, then
    `metadata` (an object) and `settings` (the signature). Absent values, numbers of unscored items and numbers
    the settings do not have are null.
    """
    lines = (_json_line(record) for record in records(scores, rows, reasons, trace))
    return b"".join(lines)


def _json_line(record: dict[str, Any]) -> bytes:
    try:
        return (json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n").encode()
    except UnicodeEncodeError:
        return (json.dumps(record, allow_nan=False) + "\n").encode()


def to_csv(scores: Scores, rows: npt.ArrayLike, reasons: Reasons | None = None, trace: bool = False) -> bytes:
    """Write the items of the rows as CSV in UTF-8 with a BOM, in the order given.

    Shape: the columns of `BASE`, `reason` and `trace` where asked for, one
    `metadata.NAME` a metadata column, and `settings`. Lists are JSON in their cell. Absent values and numbers
    there are none of are empty; `missing` tells a missing prediction from
    an empty one.
    """
    names = tuple(scores.dataset.metadata)
    return csv_heading(names, columns_of(reasons, trace)) + csv_rows(scores, rows, names, reasons, trace)


def csv_heading(names: Sequence[str], columns: Sequence[str] = BASE) -> bytes:
    """Write the BOM and the heading of a CSV whose metadata columns are `names`."""
    return b"\xef\xbb\xbf" + _csv([[*columns, *(guarded(f"metadata.{name}") for name in names), "settings"]])


def csv_rows(scores: Scores, rows: npt.ArrayLike, names: Sequence[str], reasons: Reasons | None = None, trace: bool = False) -> bytes:
    """Write the rows of a CSV whose metadata columns are `names`; a column that is not there is empty."""
    columns = columns_of(reasons, trace)
    return _csv(
        [*(_cell(name, record[name]) for name in columns), *(guarded(record["metadata"].get(name) or "") for name in names), guarded(record["settings"])]
        for record in records(scores, rows, reasons, trace)
    )


def _csv(lines: Iterable[Sequence[str]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows(lines)
    return out.getvalue().encode("utf-8", "backslashreplace")


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name in NUMBERS:
        return repr(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return guarded(json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value)


def _number(value: float) -> float | None:
    return None if value != value else float(value)


def columns_of(reasons: Reasons | None, trace: bool) -> tuple[str, ...]:
    """Name the columns before the metadata."""
    return (*BASE, *(("reason",) if reasons is not None else ()), *(("trace",) if trace else ()))


def trace_as_json(text: str, preset: Preset) -> list[dict[str, Any]] | None:
    """Write what each step changed in a prediction: its name, its edits (start, end, new), and the text after; None when a step cannot finish.

    Offsets: half-open, in code points of the text before the step.

    >>> from evalcore.scoring.presets import preset
    >>> trace_as_json("The End", preset("squad_v1"))[0]
    {'step': 'lower', 'edits': [[0, 1, 't'], [4, 5, 'e']], 'after': 'the end'}
    """
    try:
        stages = preset.pipeline.on("prediction").trace(text).stages
    except StepFailed:
        return None
    return [
        {"step": stage.step.name, "edits": [[edit.start, edit.end, edit.new] for edit in stage.edits], "after": stage.after}
        for stage in stages
        if stage.changed
    ]


def records(scores: Scores, rows: npt.ArrayLike, reasons: Reasons | None = None, trace: bool = False) -> Iterator[dict[str, Any]]:
    """Give the exported values of the rows, one dictionary an item, in the order given.

    A text whose steps cannot finish has no normalized form: None. `reason`
    is None for an item that did not fail.
    """
    preset = scores.preset
    data = scores.dataset.take(rows)
    on_prediction, on_reference = preset.pipeline.on("prediction"), preset.pipeline.on("reference")

    def normalized(text: str | None, reference: bool) -> str | None:
        try:
            return None if text is None else (on_reference if reference else on_prediction).apply(text)
        except StepFailed:
            return None

    extracted = scores.extracted
    columns = {name: list(column) for name, column in data.metadata.items()}
    for number, row in enumerate(np.asarray(rows, dtype=np.int64).tolist()):
        prediction, references = data.predictions[number], data.references[number]
        best = best_reference(scores, row)
        yield {
            "id": data.ids[number],
            "question": None if data.questions is None else data.questions[number],
            "context": None if data.contexts is None else data.contexts[number],
            "prediction": prediction,
            "references": references,
            "extracted_prediction": extracted[row],
            "normalized_prediction": normalized(prediction, False),
            "normalized_references": [normalized(text, True) for text in references],
            **{name: _number(getattr(scores, name)[row]) for name in NUMBERS},
            "best_reference": references[best] if 0 <= best < len(references) else None,
            "unscored": scores.unscored[row],
            "missing": prediction is None,
            "place": None if data.places is None else data.places[number],
            **({} if reasons is None else {"reason": REASONS[reasons.codes[row]].name if reasons.codes[row] >= 0 else None}),
            **({"trace": None if prediction is None else trace_as_json(prediction, preset)} if trace else {}),
            "metadata": {name: column[number] for name, column in columns.items()},
            "settings": scores.signature,
        }
