"""Slices: groups of items, how each fares, and which are worst for their size."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from evalcore.analysis.comparison import Comparison
from evalcore.analysis.effect import Effect
from evalcore.analysis.kinds import answer_type, question_type, script
from evalcore.analysis.runs import interval_of
from evalcore.analysis.tails import lower_tail
from evalcore.dataset import Dataset
from evalcore.scoring.chunks import Progress
from evalcore.scoring.metrics import Counts
from evalcore.scoring.paired import holm
from evalcore.scoring.scores import Scores
from evalcore.scoring.statistics import SMALL, Interval, em_interval, mean_of
from evalcore.text.columns import Texts

NONE = "(none)"
MOST_VALUES = 200  # A column with more distinct values groups nothing.
BINS = 5
LENGTHS = ((0, "no reference"), (1, "1 word"), (2, "2 words"), (3, "3 words"), (5, "4 to 5 words"), (10, "6 to 10 words"), (20, "11 to 20 words"))
LONGEST = "more than 20 words"


@dataclass(frozen=True, eq=False)
class Slicing:
    """One way to group all items.

    Shape: `codes` has one row an item, an index into `labels`; every item
    is in one group.
    """

    name: str
    labels: tuple[str, ...]
    codes: npt.NDArray[np.int64]

    def rows(self, label: str) -> Counts:
        """Give the rows of a group, which may be none."""
        return np.flatnonzero(self.codes == self.labels.index(label)) if label in self.labels else np.zeros(0, dtype=np.int64)

    @classmethod
    def of(cls, name: str, values: Iterable[str], order: Sequence[str] | None = None) -> "Slicing":
        """Group by equal values, in the order given, else the largest group first."""
        first_seen: dict[str, int] = {}
        codes = np.fromiter((first_seen.setdefault(value, len(first_seen)) for value in values), dtype=np.int64)
        found = list(first_seen)
        counts = np.bincount(codes, minlength=len(found))
        place = {label: number for number, label in enumerate(order or ())}
        ranks = sorted(range(len(found)), key=lambda number: (place.get(found[number], len(place)), 0 if order else -counts[number], found[number]))
        position = np.empty(len(found), dtype=np.int64)
        position[ranks] = np.arange(len(found))
        return cls(name, tuple(found[number] for number in ranks), position[codes])


@dataclass(frozen=True, eq=False)
class SliceRow:
    """One group: its rows, and its measures with intervals; small groups say little.

    `clusters`: how many clusters its items fall in, where these are drawn.
    """

    label: str
    rows: Counts
    em: Interval
    f1: Interval
    clusters: int | None = None

    @property
    def gap(self) -> float:
        """F1 less EM: what the form of the answers may cost."""
        return self.f1.estimate - self.em.estimate

    @property
    def small(self) -> bool:
        items = max(self.em.count, self.f1.count)
        return (items if self.clusters is None else min(items, self.clusters)) < SMALL


def slicings(dataset: Dataset) -> tuple[Slicing, ...]:
    """Give every way to group these items: by question, reference, script, and every column that groups.

    A column groups when it has at least two values, and on average two
    items a value; a column of numbers is cut into bins.
    """
    found = [by_reference_length(dataset), by_answer_type(dataset), by_script(dataset)]
    if dataset.questions is not None:
        found.append(by_question_type(dataset.questions))
    columns = (by_column(name, column) for name, column in dataset.metadata.items())
    return tuple(slicing for slicing in (*found, *columns) if slicing is not None and len(slicing.labels) > 1)


def by_column(name: str, column: Texts) -> Slicing | None:
    """Group by a column; None when it groups nothing.

    >>> by_column("level", Texts.of(["easy", "hard", None] * 2 + ["easy"])).labels
    ('easy', '(none)', 'hard')
    """
    texts = column.to_list()
    distinct = set(texts)
    numbers = _numbers(texts)
    if numbers is not None and len(distinct) > 2 * BINS:
        return _binned(name, numbers)
    if len(distinct) > max(2, min(MOST_VALUES, len(texts) // 2)):
        return None
    order = None if numbers is None else sorted((text for text in distinct if text), key=float)
    return Slicing.of(name, (NONE if text is None else text for text in texts), order)


def _numbers(texts: Sequence[str | None]) -> npt.NDArray[np.float64] | None:
    """Give the column as numbers, NaN where empty; None when a text is no number."""
    try:
        values = np.array([float(text) if text else np.nan for text in texts], dtype=np.float64)
    except ValueError:
        return None
    return None if np.isnan(values).all() or np.isinf(values).any() else values


def _binned(name: str, values: npt.NDArray[np.float64]) -> Slicing:
    """Cut numbers into bins of about as many items each."""
    known = ~np.isnan(values)
    edges = np.unique(np.quantile(values[known], np.linspace(0, 1, BINS + 1)))
    codes = np.where(known, np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2), len(edges) - 1)
    labels = [f"{low:g} to {'under ' if number + 2 < len(edges) else ''}{high:g}" for number, (low, high) in enumerate(pairwise(edges))]
    used = np.unique(codes)
    names = [*labels, NONE]
    return Slicing(name, tuple(names[code] for code in used), np.searchsorted(used, codes))


def by_question_type(questions: Texts) -> Slicing:
    """Group by what the question asks for: who, what, how many ..."""
    return Slicing.of("question type", (question_type(text or "") for text in questions))


def by_answer_type(dataset: Dataset) -> Slicing:
    """Group by the kind of the first reference: number, date, yes/no, name, span."""
    return Slicing.of("answer type", (answer_type(text) for text in _first_references(dataset)))


def by_script(dataset: Dataset) -> Slicing:
    """Group by the script most letters of the first reference are in."""
    return Slicing.of("script", (script(text or "") for text in _first_references(dataset)))


def by_reference_length(dataset: Dataset) -> Slicing:
    """Group by the number of words of the longest reference."""
    references = dataset.references
    words = np.fromiter((len((text or "").split()) for text in references.texts), dtype=np.int64, count=len(references.texts))
    longest = np.zeros(len(dataset), dtype=np.int64)
    some = references.counts() > 0
    if some.any():
        longest[some] = np.maximum.reduceat(words, references.offsets[:-1][some])
    labels = [label for _, label in LENGTHS] + [LONGEST]
    places = np.searchsorted([limit for limit, _ in LENGTHS], longest)
    return Slicing.of("reference length", (labels[place] for place in places.tolist()), labels)


def _first_references(dataset: Dataset) -> list[str | None]:
    offsets, texts = dataset.references.offsets, dataset.references.texts
    found: list[str | None] = [None] * len(dataset)
    rows = np.flatnonzero(dataset.references.counts())
    for row, text in zip(rows.tolist(), texts.take(offsets[:-1][rows]), strict=True):
        found[row] = text
    return found


def slice_table(scores: Scores, slicing: Slicing, clusters: npt.NDArray[np.generic] | None = None) -> tuple[SliceRow, ...]:
    """Give every group with its measures and their intervals.

    `clusters`: one label an item of the run; items of one label are drawn together.
    """
    rows = (np.flatnonzero(slicing.codes == code) for code in range(len(slicing.labels)))
    return tuple(_row(scores, label, chosen, clusters) for label, chosen in zip(slicing.labels, rows, strict=True))


def all_items(scores: Scores, clusters: npt.NDArray[np.generic] | None = None) -> SliceRow:
    """Give the row of all items, to stand above the groups."""
    return _row(scores, "All items", np.arange(len(scores)), clusters)


def _row(scores: Scores, label: str, rows: Counts, clusters: npt.NDArray[np.generic] | None) -> SliceRow:
    drawn = None if clusters is None else len(np.unique(clusters[rows][scores.is_scored[rows]]))
    return SliceRow(label, rows, interval_of(scores, "em", clusters, rows), interval_of(scores, "f1", clusters, rows), drawn)


def macro_row(rows: Sequence[SliceRow]) -> SliceRow:
    """Give the mean of the groups as a row of its own, to stand beside that of all items."""
    em, f1 = macro(rows)
    return SliceRow("Mean of groups", np.concatenate([row.rows for row in rows]) if rows else np.zeros(0, dtype=np.int64), em, f1)


def macro(rows: Sequence[SliceRow]) -> tuple[Interval, Interval]:
    """Give EM and F1 as means of the groups, each counting the same whatever its size."""
    return mean_of([row.em for row in rows]), mean_of([row.f1 for row in rows])


@dataclass(frozen=True, eq=False)
class SliceEffect:
    """The difference between two runs within a group; `corrected` is p after Holm's correction over all groups."""

    label: str
    rows: Counts
    effect: Effect
    corrected: float

    @property
    def is_clear(self) -> bool:
        return self.corrected < 1 - self.effect.difference.level and self.effect.difference.excludes(0.0)


