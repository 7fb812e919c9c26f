"""What a text search reads of a file of items: the folded texts of every item in one, and the numbers hits are filtered and ordered by."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.analysis.reasons.table import CODES
from evalcore.analysis.selection import EM_0
from evalcore.scoring.buckets import BUCKETS
from evalcore.text.columns import Texts
from evalcore.text.folding import fold

TEXTS = ("id", "question", "prediction", "references")
BETWEEN = b"\xff"  # Stands in no UTF-8, so no needle reaches from one text of an item into the next.
MOST_ROWS = 65_536  # In a batch, however short the texts are.
BYTES = 1 << 22  # Of texts, read at once: few enough for a cache, many enough that calls cost little.
ITEMS = b"whymiss.items"
ROWS = b"whymiss.rows"
F1 = b"whymiss.f1"
OUTCOME = {name: BUCKETS.index("miss" if name in EM_0 else name) for name in BUCKETS}


def write(items: pa.Table, file: Path) -> None:
    """Write what a search reads of a table of items, as an Arrow file in batches of equally many rows.

    Nothing is compressed: unpacking LZ4 would take longer than reading and searching together.
    """
    values, ranks = _ranked(items["f1"])
    columns: dict[str, Any] = {"rank": ranks, "em": items["em"].to_numpy(), "outcome": _codes(items["bucket"], OUTCOME)}
    columns["prediction_bytes"] = items["prediction_bytes"].to_numpy()
    if "reason" in items.column_names:
        columns["reason"] = _codes(items["reason"], CODES)
    numbers, texts = pa.table(columns), items.select([name for name in TEXTS if name in items.column_names])
    rows = int(min(MOST_ROWS, max(1, BYTES * len(items) // max(1, texts.nbytes))))
    schema = pa.schema([("text", pa.large_binary()), *numbers.schema], metadata={ITEMS: str(len(items)), ROWS: str(rows), F1: values.astype("<f8").tobytes()})
    with pa.ipc.new_file(str(file), schema) as writer:
        for start in range(0, len(items), rows):
            some = numbers.slice(start, rows).combine_chunks()
            writer.write_table(pa.table([_joined(texts.slice(start, rows)).array, *some.columns], schema=schema))


def _joined(texts: pa.Table) -> Texts:
    """Fold and join the texts of every item; what is missing is left out."""
    between, columns = pa.scalar(BETWEEN, pa.large_binary()), []
    for name in texts.column_names:
        if name == "references":
            lists = texts[name].combine_chunks()
            offsets = np.asarray(lists.offsets)
            inner = pc.fill_null(Texts.from_arrow(lists.flatten()).array, b"")
            columns.append(pc.binary_join(pa.ListArray.from_arrays(pa.array(offsets - offsets[0], pa.int32()), inner), between))
        else:
            columns.append(Texts.from_arrow(texts[name]).array)
    return fold(Texts.from_arrow(pc.binary_join_element_wise(*columns, between, null_handling="skip")))


def _ranked(numbers: pa.ChunkedArray) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]:
    """Give the distinct numbers in ascending order, NaN for none last, and which of them every row has.

    Few are distinct, so that a table of them is quicker than to sort all rows.
    """
    found = numbers.combine_chunks().dictionary_encode(null_encoding="encode")
    values, ranks = np.unique(found.dictionary.to_numpy(zero_copy_only=False), return_inverse=True)
    return values, ranks.astype(np.int32)[np.asarray(found.indices)]


def _codes(names: pa.ChunkedArray, codes: Mapping[Any, int]) -> npt.NDArray[np.int8]:
    """Give names as codes, -1 for none."""
    found = names.combine_chunks().dictionary_encode()
    known = np.array([codes[name] for name in found.dictionary.to_pylist()] + [-1], dtype=np.int8)
    return np.asarray(known[np.asarray(pc.fill_null(found.indices, len(known) - 1))])


class Searchable:
    """A file of this kind, open for one thread; batch i holds the items from `rows` * i on.

    `f1` are the distinct values in ascending order, NaN last. `numbers` are
    the columns read beside the texts: of rank (an index into `f1`), em (NaN
    for none), outcome (an index into BUCKETS, every failed item a miss),
    prediction_bytes, and reason (its code, -1 for none) where these were looked for.
    Raises: OSError and pa.ArrowException for a file that is gone or broken, ValueError for one of another kind.
    """

    def __init__(self, file: Path, numbers: Sequence[str] = ()) -> None:
        self.file = pa.OSFile(str(file))
        schema = pa.ipc.open_file(self.file).schema
        if not {ITEMS, ROWS, F1} <= set(schema.metadata or ()):
            raise ValueError("its search file is of another kind")
        self.items, self.rows = int(schema.metadata[ITEMS]), int(schema.metadata[ROWS])
        self.f1 = np.frombuffer(schema.metadata[F1], dtype="<f8")
        self._texts, self._numbers = self._reader(["text"], schema), self._reader(numbers, schema)

    def _reader(self, names: Sequence[str], schema: pa.Schema) -> Any:
        columns = [schema.names.index(name) for name in names]
        return pa.ipc.open_file(self.file, options=pa.ipc.IpcReadOptions(use_threads=False, included_fields=columns))

    def __enter__(self) -> "Searchable":
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()

    @property
    def batches(self) -> int:
        return int(self._texts.num_record_batches)

    def texts(self, batch: int) -> Texts:
        """Read the texts of the items of a batch, folded."""
        return Texts.from_arrow(self._texts.get_batch(batch).column(0))

    def numbers(self, batch: int) -> pa.RecordBatch:
        """Read the numbers of the items of a batch."""
        return self._numbers.get_batch(batch)
