"""What became of every row of the input."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from evalcore.text.amounts import amount
from evalcore.text.columns import Texts

SHOWN = 3
DESCRIPTIONS = {
    "predictions_without_reference": "predictions without reference (not scored)",
    "references_without_prediction": "references without prediction",
    "duplicated": "rows with an id that stood before ({used})",
    "empty_predictions": "empty predictions",
    "null_predictions": "null predictions",
    "without_reference": "items without reference",
    "left_out": "rows left out by a condition",
    "unscorable": "items that cannot be scored",
    "made_text": "predictions that were no plain text, scored as written",
    "bad_rows": "rows that could not be read",
}


@dataclass(frozen=True, eq=False)
class Listing:
    """Rows behind a number of the report: id, place and, where there is one, the reason.

    Shape: all columns have one entry a row; `reasons` may be empty. `more`
    counts rows behind the number that are not kept here.
    """

    ids: Texts
    places: Texts
    reasons: tuple[str, ...] = ()
    more: int = 0

    @classmethod
    def of(cls, ids: Texts, places: Texts, rows: npt.ArrayLike, reasons: Sequence[str] = ()) -> "Listing":
        """Pick rows of a table."""
        chosen = np.asarray(rows, dtype=np.int64)
        return cls(ids.take(chosen), places.take(chosen), tuple(reasons))

    @classmethod
    def none(cls) -> "Listing":
        """List nothing."""
        return cls(Texts.of([]), Texts.of([]))

    def __len__(self) -> int:
        return len(self.ids) + self.more

    def __add__(self, other: "Listing") -> "Listing":
        reasons = (*(self.reasons or ("",) * len(self.ids)), *(other.reasons or ("",) * len(other.ids)))
        ids, places = Texts.join([self.ids, other.ids]), Texts.join([self.places, other.places])
        return Listing(ids, places, reasons if any(reasons) else (), self.more + other.more)

    def first(self, most: int) -> "Listing":
        """Keep the first rows and the number of all."""
        kept = min(most, len(self.ids))
        return Listing(self.ids[:kept], self.places[:kept], self.reasons[:kept], len(self) - kept)

    def rows(self, most: int | None = None) -> Iterator[tuple[str, str, str]]:
        """Give id, place and reason of each row, the first `most` of them."""
        for row in range(len(self.ids) if most is None else min(most, len(self.ids))):
            yield self.ids[row] or "", self.places[row] or "", self.reasons[row] if self.reasons else ""


@dataclass(frozen=True, eq=False)
class JoinReport:
    """What became of every row of the input, for one system.

    how: "one file", "by id", "by question" or "by position".
    items: rows of the dataset.
    matched: items that have a row on both sides.
    Every other number is the length of a `Listing`:
    predictions_without_reference: rows of the predictions file with an id
        the references do not have (or none); they are not in the dataset.
    references_without_prediction: items whose prediction is missing.
    duplicated: rows whose id stood before. With two files only the first
        is used; in one file every row is an item and they are only listed.
    empty_predictions: items whose prediction is "".
    null_predictions: items whose prediction is null in the file.
    without_reference: items that have no reference at all.
    left_out: rows that the mapping's `where` left out.
    unscorable: items whose prediction or references are no texts.
    made_text: predictions that were numbers or truth values and are scored
        as their literal text, or held one text and are scored as that.
    bad_rows: rows that could not be read.
    """

    how: str
    items: int
    matched: int
    predictions_without_reference: Listing
    references_without_prediction: Listing
    duplicated: Listing
    empty_predictions: Listing
    null_predictions: Listing
    without_reference: Listing
    left_out: Listing
    unscorable: Listing
    made_text: Listing
    bad_rows: Listing

    def with_part(self, part: "JoinReport", most: int) -> "JoinReport":
        """Put the report of more rows of the same files behind this one; of every listing the first `most` rows are kept."""
        listings = {name: (listing + part.named[name]).first(most) for name, listing in self.named.items()}
        return JoinReport(how=self.how, items=self.items + part.items, matched=self.matched + part.matched, **listings)

    @property
    def named(self) -> dict[str, Listing]:
        """Every listing by the name of its field, in the order to show them."""
        return {field.name: getattr(self, field.name) for field in fields(self) if isinstance(getattr(self, field.name), Listing)}

    @property
    def listings(self) -> dict[str, Listing]:
        """Every listing under a sentence that says what it holds, in the order to show them."""
        used = "used once only" if self.how in ("by id", "by question") else "all kept"
        return {DESCRIPTIONS[name].format(used=used): listing for name, listing in self.named.items()}

    def lines(self) -> tuple[str, ...]:
        """Write the report as lines: each number that is not 0, with its first rows."""
        found = [f"{amount(len(listing), _one(what), what)}: {_first(listing)}" for what, listing in self.listings.items() if len(listing)]
        joined = "" if self.how == "one file" else f", joined {self.how}"
        return (f"{amount(self.items, 'item')}, {count(self.matched)} matched{joined}", *found)


def _one(what: str) -> str:
    """Give a description in the singular: its noun is the first word in the plural.

    >>> _one("empty predictions"), _one("rows with an id that stood before")
    ('empty prediction', 'row with an id that stood before')
    """
    return re.sub(r"s\b", "", what, count=1).replace("that were", "that was")


def count(number: int) -> str:
    """Write a count with thousands separated: 10,585."""
    return f"{number:,}"


def _first(listing: Listing) -> str:
    shown = [
        " ".join(part for part in (f"{identity!r:.60}" if identity else "", f"({place})" if identity and place else place, reason and f"{reason:.160}") if part)
        for identity, place, reason in listing.rows(SHOWN)
    ]
    return ", ".join(shown) + (", …" if len(listing) > SHOWN else "")