def effects_by_slice(comparison: Comparison, slicing: Slicing, measure: str = "em") -> tuple[SliceEffect, ...]:
    """Compare two runs within every group.

    Shape: the slicing is of the rows of `comparison.before`.
    """
    rows = [np.flatnonzero(slicing.codes == code) for code in range(len(slicing.labels))]
    effects = [comparison.effect(measure, chosen) for chosen in rows]
    corrected = holm([effect.test.p for effect in effects]).tolist()
    return tuple(SliceEffect(*row) for row in zip(slicing.labels, rows, effects, corrected, strict=True))


@dataclass(frozen=True, eq=False)
class WeakSlice:
    """A group whose EM is too low for chance, after correction for all groups looked at.

    `labels`: one value a slicing that makes it up. `rest`: EM of all other
    items. `lost`: EM points of the whole run that its shortfall costs.
    """

    slicings: tuple[str, ...]
    labels: tuple[str, ...]
    rows: Counts
    em: Interval
    rest: float
    p: float
    corrected: float
    lost: float

    @cached_property
    def name(self) -> str:
        return " and ".join(f"{slicing}: {label}" for slicing, label in zip(self.slicings, self.labels, strict=True))


def weak_slices(
    scores: Scores, ways: Sequence[Slicing] | None = None, pairs: bool = True, level: float = 0.95, progress: Progress | None = None
) -> tuple[WeakSlice, ...]:
    """Find the groups, alone and in pairs of slicings, that are worst for their size.

    A group counts when as few exact matches among so many items drawn from
    the run would be rarer than 1 - level, by the hypergeometric
    distribution with Holm's correction over all groups looked at.
    Range: groups of at least 20 scored items that leave as many outside.
    Shape: the group that costs most EM comes first.
    """
    ways = slicings(scores.dataset) if ways is None else ways
    known, right = ~np.isnan(scores.em), scores.em == 1
    total, hits = int(known.sum()), int(right.sum())
    groups = [group for group in _groups(ways, known, right, pairs, progress) if SMALL <= group.size <= total - SMALL]
    tails = [lower_tail(group.matched, group.size, hits, total) for group in groups]
    corrected = holm(tails)
    kept = (_weak(group, scores, total, hits, p, float(after)) for group, p, after in zip(groups, tails, corrected, strict=True) if after < 1 - level)
    return tuple(sorted(kept, key=lambda weak: (-weak.lost, len(weak.labels))))


