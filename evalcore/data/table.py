"""A file as read: its columns, every cell with its original form."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from evalcore.data.errors import FormatError
from evalcore.data.json_text import Number, source_of
from evalcore.dataset import References
from evalcore.text.columns import Texts


class Kind(IntEnum):
    """What a cell was in its file."""

    NULL = 0
    TEXT = 1
    NUMBER = 2
    BOOLEAN = 3
    TEXTS = 4
    LIST = 5
    OBJECT = 6


KIND_NAMES = {
    Kind.NULL: "null",
    Kind.TEXT: "text",
    Kind.NUMBER: "number",
    Kind.BOOLEAN: "true/false",
    Kind.TEXTS: "list of texts",
    Kind.LIST: "list",
    Kind.OBJECT: "object",
}

MOST_ABSENT = 1 << 28  # Cells without a key in their row; each takes nine bytes as a column, so that these fill 2.4 GB.
MANY_NAMES, MOST_ABSENT_OF_MANY = 10_000, 1 << 25  # With so many keys they are most likely ids, and each costs time as a column.
KINDS = {type(None): Kind.NULL, str: Kind.TEXT, Number: Kind.NUMBER, int: Kind.NUMBER, float: Kind.NUMBER, bool: Kind.BOOLEAN, list: Kind.LIST}


@dataclass(frozen=True, eq=False)
class Column:
    """One column: its cells as texts, and what each was.

    Shape: one entry a row in `texts` and `kinds` (of `Kind`). A text is
    kept as it is, a number as its literal ("1e5", "007" cannot be one),
    true as "true", a list or an object as its JSON source. A list that
    holds only texts (kind TEXTS) is kept in `lists`, and `texts` has None
    there; `as_texts` gives those cells as JSON source too.
    """

    texts: Texts
    kinds: npt.NDArray[np.uint8]
    lists: References | None = None

    @classmethod
    def of_texts(cls, texts: Texts) -> "Column":
        """Build from texts; None is null."""
        return cls(texts, np.where(texts.is_null(), np.uint8(Kind.NULL), np.uint8(Kind.TEXT)))

    @classmethod
    def of_lists(cls, lists: References, null: npt.NDArray[np.bool_] | None = None) -> "Column":
        """Build from one list of texts a row; `null` tells rows without a list."""
        rows = len(lists)
        kinds = np.full(rows, Kind.TEXTS, dtype=np.uint8)
        if null is not None:
            kinds[null] = Kind.NULL
        return cls(Texts.of([None] * rows), kinds, lists)

    @classmethod
    def of(cls, values: Sequence[object]) -> "Column":
        """Build from values as `json_text.decode` gives them."""
        found = set(map(type, values))
        if found <= {str, type(None)}:
            return cls.of_texts(Texts.of(list(values)))  # type: ignore[arg-type]
        kinds = [kind_of(value) for value in values]
        lists = None
        if Kind.TEXTS in kinds:
            lists = References.of([value if kind is Kind.TEXTS else [] for value, kind in zip(values, kinds, strict=True)])  # type: ignore[misc]
        forms = [_form(value, kind) for value, kind in zip(values, kinds, strict=True)]
        return cls(Texts.of(forms), np.array(kinds, dtype=np.uint8), lists)

    @classmethod
    def nulls(cls, rows: int) -> "Column":
        """Build a column in which every cell is null."""
        return cls(Texts.of([None] * rows), np.zeros(rows, dtype=np.uint8))

    @classmethod
    def join(cls, parts: "Sequence[Column]") -> "Column":
        """Put columns one after the other."""
        if len(parts) == 1:
            return parts[0]
        lists = None
        if any(part.lists is not None for part in parts):
            listed = [part.lists or References.of([[]] * len(part)) for part in parts]
            counts = np.concatenate([part.counts() for part in listed])
            lists = References(Texts.join([part.texts for part in listed]), np.concatenate([[0], np.cumsum(counts)]))
        return cls(Texts.join([part.texts for part in parts]), np.concatenate([part.kinds for part in parts]), lists)

    def __len__(self) -> int:
        return len(self.texts)

    def take(self, rows: npt.ArrayLike) -> "Column":
        """Pick rows by index, in the order given."""
        return Column(self.texts.take(rows), self.kinds[np.asarray(rows, dtype=np.int64)], None if self.lists is None else self.lists.take(rows))

    def as_texts(self) -> Texts:
        """Give every cell as a text, lists and objects as JSON source, null as None."""
        rows = np.flatnonzero(self.kinds == Kind.TEXTS)
        if self.lists is None or not len(rows):
            return self.texts
        values, lists = self.texts.to_list(), self.as_lists()
        for row in rows.tolist():
            values[row] = source_of(lists[row])
        return Texts.of(values)

    def as_lists(self) -> list[list[str]]:
        """Give the list of texts in every cell, an empty one where it holds something else."""
        if self.lists is None:
            return [[] for _ in range(len(self))]
        texts, offsets = self.lists.texts.to_list(), self.lists.offsets.tolist()
        return [texts[start:stop] for start, stop in itertools.pairwise(offsets)]  # type: ignore[misc]

    def rows_of(self, *kinds: Kind) -> npt.NDArray[np.int64]:
        """Give the rows whose cell was one of these kinds."""
        return np.flatnonzero(np.isin(self.kinds, kinds))


def require_filled(names: int, rows: int, absent: int, label: str) -> None:
    """Check that rows have enough keys in common to be laid out as columns; `absent` cells have no key in their row.

    Raises: FormatError naming the numbers and what to write instead.
    """
    if absent > (MOST_ABSENT if names <= MANY_NAMES else MOST_ABSENT_OF_MANY):
        raise FormatError(
            f"{label} has {names:,} different keys in the first {rows:,} rows, and most rows have few of them; "
            "write the same keys in every row, such as id, prediction and references, and what differs as an object under one of them"
        )


@dataclass(frozen=True)
class BadRow:
    """A row that could not be read: where it is and what is wrong."""

    place: str
    message: str


@dataclass(frozen=True, eq=False)
class Table:
    """A file as read.

    `places` says where every row came from ("line 12", "row 3",
    "$.data[0].paragraphs[1].qas[2]"). `recognised` is one sentence: the
    format, and why it was taken for that. `roles` holds what the format
    itself says about its columns (role to column or columns; () says that
    there is none, "separator" how references are split). `adds` is True for a
    file that only adds columns to the items of another, by id. `bad_rows` could not
    be read and are in no column. `notes` are warnings for the user.
    `has_null` is False for formats that cannot say null (CSV, TSV): an
    empty references cell then means that there is no reference.
    `encoding` is how its text was read, `encodings` how it might be;
    `sheet` is the sheet of a workbook that was read, `sheets` are all.
    """

    columns: Mapping[str, Column]
    places: Texts
    format: str
    recognised: str
    name: str = ""
    bad_rows: tuple[BadRow, ...] = ()
    notes: tuple[str, ...] = ()
    roles: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    has_null: bool = True
    adds: bool = False
    encoding: str = ""
    encodings: tuple[str, ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.places)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in the order of the file."""
        return tuple(self.columns)


def kind_of(value: object) -> Kind:
    """Tell what a decoded JSON value is."""
    kind = KINDS.get(type(value), Kind.OBJECT)
    if kind is Kind.LIST and all(type(part) is str for part in value):  # type: ignore[attr-defined]
        return Kind.TEXTS
    return kind


def _form(value: object, kind: Kind) -> str | None:
    if kind is Kind.TEXT:
        return value  # type: ignore[return-value]
    return None if kind is Kind.NULL or kind is Kind.TEXTS else source_of(value)
