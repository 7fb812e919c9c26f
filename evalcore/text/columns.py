"""Many texts in one buffer."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc


class Texts(Sequence[str | None]):
    """A column of texts, each a text or None, as UTF-8 in one Arrow buffer.

    Lone surrogates are kept (stored as their three-byte form), so every
    Python string goes in and comes out as it was. The column never changes.

    >>> Texts.of(["a", None, "\\ud800"])[2]
    '\\ud800'
    """

    __slots__ = ("array",)

    def __init__(self, array: pa.Array) -> None:
        self.array: pa.Array = array

    @classmethod
    def of(cls, values: Iterable[str | None]) -> "Texts":
        """Build from Python strings.

        Raises: TypeError naming the row when a value is no text and not None.
        """
        rows = values if isinstance(values, list) else list(values)
        try:
            return cls(pa.array(rows, type=pa.large_string()).view(pa.large_binary()))
        except (UnicodeEncodeError, pa.ArrowInvalid, pa.ArrowTypeError) as error:
            for number, row in enumerate(rows):
                if row is not None and not isinstance(row, str):
                    raise TypeError(f"row {number} is {row!r:.80} ({type(row).__name__}); a text or None is needed") from error
            if not isinstance(error, UnicodeEncodeError):
                raise
            encoded = [None if row is None else row.encode("utf-8", "surrogatepass") for row in rows]
            return cls(pa.array(encoded, type=pa.large_binary()))

    @classmethod
    def numbers(cls, count: int) -> "Texts":
        """Number rows from 0, as texts.

        >>> Texts.numbers(2).to_list()
        ['0', '1']
        """
        return cls.from_arrow(pa.array(np.arange(count)).cast(pa.large_string()))

    @classmethod
    def from_arrow(cls, array: pa.Array | pa.ChunkedArray) -> "Texts":
        """Build from any Arrow string or binary array, without decoding it.

        Raises: TypeError when the array holds no texts.
        """
        if isinstance(array, pa.ChunkedArray):
            array = array.combine_chunks() if array.num_chunks != 1 else array.chunk(0)
        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        if pa.types.is_null(array.type):
            return cls(pa.nulls(len(array), pa.large_binary()))
        if pa.types.is_large_binary(array.type):
            return cls(array)
        if pa.types.is_string(array.type) or pa.types.is_string_view(array.type):
            array = array.cast(pa.large_string())
        elif pa.types.is_binary(array.type):
            return cls(array.cast(pa.large_binary()))
        if not pa.types.is_large_string(array.type):
            raise TypeError(f"an Arrow array of {array.type} holds no texts; cast it to string first")
        return cls(array.view(pa.large_binary()))

    @classmethod
    def join(cls, parts: "Sequence[Texts]") -> "Texts":
        """Put columns one after the other."""
        return cls(pa.concat_arrays([part.array for part in parts])) if parts else cls.of([])

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, index: int) -> str | None: ...
    @overload
    def __getitem__(self, index: slice) -> "Texts": ...
    def __getitem__(self, index: int | slice) -> "str | Texts | None":
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                return self.take(np.arange(start, stop, step))
            return Texts(self.array.slice(start, max(0, stop - start)))
        return _decode(self.array[int(index)].as_py())

    def __iter__(self) -> Iterator[str | None]:
        return iter(self.to_list())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Texts) and self.array.equals(other.array)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Texts({len(self)} texts, {self.nbytes} bytes)"

    def to_list(self) -> list[str | None]:
        """Give Python strings and None."""
        try:
            texts: list[str | None] = self.to_arrow().to_pylist()
            return texts
        except pa.ArrowInvalid:
            return [_decode(value) for value in self.array.to_pylist()]

    def to_arrow(self) -> pa.Array:
        """Give an Arrow large_string array.

        Raises: pa.ArrowInvalid when a lone surrogate is in the column.
        """
        return self.array.cast(pa.large_string())

    def take(self, rows: npt.ArrayLike) -> "Texts":
        """Pick rows by index, in the order given."""
        return Texts(self.array.take(pa.array(np.asarray(rows, dtype=np.int64))))

    def is_null(self) -> npt.NDArray[np.bool_]:
        """Tell for every row whether there is no text at all."""
        return np.asarray(pc.is_null(self.array))

    def byte_lengths(self) -> npt.NDArray[np.int64]:
        """Give the length of every text in UTF-8 bytes, 0 for None."""
        return np.asarray(pc.fill_null(pc.binary_length(self.array), 0), dtype=np.int64)

    def utf8(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Give the bytes of all texts, and where each starts and ends in them.

        The arrays look into the column's own memory and are read-only.
        Empty: None has no bytes.
        """
        _, offset_buffer, data_buffer = self.array.buffers()
        if len(self) == 0 or offset_buffer is None:
            data, offsets = np.zeros(0, dtype=np.uint8), np.zeros(1, dtype=np.int64)
        else:
            data = np.frombuffer(data_buffer if data_buffer is not None else b"", dtype=np.uint8)
            offsets = np.frombuffer(offset_buffer, dtype=np.int64)[self.array.offset : self.array.offset + len(self) + 1]
        starts, ends = offsets[:-1], offsets[1:]
        if self.array.null_count:
            ends = np.where(self.is_null(), starts, ends)
        return _frozen(data), _frozen(starts), _frozen(ends)

    @property
    def nbytes(self) -> int:
        """Bytes held by the column."""
        return int(self.array.nbytes)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Texts, (self.array,))


def _decode(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "surrogatepass")


def _frozen(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Give an aligned read-only array, so that kernels meet one kind of array only."""
    values = np.require(values, requirements="A").view()
    values.flags.writeable = False
    return values
