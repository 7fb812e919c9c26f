"""How well a measure agrees with people: precision, recall, accuracy, kappa, and where to draw the line."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan, sqrt

import numpy as np
import numpy.typing as npt

from evalcore.analysis.sampling import Sample
from evalcore.analysis.verdicts import NONE, RIGHT, UNSURE, WRONG, Codes
from evalcore.dataset import Dataset
from evalcore.scoring.metrics import Floats
from evalcore.scoring.preset import Preset
from evalcore.scoring.score import score
from evalcore.scoring.statistics import LEVEL, RESAMPLES, Interval, normal_quantile, wilson

Flags = npt.NDArray[np.bool_]
BINS = 10


@dataclass(frozen=True)
class Agreement:
    """A yes-or-no measure against verdicts.

    `both`, `only_measure`, `only_people`, `neither` count items called
    right; with weights they are the items these stand for. Precision: of
    those the measure calls right, the share people do. Recall: of those
    people call right, the share the measure does.
    `judged`: items with a verdict of right or wrong.
    """

    judged: int
    both: float
    only_measure: float
    only_people: float
    neither: float
    precision: Interval
    recall: Interval
    accuracy: Interval
    kappa: Interval


def agreement(called_right: Flags, codes: Codes, sample: Sample | None = None, level: float = LEVEL) -> Agreement:
    """Hold a measure against verdicts.

    Without a sample all verdicts of right and wrong count alike, and the
    intervals are Wilson's and kappa's own. With a sample only its items
    count, each for as many as it stands for, and the intervals are
    bootstrapped within the strata.
    Shape: one row an item; verdicts other than right and wrong are left out.
    Empty: NaN without a verdict.

    >>> found = agreement(np.array([True, True, False, False]), np.array([1, 0, 1, 0], dtype=np.int8))
    >>> found.accuracy.estimate, found.kappa.estimate
    (0.5, 0.0)
    """
    if sample is not None:
        return _weighted(called_right, codes, sample, level)
    cells = _cells(called_right, codes)
    both, only_measure, only_people, neither = (int((cells == cell).sum()) for cell in range(4))
    total = both + only_measure + only_people + neither
    return Agreement(
        total,
        both,
        only_measure,
        only_people,
        neither,
        precision=wilson(both, both + only_measure, level),
        recall=wilson(both, both + only_people, level),
        accuracy=wilson(both + neither, total, level),
        kappa=kappa_interval(np.array([[both, only_measure], [only_people, neither]]), level),
    )


def _cells(called_right: Flags, codes: Codes) -> npt.NDArray[np.int8]:
    """Give every item's cell: 0 both right, 1 only the measure, 2 only people, 3 neither, -1 no verdict."""
    cells = np.where(called_right, np.where(codes == RIGHT, 0, 1), np.where(codes == RIGHT, 2, 3))
    return np.where(np.isin(codes, (RIGHT, WRONG)), cells, -1).astype(np.int8)


def kappa(table: npt.NDArray[np.number]) -> float:
    """Give Cohen's kappa of a square table of counts.

    Range: at most 1. Empty: NaN, also where chance alone explains everything.
    Source: J. Cohen 1960, Educational and Psychological Measurement 20, 37-46.
    """
    total = float(table.sum())
    if not total:
        return nan
    observed = float(np.trace(table)) / total
    expected = float((table.sum(0) / total) @ (table.sum(1) / total))
    return nan if expected == 1 else (observed - expected) / (1 - expected)


def kappa_interval(table: npt.NDArray[np.number], level: float = LEVEL) -> Interval:
    """Give kappa with its large-sample interval.

    Source: J. L. Fleiss, J. Cohen and B. S. Everitt 1969, Psychological Bulletin 72, 323-327.
    """
    estimate, total = kappa(table), int(table.sum())
    if np.isnan(estimate):
        return Interval(nan, nan, nan, total, "Fleiss-Cohen-Everitt", level)
    shares = table / total
    rows, columns = shares.sum(1), shares.sum(0)
    expected = float(rows @ columns)
    slack = 1 - estimate
    on = (np.diag(shares) * (1 - (rows + columns) * slack) ** 2).sum()
    off = slack**2 * (shares * (columns[:, None] + rows[None, :]) ** 2)
    variance = (on + off.sum() - np.trace(off) - (estimate - expected * slack) ** 2) / ((1 - expected) ** 2 * total)
    spread = normal_quantile(level) * sqrt(max(0.0, float(variance)))
    return Interval(estimate, max(-1.0, estimate - spread), min(1.0, estimate + spread), total, "Fleiss-Cohen-Everitt", level)


