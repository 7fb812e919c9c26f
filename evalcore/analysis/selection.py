"""Selections: which items a list shows, and in which order."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
import regex

from evalcore.analysis.reasons.families import FAMILIES
from evalcore.analysis.reasons.table import CODES
from evalcore.scoring.buckets import BUCKETS, NEAR_MISS_F1, Bucket, bucket_codes
from evalcore.scoring.scores import Scores
from evalcore.text.columns import Texts
from evalcore.text.expressions import PatternError, compile_expression
from evalcore.text.needle import Needle

SEARCH_SECONDS = 5.0  # A user's pattern that needs longer over all items is stopped.

Order = Literal["file", "f1_high", "f1_low", "longest", "shortest", "id"]
ORDERS: tuple[Order, ...] = get_args(Order)
ORDER_NAMES: dict[Order, str] = {
    "f1_high": "F1, high first",
    "f1_low": "F1, low first",
    "file": "As in the file",
    "longest": "Longest prediction first",
    "shortest": "Shortest prediction first",
    "id": "By id",
}
BUCKET_NAMES: dict[Bucket, str] = {
    "match": "Match",
    "empty_match": "Empty match",
    "near_miss": "Near miss",
    "partial": "Partial",
    "miss": "Miss",
    "unscored": "Unscored",
}
EM_0: tuple[Bucket, ...] = ("near_miss", "partial", "miss")
EM_1: tuple[Bucket, ...] = ("match", "empty_match")

Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int8]


class SelectionError(ValueError):
    """A selection that cannot be applied; the message says which part and why."""


class F1Range(NamedTuple):
    """A range of F1, closed unless an end is said to be open.

    >>> F1Range.parse("[0.8,1)")
    F1Range(low=0.8, high=1.0, low_open=False, high_open=True)
    """

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False

    @classmethod
    def parse(cls, source: str) -> "F1Range":
        """Read the bracket form.

        Raises: SelectionError when it has another form or is outside 0..1.
        """
        match = regex.fullmatch(r"([\[(])([0-9.eE+-]+),([0-9.eE+-]+)([\])])", source)
        try:
            found = cls(float(match[2]), float(match[3]), match[1] == "(", match[4] == ")") if match else None
        except ValueError:
            found = None
        if found is None or not 0 <= found.low <= found.high <= 1:
            raise SelectionError(f"the F1 range is {source!r:.80}; two numbers from 0 to 1 are needed, such as [0.8,1)")
        return found

    def __str__(self) -> str:
        return f"{'(' if self.low_open else '['}{self.low!r},{self.high!r}{')' if self.high_open else ']'}"

    def holds(self, values: npt.NDArray[np.float64]) -> Flags:
        """Tell for every F1 whether it lies in the range; NaN never does."""
        above = values > self.low if self.low_open else values >= self.low
        below = values < self.high if self.high_open else values <= self.high
        return above & below

    @property
    def words(self) -> str:
        """Say the range in one phrase."""
        if self.low == self.high:
            return f"F1 = {self.low:.3g}"
        return f"{self.low:.3g} {'<' if self.low_open else '≤'} F1 {'<' if self.high_open else '≤'} {self.high:.3g}"


@dataclass(frozen=True)
class Selection:
    """Which items, in which order. Frozen; equal by value.

    All conditions must hold. `buckets`: any of these, empty for all.
    `near`: the F1 from which a miss is a near miss. `em`: 0 or 1. `text`:
    found in id, question, prediction or a reference, without regard to
    case; with `pattern` a regular expression, case as written. `reasons`:
    names of main reasons, any of these, empty for all. `rows`:
    only these rows, in words `label`; None for all.
    """

    buckets: tuple[Bucket, ...] = ()
    near: float = NEAR_MISS_F1
    em: int | None = None
    f1: F1Range | None = None
    text: str = ""
    pattern: bool = False
    reasons: tuple[str, ...] = ()
    rows: tuple[int, ...] | None = None
    label: str = ""
    order: Order = "f1_high"

    def __post_init__(self) -> None:
        """Check every part.

        Raises: SelectionError naming the part and what is accepted.
        """
        for bucket in self.buckets:
            if bucket not in BUCKETS:
                raise SelectionError(f"there is no bucket {bucket!r:.80}; known: {', '.join(BUCKETS)}")
        for reason in self.reasons:
            if reason not in CODES:
                raise SelectionError(f"there is no reason {reason!r:.80}; known: {', '.join(CODES)}")
        if self.order not in ORDERS:
            raise SelectionError(f"there is no order {self.order!r:.80}; known: {', '.join(ORDERS)}")
        if not isinstance(self.near, float | int) or not 0 < self.near <= 1:
            raise SelectionError(f"the near-miss threshold is {self.near!r:.80}; a number above 0 and up to 1 is needed")
        if self.em not in (None, 0, 1):
            raise SelectionError(f"em is {self.em!r:.80}; 0 or 1 is needed")

    @property
    def is_all(self) -> bool:
        """Tell whether every item is in."""
        return not (self.buckets or self.text or self.f1 or self.reasons) and self.em is None and self.rows is None

    def with_rows(self, rows: Iterable[int], label: str) -> "Selection":
        """Give the selection of exactly these rows, keeping threshold and order."""
        return Selection(near=self.near, order=self.order, rows=tuple(int(row) for row in rows), label=label)

    @property
    def words(self) -> str:
        """Say the selection in one line of plain text.

        >>> Selection(buckets=("near_miss",), text="paris").words
        'near miss (EM 0, F1 ≥ 0.8) and text has “paris”'
        """
        parts = [self.label or f"{len(self.rows)} chosen items"] if self.rows is not None else []
        parts += [self._bucket_words] if self.buckets else []
        parts += [f"EM = {self.em}"] if self.em is not None else []
        parts += [self.f1.words] if self.f1 else []
        parts += [self._reason_words] if self.reasons else []
        parts += [f"text {'matches' if self.pattern else 'has'} “{self.text}”"] if self.text else []
        return " and ".join(parts) or "all items"

    @property
    def _reason_words(self) -> str:
        for family in FAMILIES:
            if set(self.reasons) == set(family.reasons):
                return f"reason {family.title.lower()}"
        return f"reason {' or '.join(name.replace('_', ' ') for name in self.reasons)}"

    @property
    def _bucket_words(self) -> str:
        if set(self.buckets) == set(EM_0):
            return "EM = 0"
        if set(self.buckets) == set(EM_1):
            return "EM = 1"
        notes: dict[Bucket, str] = {
            "near_miss": f" (EM 0, F1 ≥ {self.near:g})",
            "partial": f" (EM 0, 0 < F1 < {self.near:g})",
            "miss": " (F1 0)",
            "empty_match": " (EM 1, nothing left)",
        }
        return " or ".join(BUCKET_NAMES[bucket].lower() + notes.get(bucket, "") for bucket in self.buckets)

    def to_json(self) -> str:
        """Give the compact form for a link: what differs from the default alone."""
        defaults = Selection()
        value: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self) if getattr(self, field.name) != getattr(defaults, field.name)}
        if self.f1 is not None:
            value["f1"] = str(self.f1)
        if self.rows is not None:
            value["rows"] = _ranges(self.rows)
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, source: str) -> "Selection":
        """Read the compact form.

        Raises: SelectionError saying which part is wrong.
        """
        try:
            value = json.loads(source)
        except ValueError:
            value = None
        known = {field.name for field in fields(cls)}
        if not isinstance(value, dict) or set(value) - known:
            raise SelectionError(f"the filter {source!r:.80} is not understood; an object with some of {', '.join(sorted(known))} is needed")
        _check_types(value)
        if isinstance(value.get("f1"), str):
            value["f1"] = F1Range.parse(value["f1"])
        if isinstance(value.get("rows"), str):
            value["rows"] = _from_ranges(value["rows"])
        value["buckets"] = tuple(value.get("buckets", ()))
        value["reasons"] = tuple(value.get("reasons", ()))
        return cls(**value)


def _check_types(value: Mapping[str, Any]) -> None:
    accepted: dict[str, tuple[type, ...]] = {
        "buckets": (list,),
        "near": (float, int),
        "em": (int,),
        "f1": (str,),
        "text": (str,),
        "reasons": (list,),
        "pattern": (bool,),
        "rows": (str,),
        "label": (str,),
        "order": (str,),
    }
    for name, found in value.items():
        if not isinstance(found, accepted[name]):
            raise SelectionError(f"the filter's {name} is {found!r:.80}; a {accepted[name][0].__name__} is needed")


def _ranges(rows: Sequence[int]) -> str:
    """Write rows as ranges, keeping their order: 3-5,9."""
    parts: list[list[int]] = []
    for row in rows:
        if parts and row == parts[-1][1] + 1:
            parts[-1][1] = row
        else:
            parts.append([row, row])
    return ",".join(f"{first}-{last}" if last > first else str(first) for first, last in parts)


def _from_ranges(source: str) -> tuple[int, ...]:
    rows: list[int] = []
    for part in source.split(",") if source else []:
        match = regex.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", part, flags=regex.ASCII)
        last = int(match[2] or match[1]) if match else -1
        if match is None or last < int(match[1]) or last - int(match[1]) > 10_000_000:
            raise SelectionError(f"the filter's rows hold {part!r:.80}; numbers and ranges such as 3-5,9 are needed")
        rows.extend(range(int(match[1]), last + 1))
    return tuple(rows)


def apply(selection: Selection, scores: Scores, reasons: Codes | None = None) -> Rows:
    """Give the rows of the selected items, in its order.

    `reasons` has the code of every item's main reason; it is needed where the selection asks for reasons.
    Raises: SelectionError for a malformed or too slow pattern, rows the run does not have, or reasons that are not known.
    """
    return _Applied(selection, scores, reasons).rows


def bucket_counts(selection: Selection, scores: Scores, reasons: Codes | None = None) -> dict[Bucket, int]:
    """Count the items of every bucket that fulfil all other conditions."""
    applied = _Applied(selection, scores, reasons)
    counts = np.bincount(applied.codes[applied.without_buckets], minlength=len(BUCKETS))
    return {bucket: int(counts[code]) for code, bucket in enumerate(BUCKETS)}


class _Applied:
    """A selection at work on the scores of a run."""

    def __init__(self, selection: Selection, scores: Scores, reasons: Codes | None = None) -> None:
        self.selection = selection
        self.scores = scores
        self.reasons = reasons

    @cached_property
    def codes(self) -> npt.NDArray[np.int8]:
        return bucket_codes(self.scores, self.selection.near)

    @cached_property
    def without_buckets(self) -> Rows:
        """Rows that fulfil every condition but the buckets, in their given or the file's order."""
        wanted = self.selection
        rows = np.arange(len(self.scores)) if wanted.rows is None else np.array(wanted.rows, dtype=np.int64)
        if len(rows) and not 0 <= rows.min() <= rows.max() < len(self.scores):
            wrong = int(rows.min() if rows.min() < 0 else rows.max())
            raise SelectionError(f"the filter names row {wrong}, this run has {len(self.scores)} items; clear the filter or open its run")
        keep = np.ones(len(rows), dtype=bool)
        if wanted.em is not None:
            keep &= self.scores.em[rows] == wanted.em
        if wanted.f1 is not None:
            keep &= wanted.f1.holds(self.scores.f1[rows])
        if wanted.reasons:
            if self.reasons is None:
                raise SelectionError("the filter asks for a reason, and the reasons of this run are not found yet; wait for them, or clear the filter")
            keep &= np.isin(self.reasons[rows], [CODES[name] for name in wanted.reasons])
        rows = rows[keep]
        return rows[_found(self.scores, rows, wanted)] if wanted.text else rows

    @cached_property
    def rows(self) -> Rows:
        rows = self.without_buckets
        if self.selection.buckets:
            wanted = [BUCKETS.index(bucket) for bucket in self.selection.buckets]
            rows = rows[np.isin(self.codes[rows], wanted)]
        return _ordered(self.scores, rows, self.selection.order)


