"""Files that only add columns to the items of another file: scores, no-answer probabilities."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.data.errors import JoinError, quote
from evalcore.data.guess import guess
from evalcore.data.table import Column, Kind, Table
from evalcore.text.amounts import amount
from evalcore.text.columns import Texts


def with_additions(tables: Sequence[Table]) -> tuple[Table, ...]:
    """Lay the columns of adding files over the files they belong to, by id.

    Empty: files that add nothing stay as they are; an adding file alone stays, too.
    Raises: JoinError when an adding file shares no id with any other.
    """
    main = [table for table in tables if not table.adds]
    if not main:
        return tuple(tables)
    for addition in tables:
        if addition.adds:
            shared = [_matches(table, addition) for table in main]
            best = max(range(len(main)), key=lambda number: (bool(guess(main[number]).predictions), int((shared[number] >= 0).sum())))
            best = best if (shared[best] >= 0).any() else max(range(len(main)), key=lambda number: int((shared[number] >= 0).sum()))
            main[best] = _added(main[best], addition, shared[best])
    return tuple(main)


def _matches(table: Table, addition: Table) -> npt.NDArray[np.int64]:
    """Give for every row the row of the addition with the same id, -1 for none."""
    name = guess(table).id
    if name is None:
        return np.full(len(table), -1, dtype=np.int64)
    found = pc.index_in(table.columns[name].as_texts().array, value_set=_ids(addition).array, skip_nulls=True)
    return np.asarray(pc.fill_null(found, -1), dtype=np.int64)


def _ids(addition: Table) -> Texts:
    return addition.columns[guess(addition).id or addition.names[0]].as_texts()


def _added(table: Table, addition: Table, rows: npt.NDArray[np.int64]) -> Table:
    identity = guess(addition).id
    if not (rows >= 0).any():
        shown = ", ".join(quote(text) for text in _ids(addition)[:3])
        raise JoinError(f"no id of {addition.name} ({addition.format}) is in {table.name}: it has {shown}; check that the files belong together")
    names = {name: name if name not in table.columns else f"{name} ({addition.name})" for name in addition.names if name != identity}
    columns = {**table.columns, **{new: _taken(addition.columns[name], rows) for name, new in names.items()}}
    logged = (*guess(table).logged, *(names[name] for name in guess(addition).logged if name in names))
    different = len(_ids(addition).array.unique())
    unused = different - len(np.unique(rows[rows >= 0]))
    note = f"{addition.name} added {len(names)} columns to {int((rows >= 0).sum())} of {len(table)} rows of {table.name}"
    left = f"; {amount(unused, 'of its ids is', 'of its ids are')} not there" if unused else ""
    left += (
        f"; {amount(len(addition) - different, 'of its rows repeats', 'of its rows repeat')} an id, of which the first counts"
        if different < len(addition)
        else ""
    )
    return replace(table, columns=columns, roles={**table.roles, "logged": logged}, notes=(*table.notes, *addition.notes, note + left))


def _taken(column: Column, rows: npt.NDArray[np.int64]) -> Column:
    texts = Texts(column.as_texts().array.take(pa.array(rows, mask=rows < 0)))
    kinds = np.where(rows < 0, np.uint8(Kind.NULL), column.kinds[np.maximum(rows, 0)])
    return Column(texts, np.where(kinds == Kind.TEXTS, np.uint8(Kind.LIST), kinds))