def _weighted(called_right: Flags, codes: Codes, sample: Sample, level: float) -> Agreement:
    judged = sample.started(codes)
    cells = _cells(called_right, codes)[judged.rows]
    counts = np.array([np.bincount(cells[(judged.stratum_of == number) & (cells >= 0)], minlength=4) for number in range(len(judged.groups))])
    sizes = np.array([len(group.rows) for group in judged.groups], dtype=np.float64)
    used = counts.sum(1) > 0
    counts, sizes = counts[used], sizes[used]
    drawn = counts.sum(1)
    if not len(drawn):
        return agreement(called_right[:0], codes[:0], level=level)
    generator = np.random.default_rng(sample.seed)
    tables = np.zeros((RESAMPLES, 4))
    for row, size, number in zip(counts, sizes, drawn, strict=True):
        smoothed = (row + 0.125) / (number + 0.5)  # Else a stratum of one cell would be taken as certain.
        tables += generator.multinomial(number, smoothed, size=RESAMPLES) * (size / number)
    cells_of = (counts * (sizes / drawn)[:, None]).sum(0)
    method = f"bootstrap within strata, {RESAMPLES} resamples, seed {sample.seed}"
    judged_items = int(drawn.sum())

    def bounded(measure: Callable[[Floats], Floats]) -> Interval:
        return _bounded(float(measure(cells_of[None])[0]), measure(tables), judged_items, method, level)

    both, only_measure, only_people, neither = cells_of.tolist()
    return Agreement(judged_items, both, only_measure, only_people, neither, bounded(_precision), bounded(_recall), bounded(_accuracy), bounded(_kappas))


def _bounded(estimate: float, draws: Floats, count: int, method: str, level: float) -> Interval:
    known = draws[~np.isnan(draws)]
    if np.isnan(estimate) or not len(known):
        return Interval(nan, nan, nan, count, method, level)
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(estimate), min(float(low), float(estimate)), max(float(high), float(estimate)), count, method, level)


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.full_like(part, nan), where=whole > 0)


def _precision(tables: Floats) -> Floats:
    return _ratio(tables[:, 0], tables[:, 0] + tables[:, 1])


def _recall(tables: Floats) -> Floats:
    return _ratio(tables[:, 0], tables[:, 0] + tables[:, 2])


def _accuracy(tables: Floats) -> Floats:
    return _ratio(tables[:, 0] + tables[:, 3], tables.sum(1))


def _kappas(tables: Floats) -> Floats:
    total = tables.sum(1)
    measure, people = _ratio(tables[:, 0] + tables[:, 1], total), _ratio(tables[:, 0] + tables[:, 2], total)
    expected = measure * people + (1 - measure) * (1 - people)
    return _ratio(_accuracy(tables) - expected, 1 - expected)


@dataclass(frozen=True)
class ReliabilityBin:
    """How often answers in a range of F1 are right; the last bin is F1 = 1 alone, the first F1 = 0 alone."""

    low: float
    high: float
    right: Interval


def reliability(f1: Floats, codes: Codes, bins: int = BINS) -> tuple[ReliabilityBin, ...]:
    """Give P(right | F1) over bins of F1: exactly 0, the ranges between, exactly 1."""
    known = np.isin(codes, (RIGHT, WRONG)) & ~np.isnan(f1)
    values, right = f1[known], codes[known] == RIGHT
    edges = [(index / bins, (index + 1) / bins) for index in range(bins)]
    inner = [((values >= low) & (values < high) & (values > 0) & (values < 1), low, high) for low, high in edges]
    chosen = [(values == 0, 0.0, 0.0), *inner, (values == 1, 1.0, 1.0)]
    return tuple(ReliabilityBin(low, high, wilson(int(right[member].sum()), int(member.sum()))) for member, low, high in chosen)


@dataclass(frozen=True)
class Threshold:
    """A line on F1 from which answers count as right, and how well that agrees."""

    f1: float
    agreement: Agreement


