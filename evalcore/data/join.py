"""Bring predictions to references, and tell what did not fit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.data.alignment import misalignment, strangers
from evalcore.data.cells import Predictions, predictions_of, references_of
from evalcore.data.errors import JoinError, listed
from evalcore.data.guess import system_names
from evalcore.data.ids import Change, matching_ids
from evalcore.data.join_report import JoinReport, Listing, count
from evalcore.data.mapping import Mapping, rows_fitting, rows_kept
from evalcore.data.table import BadRow, Table
from evalcore.dataset import Dataset, References
from evalcore.text.columns import Texts

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pairing:
    """Which rows make the items: row of the predictions and of the references file, -1 for none."""

    how: str
    predictions: Rows
    references: Rows
    alone: Listing
    duplicated: Listing
    left_out: Listing
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Side:
    """One file with its roles: the rows its conditions keep, and the name of every row."""

    table: Table
    mapping: Mapping
    kept: npt.NDArray[np.bool_]
    ids: Texts
    places: Texts
    has_ids: bool

    @classmethod
    def of(cls, table: Table, mapping: Mapping, named: bool, part: bool = False) -> "Side":
        """Prepare a file, or a part of one; places carry its name when there are two.

        Raises: MappingError when the conditions keep no row of a whole file.
        """
        kept = rows_fitting(table, mapping.where) if part else rows_kept(table, mapping.where)
        places = _with_name(table) if named else table.places
        ids = table.columns[mapping.id].as_texts() if mapping.id else numbers(1, len(table))
        return cls(table, mapping, kept, ids, places, mapping.id is not None)

    @property
    def rows(self) -> Rows:
        """Rows that are kept."""
        return np.flatnonzero(self.kept)

    def left_out(self) -> Listing:
        """List the rows that the conditions leave out."""
        wanted = " and ".join(f"{column} is not {value!r}" for column, value in self.mapping.where)
        rows = np.flatnonzero(~self.kept)
        return Listing.of(self.ids, self.places, rows, [wanted] * len(rows))

    def first_rows(self) -> tuple[Rows, Listing]:
        """Give the kept rows whose id is new, and list the others."""
        rows = self.rows
        ids = self.ids.take(rows)
        first = np.asarray(pc.index_in(ids.array, value_set=ids.array, skip_nulls=False), dtype=np.int64)
        new = (first == np.arange(len(rows))) | ids.is_null()
        again = rows[~new]
        reasons = [f"its id stands before at {self.places[int(row)]}" for row in rows[first[~new]]]
        return rows[new], Listing.of(self.ids, self.places, again, reasons)


def join(predictions: Side, references: Side, how: str | None = None) -> tuple[tuple[Dataset, ...], tuple[JoinReport, ...], tuple[str, ...]]:
    """Make one dataset a system, its report, and warnings about the pairing.

    The same side twice joins one file with itself. `how`: see `load`;
    "equal id" takes ids as they stand, and none need be equal, for the
    sides may be parts of larger ones.

    Raises: JoinError when the two sides share no id, or cannot be paired by position.
    """
    pairing = one_file(predictions) if predictions is references else _pair(predictions, references, how)
    return joined(pairing, predictions, references)


def joined(pairing: Pairing, predictions: Side, references: Side) -> tuple[tuple[Dataset, ...], tuple[JoinReport, ...], tuple[str, ...]]:
    """Do what `join` does where the pairs are known."""
    golds, wrong = _references(pairing, references)
    base = _base(pairing, predictions, references, golds)
    names = system_names(predictions.mapping.predictions, predictions.table.name)
    datasets, reports = [], []
    for system, column in zip(names, predictions.mapping.predictions, strict=True):
        answers = _taken(predictions_of(predictions.table.columns[column]), pairing.predictions)
        dataset = replace(base, predictions=answers.texts, unscorable={**wrong, **answers.unscorable}, system=system)
        datasets.append(dataset)
        reports.append(_report(dataset, answers, pairing, _bad_rows((predictions, references))))
    warnings = [misalignment(dataset.predictions, golds, pairing.how) for dataset in datasets if pairing.how in ("by position", "by id")]
    if pairing.how != "one file" and not any(warnings):
        warnings += [strangers(dataset.predictions, golds) for dataset in datasets]
    return tuple(datasets), tuple(reports), (*pairing.notes, *(warning for warning in warnings if warning))


def one_file(side: Side) -> Pairing:
    """Pair the rows of a file with themselves."""
    duplicated = side.first_rows()[1] if side.has_ids else Listing.none()
    return Pairing("one file", side.rows, side.rows, Listing.none(), duplicated, side.left_out())


def _pair(predictions: Side, references: Side, how: str | None) -> Pairing:
    left_out = predictions.left_out() + references.left_out()
    if how == "equal id":
        return pair_by_id(predictions, references, left_out, some=False)
    if how == "question" or (how is None and not (predictions.has_ids and references.has_ids) and _share_questions(predictions, references)):
        return _pair_by_question(predictions, references, left_out)
    if how == "position" or (how is None and not (predictions.has_ids and references.has_ids)):
        if len(predictions.rows) != len(references.rows):
            raise JoinError(
                f"{predictions.table.name} has {count(len(predictions.rows))} rows and {references.table.name} has {count(len(references.rows))}, "
                f"and they have no id in common to pair them by; map an id column in both files, or give files of equal length"
            )
        return Pairing("by position", predictions.rows, references.rows, Listing.none(), Listing.none(), left_out)
    if not (predictions.has_ids and references.has_ids):
        without = predictions if not predictions.has_ids else references
        raise JoinError(f"{without.table.name} has no id column (its columns: {listed(without.table.names)}); map one to id, or pair by position")
    changed = matching_ids(predictions.ids.take(predictions.rows), references.ids.take(references.rows))
    if changed is None:
        return pair_by_id(predictions, references, left_out)
    sides = (with_ids(predictions, changed.ours), with_ids(references, changed.theirs))
    return replace(pair_by_id(*sides, left_out), notes=(changed.told(predictions.table.name, references.table.name),))


def with_ids(side: "Side", change: Change | None) -> "Side":
    """Give a side the ids that a change makes of its own."""
    return side if change is None else replace(side, ids=Texts.of([None if text is None else change.apply(text) for text in side.ids]))


def _share_questions(predictions: Side, references: Side) -> bool:
    """Tell whether most of the questions of the smaller file are in the other, each once."""
    if predictions.mapping.question is None or references.mapping.question is None:
        return False
    ours, theirs = (set(filter(None, side.table.columns[side.mapping.question or ""].as_texts().to_list())) for side in (predictions, references))
    return 2 * len(ours & theirs) > min(len(ours), len(theirs)) and 2 * len(theirs) > len(references.table)


def _pair_by_question(predictions: Side, references: Side, left_out: Listing) -> Pairing:
    for side in (predictions, references):
        if side.mapping.question is None:
            raise JoinError(f"{side.table.name} has no question column (its columns: {listed(side.table.names)}); map one to question, or pair by position")
    asked = [replace(side, ids=side.table.columns[side.mapping.question or ""].as_texts(), has_ids=True) for side in (predictions, references)]
    return replace(pair_by_id(asked[0], asked[1], left_out), how="by question")


def pair_by_id(predictions: Side, references: Side, left_out: Listing, some: bool = True) -> Pairing:
    """Pair rows of equal id; every kept reference makes an item.

    Raises: JoinError when no id is in both, unless `some` is False.
    """
    ours, twice = predictions.first_rows()
    theirs, twice_there = references.first_rows()
    our_ids, their_ids = predictions.ids.take(ours).array, references.ids.take(theirs).array
    found = pc.index_in(their_ids, value_set=our_ids.drop_null())
    filled = ours[np.asarray(pc.is_valid(our_ids))]
    matched = np.asarray(pc.is_valid(found))
    if some and not matched.any():
        raise JoinError(_nothing_shared(predictions, references))
    rows = np.full(len(theirs), -1, dtype=np.int64)
    rows[matched] = filled[np.asarray(found.drop_null(), dtype=np.int64)]
    alone = np.setdiff1d(ours, rows)
    gone = np.asarray(pc.is_in(predictions.ids.take(alone).array, value_set=references.ids.take(np.flatnonzero(~references.kept)).array.drop_null()))
    left_out = left_out + Listing.of(predictions.ids, predictions.places, alone[gone], ["its references were left out"] * int(gone.sum()))
    listing = Listing.of(predictions.ids, predictions.places, alone[~gone])
    return Pairing("by id", rows, theirs, listing, twice + twice_there, left_out)


def _nothing_shared(predictions: Side, references: Side) -> str:
    ours, theirs = ([side.ids[int(row)] for row in side.rows[:3]] for side in (predictions, references))
    return (
        f"no id of {predictions.table.name} is in {references.table.name}: ids there are {', '.join(map(repr, ours))} (column {predictions.mapping.id!r}), "
        f"and here {', '.join(map(repr, theirs))} (column {references.mapping.id!r}); check that the files belong together, or map other columns to id"
    )


def _references(pairing: Pairing, side: Side) -> tuple[References, dict[int, str]]:
    whole = np.array_equal(pairing.references, np.arange(len(side.table)))
    columns = [side.table.columns[name] if whole else side.table.columns[name].take(pairing.references) for name in side.mapping.references]
    return references_of(columns, side.mapping.separator, side.table.has_null)


def _base(pairing: Pairing, predictions: Side, references: Side, golds: References) -> Dataset:
    """Build the dataset without predictions: everything that all systems share."""
    sides = [(references, pairing.references)] if predictions is references else [(references, pairing.references), (predictions, pairing.predictions)]
    metadata: dict[str, Texts] = {}
    single: dict[str, Texts] = {}
    for side, rows in sides:
        for role, name in (("questions", side.mapping.question), ("contexts", side.mapping.context)):
            if name is not None and role not in single:
                single[role] = _take(side.table.columns[name].as_texts(), rows)
        for name in _metadata_names(side):
            metadata[name if name not in metadata else f"{name} ({side.table.name})"] = _take(side.table.columns[name].as_texts(), rows)
    named = references if references.has_ids or not predictions.has_ids else predictions
    rows = pairing.references if named is references else pairing.predictions
    return Dataset(
        ids=_filled(_take(named.ids, rows), _take(named.places, rows)),
        predictions=Texts.of([None] * len(rows)),
        references=golds,
        questions=single.get("questions"),
        contexts=single.get("contexts"),
        metadata=metadata,
        places=_filled(_take(predictions.places, pairing.predictions), _take(references.places, pairing.references)),
        name=predictions.table.name,
    )


def _metadata_names(side: Side) -> list[str]:
    mapping = side.mapping
    hidden = {mapping.id, mapping.question, mapping.context, *mapping.predictions, *mapping.references, *mapping.ignored}
    return [name for name in side.table.names if name not in hidden]


def _taken(answers: Predictions, rows: Rows) -> Predictions:
    position = {int(row): item for item, row in enumerate(rows)} if answers.made_text or answers.unscorable else {}
    made = {position[row]: what for row, what in answers.made_text.items() if row in position}
    wrong = {position[row]: what for row, what in answers.unscorable.items() if row in position}
    return Predictions(_take(answers.texts, rows), made, wrong)


def _report(dataset: Dataset, answers: Predictions, pairing: Pairing, bad_rows: Listing) -> JoinReport:
    def listing(rows: npt.ArrayLike, reasons: Sequence[str] = ()) -> Listing:
        return Listing.of(dataset.ids, dataset.places or dataset.ids, rows, reasons)

    missing = pairing.predictions < 0
    null = dataset.predictions.is_null()
    empty = ~null & (dataset.predictions.byte_lengths() == 0)
    return JoinReport(
        how=pairing.how,
        items=len(dataset),
        matched=int((~missing).sum()),
        predictions_without_reference=pairing.alone,
        references_without_prediction=listing(np.flatnonzero(missing)),
        duplicated=pairing.duplicated,
        empty_predictions=listing(np.flatnonzero(empty)),
        null_predictions=listing(np.flatnonzero(null & ~missing)),
        without_reference=listing(np.flatnonzero((dataset.references.counts() == 0) & ~np.isin(np.arange(len(dataset)), list(dataset.unscorable)))),
        left_out=pairing.left_out,
        unscorable=listing(list(dataset.unscorable), list(dataset.unscorable.values())),
        made_text=listing(list(answers.made_text), list(answers.made_text.values())),
        bad_rows=bad_rows,
    )


def _bad_rows(sides: tuple[Side, Side]) -> Listing:
    named = sides[0] is not sides[1]
    rows: list[tuple[str, BadRow]] = [(f"{side.table.name}, " if named else "", row) for side in dict.fromkeys(sides) for row in side.table.bad_rows]
    return Listing(Texts.of([""] * len(rows)), Texts.of([prefix + row.place for prefix, row in rows]), tuple(row.message for _, row in rows))


def _take(texts: Texts, rows: Rows) -> Texts:
    """Pick rows, -1 giving None; all rows in order give the column itself."""
    if len(rows) == len(texts) and np.array_equal(rows, np.arange(len(rows))):
        return texts
    return Texts(texts.array.take(pa.array(rows, mask=rows < 0))) if (rows < 0).any() else texts.take(rows)


def _filled(texts: Texts, others: Texts) -> Texts:
    return Texts(pc.coalesce(texts.array, others.array)) if texts.is_null().any() else texts


def numbers(first: int, rows: int) -> Texts:
    """Number rows, as the ids of a file that has none."""
    return Texts.from_arrow(pa.array(np.arange(first, first + rows)).cast(pa.large_string()))


def _with_name(table: Table) -> Texts:
    names = Texts.of([table.name + ", "]).array[0]
    return Texts(pc.binary_join_element_wise(names, table.places.array, pa.scalar(b"", pa.large_binary())))