def _ordered(scores: Scores, rows: Rows, order: Order) -> Rows:
    """Sort stably; unscored items come last."""
    if order == "file":
        return rows
    if order == "id":
        ids = [text or "" for text in scores.dataset.ids.take(rows)]
        return rows[np.array(sorted(range(len(rows)), key=ids.__getitem__), dtype=np.int64)]
    if order in ("longest", "shortest"):
        lengths = scores.dataset.predictions.byte_lengths()[rows]
        return rows[np.argsort(-lengths if order == "longest" else lengths, kind="stable")]
    values = scores.f1[rows]
    return rows[np.argsort(-values if order == "f1_high" else values, kind="stable")]


def _found(scores: Scores, rows: Rows, selection: Selection) -> Flags:
    """Search id, question, prediction and references of the rows."""
    data = scores.dataset.take(rows)
    test = _Matching(selection.text).within if selection.pattern else Needle(selection.text).within
    found = np.zeros(len(rows), dtype=bool)
    for column in (data.ids, data.questions, data.predictions):
        if column is not None:
            found |= test(column)
    before = np.concatenate(([0], np.cumsum(test(data.references.texts))))
    return found | (before[data.references.offsets[1:]] > before[data.references.offsets[:-1]])


class _Matching:
    """A user's pattern, looked for in many texts for some seconds."""

    def __init__(self, pattern: str) -> None:
        self.pattern = compiled(pattern)
        self.until = time.monotonic() + SEARCH_SECONDS

    def within(self, texts: Texts) -> Flags:
        """Tell for every text whether the pattern matches somewhere.

        Raises: SelectionError when the time is over.
        """
        return np.fromiter((text is not None and self._searched(text) for text in texts), dtype=bool, count=len(texts))

    def _searched(self, text: str) -> bool:
        try:
            left = self.until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            return self.pattern.search(text, timeout=left, concurrent=True) is not None
        except TimeoutError:
            raise SelectionError(f"the search pattern {self.pattern.pattern!r:.100} did not finish within {SEARCH_SECONDS:g} s; simplify it") from None


def compiled(pattern: str) -> Any:
    """Compile a user's search pattern.

    Raises: SelectionError saying what is wrong and where.
    """
    try:
        return compile_expression(pattern)
    except PatternError as error:
        raise SelectionError(f"the search pattern {pattern!r:.100} cannot be used: {error}; correct it, or search for plain text") from None