def best_threshold(f1: Floats, codes: Codes, sample: Sample | None = None) -> Threshold | None:
    """Find the F1 from which on "right" agrees best with people, by kappa; the highest of equals.

    Differs: it is chosen on the verdicts it is then held against, so its
    agreement is on the bright side; with few verdicts much so.
    Empty: None without both right and wrong verdicts.
    """
    weights = np.isin(codes, (RIGHT, WRONG)).astype(np.float64) if sample is None else sample.started(codes).weights(codes)
    used = (weights > 0) & ~np.isnan(f1)
    if len(np.unique(codes[used])) < 2:
        return None
    values, right, share = f1[used], codes[used] == RIGHT, weights[used]
    lines = np.unique(np.append(values, 1.0))[::-1]
    order = np.argsort(-values, kind="stable")
    until = np.searchsorted(-values[order], -lines, side="right")
    called = np.concatenate(([0.0], np.cumsum(share[order])))[until]
    both = np.concatenate(([0.0], np.cumsum((share * right)[order])))[until]
    people, total = float((share * right).sum()), float(share.sum())
    kappas = _kappas(np.column_stack((both, called - both, people - both, total - called - people + both)))
    line = float(lines[int(np.nanargmax(kappas))]) if not np.isnan(kappas).all() else 1.0
    return Threshold(line, agreement(f1 >= line, codes, sample))


@dataclass(frozen=True, eq=False)
class SettingAgreement:
    """How well one setting's EM agrees with people, and its F1 from the best line on; None where it has no such number.

    `unscored` counts items judged right or wrong that these settings give no score.
    """

    preset: Preset
    em: Agreement | None
    f1: Threshold | None
    unscored: int

    @property
    def kappa(self) -> float:
        """The kappa settings are ordered by: that of EM, else that of F1; NaN where there is none."""
        held = self.em or (self.f1.agreement if self.f1 else None)
        return held.kappa.estimate if held else nan


def setting_agreement(dataset: Dataset, preset: Preset, codes: Codes, sample: Sample | None = None) -> SettingAgreement:
    """Hold one setting against people; only judged items are scored.

    Differs: a judged item without a score counts as undecided, so that a sample is not cut short there.
    """
    rows = np.flatnonzero(codes != NONE)
    scores = score(dataset.take(rows), preset=preset)
    em, f1 = np.full(len(codes), nan), np.full(len(codes), nan)
    em[rows], f1[rows] = scores.em, scores.f1
    decided = np.isin(codes, (RIGHT, WRONG))
    exact = agreement(em == 1, _undecided(codes, em), sample) if preset.has_em else None
    best = best_threshold(f1, _undecided(codes, f1), sample) if preset.has_f1 else None
    return SettingAgreement(preset, exact, best, int((decided[rows] & ~scores.is_scored).sum()))


def _undecided(codes: Codes, values: Floats) -> Codes:
    """Give the codes, unsure where there is a verdict but no value."""
    return np.where(np.isnan(values) & (codes != NONE), UNSURE, codes).astype(np.int8)


def agreement_by_setting(dataset: Dataset, presets: Sequence[Preset], codes: Codes, sample: Sample | None = None) -> tuple[SettingAgreement, ...]:
    """Find which settings agree best with people: by kappa of EM, or of F1 where there is no EM; best first.

    Differs: the more settings are held against the same verdicts, the more the first of them owes to chance.
    """
    return best_first(setting_agreement(dataset, preset, codes, sample) for preset in presets)


def best_first(rows: Iterable[SettingAgreement]) -> tuple[SettingAgreement, ...]:
    """Order settings by kappa, highest first; those without one come last."""
    return tuple(sorted(rows, key=lambda row: -np.nan_to_num(row.kappa, nan=-2.0)))


@dataclass(frozen=True)
class JudgePair:
    """Two judges on the items both judged; `same` counts equal verdicts, unsure and reference-wrong included."""

    first: str
    second: str
    shared: int
    same: int
    kappa: Interval
    differ: tuple[int, ...]


def between_judges(by_author: Mapping[str, Mapping[int, int]]) -> tuple[JudgePair, ...]:
    """Give Cohen's kappa of every two judges.

    Shape: `by_author` maps an author to the codes by row.
    """
    found = []
    for first, second in combinations(sorted(by_author), 2):
        ours, theirs = by_author[first], by_author[second]
        rows = sorted(ours.keys() & theirs.keys())
        table = np.zeros((4, 4), dtype=np.int64)
        for row in rows:
            table[ours[row], theirs[row]] += 1
        differ = tuple(row for row in rows if ours[row] != theirs[row])
        found.append(JudgePair(first, second, len(rows), int(np.trace(table)), kappa_interval(table), differ))
    return tuple(found)
