"""Slices of one part of a run that can be put together with those of others.

Every item is put into its group by what the item itself says, so a group
holds the same items however the run is parted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from evalcore.analysis.slices import LENGTHS, LONGEST, MOST_VALUES, NONE, Slicing, by_answer_type, by_question_type, by_reference_length, by_script
from evalcore.engines.tables import Table, added, from_json, summary, to_json
from evalcore.scoring.scores import Scores
from evalcore.scoring.squad_v2 import has_answer
from evalcore.text.columns import Texts

MEASURES = ("em", "f1")
WITH_INTERVALS = 20  # Groups of each way that get one; a bootstrap of each of 200 takes longer than their scoring, and so many are shown.
ANSWERABLE = ("has an answer", "has no answer")
ABSENT = {"question type": "other"}  # The group of an item without a question.
ORDERS: Mapping[str, Sequence[str]] = {"reference length": [*(label for _, label in LENGTHS), LONGEST], "answerable": ANSWERABLE}


@dataclass(frozen=True)
class Group:
    """The items of one group: how many, and the distinct values of EM and F1 with their counts."""

    items: int
    values: Mapping[str, Table]

    @classmethod
    def merged(cls, parts: "Iterable[Group]") -> "Group":
        """Put the parts of a group together."""
        listed = list(parts)
        values = {measure: added(part.values.get(measure, {}) for part in listed) for measure in MEASURES}
        return cls(sum(part.items for part in listed), {measure: table for measure, table in values.items() if table})


Groups = Mapping[str, Group]
Slices = Mapping[str, Groups | None]


def slices_of(scores: Scores) -> Slices:
    """Group the items in every way.

    Shape: a way to group to its groups by label; None for a column with
    more values than 200, which groups nothing.
    Differs: a column of numbers is not cut into bins, whose bounds would
    depend on all items of a run.
    """
    data = scores.dataset
    found = [by_reference_length(data), by_answer_type(data), by_script(data)]
    if data.questions is not None:
        found.append(by_question_type(data.questions))
    if scores.preset.no_references == "no_answer":
        found.append(Slicing("answerable", ANSWERABLE, np.where(has_answer(scores), 0, 1).astype(np.int64)))
    slices: dict[str, Groups | None] = {slicing.name: _groups(scores, slicing) for slicing in found}
    for name, column in data.metadata.items():
        shown = f"column {name}" if name in slices else name
        slicing = _by_value(shown, column)
        slices[shown] = None if slicing is None else _groups(scores, slicing)
    return slices


def _by_value(name: str, column: Texts) -> Slicing | None:
    coded = column.array.dictionary_encode()
    labels = [NONE if text is None else text for text in Texts(coded.dictionary)]
    if len(labels) > MOST_VALUES:
        return None
    codes = np.asarray(pc.fill_null(coded.indices, len(labels)), dtype=np.int64)
    if not column.is_null().any():
        return Slicing(name, tuple(labels), codes)
    if NONE not in labels:
        return Slicing(name, (*labels, NONE), codes)
    return Slicing(name, tuple(labels), np.where(codes == len(labels), labels.index(NONE), codes))


def _groups(scores: Scores, slicing: Slicing) -> Groups:
    items = np.bincount(slicing.codes, minlength=len(slicing.labels)).tolist()
    values = {measure: _values(getattr(scores, measure), slicing) for measure in MEASURES if measure in scores.preset.numbers}
    return {
        label: Group(items[code], {measure: tables[code] for measure, tables in values.items() if tables[code]})
        for code, label in enumerate(slicing.labels)
        if items[code]
    }


def _values(column: npt.NDArray[np.float64], slicing: Slicing) -> list[dict[float, int]]:
    """Count the distinct values of every group in one pass."""
    known = ~np.isnan(column)
    distinct, codes = np.unique(column[known], return_inverse=True)
    tables: list[dict[float, int]] = [{} for _ in slicing.labels]
    pairs, counts = np.unique(slicing.codes[known] * max(1, len(distinct)) + codes, return_counts=True)
    for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
        tables[pair // len(distinct)][float(distinct[pair % len(distinct)])] = count
    return tables


def merged(parts: Iterable[tuple[Slices, Group]]) -> Slices:
    """Put the slices of all parts together, each given with the group of all its items.

    The items of a part without a column are in the group of those that
    have no value there.
    """
    listed = list(parts)
    names = sorted({name for slices, _ in listed for name in slices})
    return {name: _merged([slices.get(name, {ABSENT.get(name, NONE): whole}) for slices, whole in listed if whole.items], name) for name in names}


def _merged(parts: Iterable[Groups | None], name: str) -> Groups | None:
    found: dict[str, list[Group]] = {}
    for groups in parts:
        if groups is None:
            return None
        for label, group in groups.items():
            found.setdefault(label, []).append(group)
        if len(found) > MOST_VALUES and name not in ORDERS:
            return None
    return {label: Group.merged(each) for label, each in sorted(found.items())}


def slices_to_json(slices: Slices) -> dict[str, Any]:
    """Give the JSON form, keys in order."""
    return {
        name: None if groups is None else {label: {"items": group.items, "values": to_json(group.values)} for label, group in sorted(groups.items())}
        for name, groups in sorted(slices.items())
    }


def slices_from_json(value: Mapping[str, Any]) -> Slices:
    """Read the JSON form."""
    return {
        name: None if groups is None else {label: Group(group["items"], from_json(group["values"])) for label, group in groups.items()}
        for name, groups in value.items()
    }


def slices_summary(slices: Slices, items: int) -> dict[str, list[dict[str, Any]]]:
    """Give every way that groups with its groups, the largest first: items, means, and intervals of the first 20.

    A way groups when it has at least two values, and on average two items a value.
    """
    grouping = {name: groups for name, groups in slices.items() if groups is not None and 1 < len(groups) <= max(2, items // 2)}
    return {
        name: [_row(label, groups[label], place < WITH_INTERVALS) for place, label in enumerate(_ordered(name, groups))] for name, groups in grouping.items()
    }


def _ordered(name: str, groups: Groups) -> list[str]:
    place = {label: number for number, label in enumerate(ORDERS.get(name, ()))}
    return sorted(groups, key=lambda label: (place.get(label, len(place)), -groups[label].items, label))


def _row(label: str, group: Group, intervals: bool) -> dict[str, Any]:
    return {"label": label, "items": group.items, "measures": summary(group.values, intervals)}
