"""Exports as Parquet: exactly the given items, every text as it is."""

import io
import json
from typing import Any

import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from evalcore.analysis.reasons.find import Reasons
from evalcore.report.export import NUMBERS, columns_of, records
from evalcore.scoring.scores import Scores

LISTS = ("references", "normalized_references")


def to_parquet(scores: Scores, rows: npt.ArrayLike, reasons: Reasons | None = None, trace: bool = False) -> bytes:
    """Write the items of the rows as Parquet, in the order given.

    Shape: the columns of the other exports; lists are lists, numbers are
    doubles, `trace` is JSON. A column with a lone surrogate, which Parquet's
    texts cannot hold, is written as bytes.
    """
    found = list(records(scores, rows, reasons, trace))
    columns: dict[str, pa.Array] = {name: _column(name, [record[name] for record in found]) for name in columns_of(reasons, trace)}
    for name in scores.dataset.metadata:
        columns[f"metadata.{name}"] = _texts([record["metadata"][name] for record in found])
    columns["settings"] = _texts([record["settings"] for record in found])
    sink = io.BytesIO()
    pq.write_table(pa.table(list(columns.values()), names=[name.encode("utf-8", "backslashreplace").decode() for name in columns]), sink)
    return sink.getvalue()


def _column(name: str, values: list[Any]) -> pa.Array:
    if name in NUMBERS:
        return pa.array(values, pa.float64())
    if name == "missing":
        return pa.array(values, pa.bool_())
    if name in LISTS:
        try:
            return pa.array(values, pa.list_(pa.large_string()))
        except UnicodeEncodeError:
            return pa.array([[None if text is None else text.encode("utf-8", "surrogatepass") for text in row] for row in values], pa.list_(pa.large_binary()))
    return _texts([None if value is None else json.dumps(value) for value in values] if name == "trace" else values)


def _texts(values: list[str | None]) -> pa.Array:
    try:
        return pa.array(values, pa.large_string())
    except UnicodeEncodeError:
        return pa.array([None if text is None else text.encode("utf-8", "surrogatepass") for text in values], pa.large_binary())