@dataclass(frozen=True, eq=False)
class _Group:
    """A group as one code a slicing, with its number of scored items and of exact matches among them."""

    parts: tuple[tuple[Slicing, int], ...]
    size: int
    matched: int


def _weak(group: _Group, scores: Scores, total: int, hits: int, p: float, corrected: float) -> WeakSlice:
    rows = np.flatnonzero(np.logical_and.reduce([way.codes == code for way, code in group.parts]))
    rest = (hits - group.matched) / (total - group.size)
    lost = group.size * (rest - group.matched / group.size) / total
    names, labels = tuple(way.name for way, _ in group.parts), tuple(way.labels[code] for way, code in group.parts)
    return WeakSlice(names, labels, rows, em_interval(scores.em[rows]), rest, p, corrected, lost)


def _groups(ways: Sequence[Slicing], known: npt.NDArray[np.bool_], right: npt.NDArray[np.bool_], pairs: bool, progress: Progress | None) -> Iterator[_Group]:
    """Give every group; a pair only when it is smaller than both of its groups, which are not small themselves."""
    sizes = [np.bincount(way.codes[known], minlength=len(way.labels)) for way in ways]
    for way, size in zip(ways, sizes, strict=True):
        matched = np.bincount(way.codes[right], minlength=len(way.labels))
        yield from (_Group(((way, code),), int(size[code]), int(matched[code])) for code in range(len(way.labels)))
    both = list(combinations(range(len(ways)), 2)) if pairs else []
    for done, (first, second) in enumerate(both):
        if progress is not None:
            progress(done, len(both))
        way, other = ways[first], ways[second]
        codes, shape = way.codes * len(other.labels) + other.codes, (len(way.labels), len(other.labels))
        size = np.bincount(codes[known], minlength=shape[0] * shape[1]).reshape(shape)
        matched = np.bincount(codes[right], minlength=shape[0] * shape[1]).reshape(shape)
        smaller = np.minimum(sizes[first][:, None], sizes[second][None, :])
        for code, other_code in np.argwhere((size >= SMALL) & (size < smaller)).tolist():
            yield _Group(((way, code), (other, other_code)), int(size[code, other_code]), int(matched[code, other_code]))
