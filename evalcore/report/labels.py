"""What a label set shows, for reports and the command line."""

from typing import Any

import numpy as np

from evalcore.report.comparison import percent
from evalcore.report.document import Section, Table, with_interval
from evalcore.scoring.labels import NONE, LabelReport, LabelRow
from evalcore.scoring.metrics import Counts
from evalcore.scoring.statistics import Interval, wilson

WIDE = 12  # More labels than this are told as pairs; the whole matrix is folded.
PAIRS = 20
INVALID = "invalid"


def facts(report: LabelReport) -> tuple[tuple[str, str], ...]:
    """Give the figures of a run on a label set, each with its name."""
    found = [
        ("labels", f"{len(report.labels)}"),
        ("strict accuracy", _share(report.hits, report.items)),
        ("accuracy of valid predictions", _share(report.hits, report.valid)),
        ("invalid predictions", _share(len(report.invalid), report.scored)),
    ]
    if report.foreign:
        found.append(("references that are no label", f"{len(report.foreign):,} items, in no accuracy"))
    unused = len(report.labels) - len(used(report))
    if unused:
        found.append(("labels that no reference and no prediction names", f"{unused}"))
    if report.emptied:
        found.append(("labels of which the steps leave nothing", ", ".join(map(repr, report.emptied))))
    return tuple(found)


def _share(part: int, whole: int) -> str:
    return f"{_estimate(wilson(part, whole))}, {part:,} of {whole:,}"


def _estimate(interval: Interval) -> str:
    return f"{percent(interval.estimate)} ({with_interval(interval)})" if interval.count else percent(interval.estimate)


def used(report: LabelReport) -> tuple[LabelRow, ...]:
    """Give the labels that some reference or prediction names."""
    return tuple(row for row in report.per_label if row.gold or row.predicted)


def confusions(report: LabelReport) -> list[tuple[int, int, int]]:
    """Give the cells beside the diagonal that hold items, the fullest first: label, chosen label or NONE, items."""
    wrong = report.matrix.copy()
    np.fill_diagonal(wrong, 0)
    cells = np.argwhere(wrong)
    counts = wrong[cells[:, 0], cells[:, 1]]
    last = len(report.labels)
    return [
        (int(gold), NONE if chosen == last else int(chosen), int(count))
        for count, (gold, chosen) in sorted(zip(counts, cells.tolist(), strict=True), key=_most)
    ]


def _most(cell: tuple[int, list[int]]) -> tuple[int, list[int]]:
    return -cell[0], cell[1]


def label_table(report: LabelReport) -> Table:
    """Lay out one row a label that is named at all."""
    rows = ((row.label, f"{row.gold:,}", f"{row.predicted:,}", f"{row.hit:,}", _estimate(row.interval), percent(row.precision)) for row in used(report))
    return Table(("Label", "Items", "Chosen", "Right", "EM", "Precision"), tuple(rows))


def matrix_table(report: LabelReport, folded: str = "") -> Table:
    """Lay out how often each label, a row, was answered by each label, a column."""
    rows = ((label, *(f"{count:,}" for count in counts)) for label, counts in zip(report.labels, report.matrix.tolist(), strict=True))
    return Table(("Reference ↓ prediction →", *report.labels, INVALID), tuple(rows), folded=folded)


def pair_table(report: LabelReport) -> Table:
    """Lay out the fullest cells beside the diagonal."""
    rows = ((report.labels[gold], named(report, chosen), f"{count:,}") for gold, chosen, count in confusions(report)[:PAIRS])
    return Table(("Reference", "Prediction", "Items"), tuple(rows), texts=2)


def named(report: LabelReport, number: int) -> str:
    """Name a label by its number, NONE as invalid."""
    return INVALID if number == NONE else report.labels[number]


def label_section(report: LabelReport, said: str) -> Section:
    """Gather what a label set shows; `said` tells where the labels come from."""
    tables = [Table(("Figure", "Value"), facts(report), texts=2), label_table(report)]
    if len(report.labels) <= WIDE:
        tables.append(matrix_table(report))
    else:
        tables += [pair_table(report), matrix_table(report, "The whole confusion matrix")]
    return Section("Labels", tuple(tables), f"{said}; compared after the steps, an invalid prediction is wrong; intervals by Wilson")


def as_json(report: LabelReport, said: str, ids: Any) -> dict[str, Any]:
    """Give the figures as values for JSON; None where there is none."""

    def number(value: float) -> float | None:
        return None if value != value else value

    return {
        "source": said,
        "labels": list(report.labels),
        "strict_accuracy": number(report.strict_accuracy),
        "accuracy_of_valid": number(report.accuracy_of_valid),
        "invalid_rate": number(report.invalid_rate),
        "invalid": [ids[row] for row in report.invalid],
        "references_no_label": [ids[row] for row in report.foreign],
        "per_label": [
            {"label": row.label, "items": row.gold, "chosen": row.predicted, "right": row.hit, "em": number(row.em), "precision": number(row.precision)}
            for row in report.per_label
        ],
        "matrix": _plain(report.matrix),
    }


def _plain(matrix: Counts) -> list[list[int]]:
    listed: list[list[int]] = matrix.tolist()
    return listed
