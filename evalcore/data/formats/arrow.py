"""Arrow columns to columns of a table, without changing an answer."""

from collections.abc import Mapping, Sequence
from math import isfinite, isnan

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.data.errors import FormatError, quote
from evalcore.data.formats.format import numbered, numbered_names
from evalcore.data.source import Source
from evalcore.data.table import Column, Kind, Table
from evalcore.dataset import References
from evalcore.text.columns import Texts


def table_of_arrow(source: Source, format: str, content: pa.Table, before: int = 0) -> Table:
    """Turn an Arrow table into a table, one row a row; names that stand twice get a number.

    `before` counts the rows of the file that stand before these.
    """
    names = numbered_names(content.column_names)
    columns = {}
    for position, name in enumerate(names):
        try:
            columns[name] = column_of_arrow(content.column(position))
        except (ValueError, OverflowError) as error:  # What Arrow raises for a date that Python has none of.
            kind = content.schema.field(position).type
            found = f"column {name!r:.60} of {source.label} ({kind!s:.60}) holds a value that cannot be written: {str(error).splitlines()[0][:120]}"
            raise FormatError(f"{found}; leave the column out, or write it as texts") from None
    for name, column in columns.items():
        for texts in (column.texts, *([column.lists.texts] if column.lists is not None else [])):
            _require_texts(texts, name, source.label)
    return Table(columns, numbered("row", np.arange(before + 1, before + content.num_rows + 1)), format, "", source.label, notes=source.notes)


def _require_texts(texts: Texts, name: str, label: str) -> None:
    """Make sure that the bytes of a column are UTF-8; lone surrogates may be in it."""
    try:
        texts.to_arrow()
    except pa.ArrowInvalid:
        for value in texts.array.to_pylist():
            try:
                (value or b"").decode("utf-8", "surrogatepass")
            except UnicodeDecodeError as error:
                found = f"column {name!r:.60} of {label} holds {quote(value)}, which is no text: byte {error.start} is not UTF-8 ({error.reason})"
                raise FormatError(f"{found}; the file may be damaged: copy or write it again") from None


def column_of_arrow(array: pa.ChunkedArray) -> Column:
    """Turn an Arrow column of any type into a column.

    Numbers become their shortest literal (NaN and Infinity as JSON writes them), dates their ISO form.
    Raises: ValueError or OverflowError for a date inside a list or an object that Python has none of.
    """
    kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if pa.types.is_dictionary(array.type):
        array = pa.chunked_array([chunk.dictionary_decode() for chunk in array.chunks], kind)
    if _is_text(kind) or pa.types.is_null(kind):
        return Column.of_texts(texts_of_arrow(array))
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind):
        return _column(array.cast(pa.large_string()), Kind.BOOLEAN if pa.types.is_boolean(kind) else Kind.NUMBER)
    if _is_list(kind) and _is_text(kind.value_type):
        column = lists_of_arrow(array)
        if column is not None:
            return column
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _column(pa.array([_literal(value) for value in array], pa.large_string()), Kind.NUMBER)
    if pa.types.is_temporal(kind) and not pa.types.is_interval(kind):
        return Column.of_texts(_times(array))
    return Column.of([plain(value) for value in array.to_pylist()])


def _times(array: pa.ChunkedArray) -> Texts:
    """Write dates and times in their ISO form; those that Python has none of as Arrow writes them, or as their number."""
    kind = array.type
    if not (pa.types.is_time64(kind) and kind.unit == "ns"):
        try:
            return Texts.of([None if value is None else value.isoformat() if hasattr(value, "isoformat") else str(value) for value in array.to_pylist()])
        except (ValueError, OverflowError):
            pass
    unit = "days" if pa.types.is_date32(kind) else "ms" if pa.types.is_date64(kind) else kind.unit
    numbers = array.cast(pa.int32() if pa.types.is_date32(kind) or pa.types.is_time32(kind) else pa.int64()).to_pylist()
    if pa.types.is_duration(kind):
        return Texts.of([None if number is None else f"{number} {unit}" for number in numbers])
    written = array.cast(pa.string()).to_pylist()
    return Texts.of([f"{number} {unit} since 1970" if text and text.startswith("<") else text for text, number in zip(written, numbers, strict=True)])


def texts_of_arrow(array: pa.ChunkedArray) -> Texts:
    """Join the chunks of a text column of any size."""
    if not pa.types.is_null(array.type):
        array = (
            array.cast(pa.large_binary())
            if pa.types.is_binary(array.type)
            else array.cast(pa.large_string())
            if not pa.types.is_large_binary(array.type)
            else array
        )
    return Texts.from_arrow(array)


def lists_of_arrow(array: pa.ChunkedArray) -> Column | None:
    """Turn a column of lists of texts; None when a list holds a null."""
    values = [chunk.flatten() for chunk in array.chunks]
    if any(part.null_count for part in values):
        return None
    lengths = np.asarray(pc.fill_null(pc.list_value_length(array), 0).combine_chunks(), dtype=np.int64)
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    texts = Texts.join([Texts.from_arrow(part) for part in values])
    return Column.of_lists(References(texts, offsets), np.asarray(pc.is_null(array).combine_chunks()) if array.null_count else None)


def plain(value: object) -> object:
    """Turn a Python value from Arrow into one that JSON knows; dates become ISO texts."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, Sequence):
        return [plain(part) for part in value]
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _column(array: pa.Array | pa.ChunkedArray, kind: Kind) -> Column:
    texts = Texts.from_arrow(array)
    return Column(texts, np.where(texts.is_null(), np.uint8(Kind.NULL), np.uint8(kind)))


def _literal(value: pa.Scalar) -> str | None:
    if not value.is_valid:
        return None
    if pa.types.is_decimal(value.type):
        return format(value.as_py(), "f")
    number: float = value.as_py()
    if not isfinite(number):
        return "NaN" if isnan(number) else "Infinity" if number > 0 else "-Infinity"
    return str(number) if pa.types.is_float64(value.type) else str(np.float16(number) if pa.types.is_float16(value.type) else np.float32(number))


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))
