"""The table of items, as loaded."""

from collections.abc import Collection, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from evalcore.text.columns import Texts


@dataclass(frozen=True, eq=False)
class References:
    """The references of every item, in one flat column.

    Shape: item i owns `texts[offsets[i]:offsets[i + 1]]`; offsets has one
    entry more than there are items. An item may own none.
    """

    texts: Texts
    offsets: npt.NDArray[np.int64]

    @classmethod
    def of(cls, lists: Sequence[Sequence[str]]) -> "References":
        """Build from one list of references an item.

        Raises: TypeError naming the item that is no list, or whose list holds what is no text.
        """
        for kind in set(map(type, lists)):
            if issubclass(kind, str | bytes | Mapping) or not issubclass(kind, Collection):
                number, row = next((number, row) for number, row in enumerate(lists) if type(row) is kind)
                if isinstance(row, str):
                    raise TypeError(f"references of item {number} are the text {row!r:.80}; a list of texts is needed, so write [{row!r:.40}]")
                raise TypeError(f"references of item {number} are {row!r:.80} ({kind.__name__}); a list of texts is needed")
        found = _nested(lists) or _flattened(lists)
        if found.texts.array.null_count:
            raise _no_text(lists)
        return found

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, item: int) -> list[str]:
        return [text or "" for text in self.texts[int(self.offsets[item]) : int(self.offsets[item + 1])]]

    def counts(self) -> npt.NDArray[np.int64]:
        """Give the number of references of every item."""
        return np.diff(self.offsets)

    def take(self, rows: npt.ArrayLike) -> "References":
        """Pick items by index, in the order given."""
        chosen = np.asarray(rows, dtype=np.int64)
        counts = self.counts()[chosen]
        offsets = np.zeros(len(chosen) + 1, dtype=np.int64)
        np.cumsum(counts, out=offsets[1:])
        flat = np.repeat(self.offsets[:-1][chosen] - offsets[:-1], counts) + np.arange(offsets[-1])
        return References(self.texts.take(flat), offsets)


def _nested(lists: Sequence[Sequence[str]]) -> References | None:
    """Build by Arrow, in one pass over all texts; None where it finds anything but texts in lists."""
    try:
        rows = pa.array(lists, type=pa.large_list(pa.large_string()))
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError):
        return None
    return None if rows.null_count else References(Texts.from_arrow(rows.values), np.array(rows.offsets))


def _flattened(lists: Sequence[Sequence[str]]) -> References:
    counts = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
    offsets = np.zeros(len(lists) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    try:
        return References(Texts.of(list(chain.from_iterable(lists))), offsets)
    except TypeError:
        raise _no_text(lists) from None


def _no_text(lists: Sequence[Sequence[object]]) -> TypeError:
    """Name the first reference that is no text."""
    number, text = next((number, text) for number, row in enumerate(lists) for text in row if not isinstance(text, str))
    return TypeError(f"a reference of item {number} is {text!r:.80} ({type(text).__name__}); a text is needed")


@dataclass(frozen=True, eq=False)
class Dataset:
    """The items of one run: what a system answered, and what was right.

    Shape: every column has one row an item, in the order of the file.
    Texts are kept as they came; None in `predictions` is a missing
    prediction, "" an empty one. `metadata` holds every other column as
    texts. `places` says where a row came from ("line 12"), for messages.
    `unscorable` maps an item's index to the reason why it cannot be
    scored although its row was read, such as "prediction is an object".
    """

    ids: Texts
    predictions: Texts
    references: References
    questions: Texts | None = None
    contexts: Texts | None = None
    metadata: Mapping[str, Texts] = field(default_factory=dict)
    places: Texts | None = None
    unscorable: Mapping[int, str] = field(default_factory=dict)
    name: str = ""
    system: str = ""

    def __post_init__(self) -> None:
        """Check that all columns have the same number of rows.

        Raises: ValueError naming the column that differs.
        """
        columns: dict[str, Sized | None] = {
            "predictions": self.predictions,
            "references": self.references,
            "questions": self.questions,
            "contexts": self.contexts,
            "places": self.places,
        }
        for name, column in {**columns, **self.metadata}.items():
            if column is not None and len(column) != len(self.ids):
                raise ValueError(f"column {name!r} has {len(column)} rows, ids have {len(self.ids)}; every column needs one row an item")

    @classmethod
    def of(
        cls, predictions: Sequence[str | None], references: Sequence[Sequence[str]], ids: Sequence[str] | None = None, **columns: Sequence[str | None]
    ) -> "Dataset":
        """Build from Python lists; further columns become metadata.

        Raises: ValueError when the lists differ in length, TypeError when a value is no text.
        """
        if len(predictions) != len(references):
            raise ValueError(f"{len(predictions)} predictions, but references for {len(references)} items; give one list of references a prediction")
        return cls(
            ids=Texts.of(list(ids)) if ids is not None else Texts.numbers(len(predictions)),
            predictions=Texts.of(list(predictions)),
            references=References.of(references),
            metadata={name: Texts.of(list(values)) for name, values in columns.items()},
        )

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, rows: npt.ArrayLike) -> "Dataset":
        """Pick items by index, in the order given."""
        chosen = np.asarray(rows, dtype=np.int64)
        position = {int(row): number for number, row in enumerate(chosen)} if self.unscorable else {}
        return replace(
            self,
            ids=self.ids.take(chosen),
            predictions=self.predictions.take(chosen),
            references=self.references.take(chosen),
            questions=None if self.questions is None else self.questions.take(chosen),
            contexts=None if self.contexts is None else self.contexts.take(chosen),
            metadata={name: column.take(chosen) for name, column in self.metadata.items()},
            places=None if self.places is None else self.places.take(chosen),
            unscorable={position[row]: reason for row, reason in self.unscorable.items() if row in position},
        )
