"""Columns to predictions and references."""

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.data.answers import texts_of
from evalcore.data.json_text import NO_VALUE, decode
from evalcore.data.literals import NoLiteral, python_literal
from evalcore.data.split_kernel import split_column
from evalcore.data.table import KIND_NAMES, Column, Kind
from evalcore.dataset import References
from evalcore.text.columns import Texts

COMMA = re.compile(r",(?!(?<=\d,)\d{3}(?!\d))")


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions of one system, and which rows were not plain texts.

    `made_text` and `unscorable` map a row to what it was.
    """

    texts: Texts
    made_text: dict[int, str]
    unscorable: dict[int, str]


def predictions_of(column: Column) -> Predictions:
    """Take texts as they are, numbers and truth values by their literal, a list of one text by that text.

    So an object that holds one under "text". Other lists and objects cannot be scored,
    nor can a bare NaN or Infinity, which programs write where there is no answer.
    """
    kinds = column.kinds
    none = {row: f"prediction is {name}, which is no answer" for row, name in _no_values(column).items()}
    made = {row: KIND_NAMES[Kind(kinds[row])] for row in column.rows_of(Kind.NUMBER, Kind.BOOLEAN).tolist() if row not in none}
    wrong = {row: f"prediction is {_a(Kind(kinds[row]))}, not a text" for row in column.rows_of(Kind.TEXTS, Kind.LIST, Kind.OBJECT).tolist()}
    inside = _texts_inside(column, list(wrong)) if wrong else {}
    wrong |= none
    if not inside:
        return Predictions(column.as_texts(), made, wrong)
    texts = column.as_texts().to_list()
    for row, text in inside.items():
        texts[row] = text
        made[row] = "list of one text" if kinds[row] == Kind.TEXTS else "object with one text"
    return Predictions(Texts.of(texts), made, {row: reason for row, reason in wrong.items() if row not in inside})


def _no_values(column: Column) -> dict[int, str]:
    """Find cells that are a bare NaN or Infinity."""
    rows = column.rows_of(Kind.NUMBER)
    if not len(rows):
        return {}
    words = pa.array([word.encode() for word in NO_VALUE], pa.large_binary())
    found = rows[np.asarray(pc.is_in(column.texts.take(rows).array, value_set=words))]
    return dict(zip(found.tolist(), map(str, column.texts.take(found)), strict=True))


def _texts_inside(column: Column, rows: Sequence[int]) -> dict[int, str]:
    """Find lists of one text, and objects that hold one under text."""
    lists = column.as_lists()
    found: dict[int, str] = {}
    for row in rows:
        if column.kinds[row] == Kind.TEXTS:
            texts: list[str] | None = lists[row]
        else:
            value = decode(column.texts[row] or "null") if column.kinds[row] == Kind.OBJECT else None
            texts = texts_of(value["text"]) if isinstance(value, dict) and "text" in value else None
        if texts is not None and len(texts) == 1:
            found[row] = texts[0]
    return found


def references_of(columns: Sequence[Column], separator: str | None, has_null: bool) -> tuple[References, dict[int, str]]:
    """Collect the references of every row, and the rows whose references are of no usable shape.

    Empty: null gives none; "" is an empty reference, but none where the format has no null; a bare NaN or Infinity gives none, told where it stands alone.
    """
    parts = [_references(column, separator, has_null) for column in columns]
    wrong = {row: reason for _, found in parts for row, reason in found.items()}
    references = parts[0][0]
    if len(parts) > 1:
        references = References.of([[text for listed, _ in parts for text in listed[row]] for row in range(len(columns[0]))])
    for column in columns:
        none = _no_values(column)
        wrong |= {row: f"reference is {name}, which is no answer" for row, name in none.items() if references.offsets[row] == references.offsets[row + 1]}
    return references, wrong


def list_in(cell: str) -> list[str] | None:
    """Read a list written in a cell, as JSON or as Python writes it; None when it is no list.

    >>> list_in("['Paris', \\"City's\\"]"), list_in('["1,000"]'), list_in("[citation needed]")
    (['Paris', "City's"], ['1,000'], None)
    """
    if not (cell.lstrip()[:1] == "[" and cell.rstrip()[-1:] == "]"):
        return None
    try:
        value: object = decode(cell)
    except (json.JSONDecodeError, RecursionError):
        try:
            value = python_literal(cell)
        except NoLiteral:
            return None
    return texts_of(value)


def split(cell: str, separator: str) -> list[str]:
    """Split a reference cell; parts lose the spaces around them, empty parts go.

    A comma inside quotes, or between the digits of a grouped number,
    separates nothing.

    >>> split("FedExField | Landover", "|"), split('"1,000", one thousand', ","), split("1,000,one thousand", ",")
    (['FedExField', 'Landover'], ['1,000', 'one thousand'], ['1,000', 'one thousand'])
    """
    if separator == "," and '"' in cell:
        parts = next(csv.reader([cell.replace("\n", " ")], skipinitialspace=True), [])
    else:
        parts = COMMA.split(cell) if separator == "," else cell.split(separator)
    return [part.strip() for part in parts if part.strip()]


def _references(column: Column, separator: str | None, has_null: bool) -> tuple[References, dict[int, str]]:
    if column.lists is not None and not len(column.rows_of(Kind.TEXT, Kind.NUMBER, Kind.BOOLEAN, Kind.LIST, Kind.OBJECT)):
        return column.lists, {}
    none = _no_values(column)
    if separator is None and column.lists is None and not none and not len(column.rows_of(Kind.LIST, Kind.OBJECT)):
        return _one_each(column, has_null), {}
    if separator and separator not in ("json", ",") and len(column.rows_of(Kind.TEXT)) == len(column):
        return split_column(column.texts, separator), {}
    rows: list[list[str]] = []
    wrong: dict[int, str] = {}
    for row, (cell, kind, listed) in enumerate(zip(column.texts.to_list(), column.kinds.tolist(), column.as_lists(), strict=True)):
        found = listed if kind == Kind.TEXTS else [] if row in none else _parts(cell, kind, separator, has_null)
        if found is None:
            wrong[row] = "a list of references is expected in the cell" if kind == Kind.TEXT else f"references are {_a(Kind(kind))} without texts"
        rows.append(found or [])
    return References.of(rows), wrong


def _one_each(column: Column, has_null: bool) -> References:
    filled: npt.NDArray[np.bool_] = ~column.texts.is_null()
    if not has_null:
        filled &= column.texts.byte_lengths() > 0
    offsets = np.zeros(len(column) + 1, dtype=np.int64)
    np.cumsum(filled, out=offsets[1:])
    return References(column.texts if filled.all() else column.texts.take(np.flatnonzero(filled)), offsets)


def _parts(cell: str | None, kind: int, separator: str | None, has_null: bool) -> list[str] | None:
    if cell is None or (cell == "" and not has_null):
        return []
    if kind in (Kind.LIST, Kind.OBJECT):
        return texts_of(decode(cell))
    if separator is None or kind != Kind.TEXT or cell == "":
        return [cell]
    return list_in(cell) if separator == "json" else split(cell, separator)


def _a(kind: Kind) -> str:
    name = KIND_NAMES[kind]
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
