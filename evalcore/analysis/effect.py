"""The difference between two runs in one measure, and what may be claimed of it."""

from dataclasses import dataclass
from math import isnan, nan

import numpy as np
import numpy.typing as npt

from evalcore.scoring.metrics import Floats
from evalcore.scoring.paired import PairedTest, detectable, mcnemar, mean_difference, share_difference, sign_flip
from evalcore.scoring.statistics import SMALL, Interval, normal_quantile
from evalcore.text.amounts import amount

MEASURE_NAMES = {"em": "EM", "f1": "F1", "precision": "Precision", "recall": "Recall"}


@dataclass(frozen=True)
class Effect:
    """A measure before and after on the same items, 0..1, and the difference with interval and test.

    Empty: without items in common the numbers are NaN and p is 1.
    `fixed` and `broken` count items that rose and fell. `detectable`: the
    smallest difference that so many items, as unlike as these, show in
    four of five samples.
    """

    measure: str
    before: float
    after: float
    difference: Interval
    test: PairedTest
    fixed: int
    broken: int
    detectable: float

    @property
    def count(self) -> int:
        """Items compared."""
        return self.difference.count

    @property
    def is_clear(self) -> bool:
        """Tell whether test and interval agree that the difference is no chance."""
        return self.test.p < 1 - self.difference.level and self.difference.excludes(0.0)

    @property
    def name(self) -> str:
        return MEASURE_NAMES.get(self.measure, self.measure)

    @property
    def sentence(self) -> str:
        """Say in one plain sentence what the figures allow to claim, and no more.

        >>> effect_between("em", np.array([1.0, 0.0]), np.array([1.0, 0.0])).sentence
        'Only 2 items are compared: EM is the same, and none of them changed.'
        """
        if not self.count:
            return f"Nothing can be said about {self.name}: no item is scored on both sides."
        lead = f"Only {amount(self.count, 'item is', 'items are')} compared: " if self.count < SMALL else ""
        if not self.fixed and not self.broken:
            return f"{lead}{self.name} is the same, and none of {'them' if lead else f'the {self.count:,} items'} changed."
        moved = "rose" if self.difference.estimate > 0 else "fell" if self.difference.estimate < 0 else "stayed"
        size = " the same" if moved == "stayed" else f" by {points(abs(self.difference.estimate))}"
        words = ("fixed", "broken") if self.measure == "em" else ("better", "worse")
        became = f"{amount(self.fixed, 'item')} {words[0]}, {self.broken:,} {words[1]}, of {self.count:,}"
        low, high = self.difference.low, self.difference.high
        if self.is_clear:
            chance = "more than chance explains"
        elif moved == "stayed":
            chance = "no difference is shown"
        else:
            chance = "which chance alone can explain"
        figures = f"{self.difference.level:.0%} interval {signed(low)} to {signed(high)} points, p {p_value(self.test.p)}"
        least = "" if self.is_clear else f"; {self._least}"
        return f"{lead}{self.name} {moved}{size} ({became}), {chance} ({figures}){least}."

    @property
    def _least(self) -> str:
        if not self.detectable < 1:
            return "so few items cannot show a difference"
        return f"so many items show differences from about {points(self.detectable)}"


def effect_between(measure: str, before: Floats, after: Floats, clusters: npt.NDArray[np.generic] | None = None) -> Effect:
    """Give the effect from two columns of one measure, NaN where unscored.

    A measure that is 0 or 1 (EM) is tested by McNemar's exact test, every
    other by sign flips with a bootstrap interval; with clusters all are.
    """
    both = ~(np.isnan(before) | np.isnan(after))
    before, after = before[both], after[both]
    differences = after - before
    rose, fell, count = int((differences > 0).sum()), int((differences < 0).sum()), len(differences)
    if clusters is None and measure == "em" and np.isin(differences, (-1.0, 0.0, 1.0)).all():
        interval, test = share_difference(rose, fell, count), mcnemar(rose, fell)
        up, down = (rose + 1) / (count + 2), (fell + 1) / (count + 2)
        spread = float(np.sqrt(up + down - (up - down) ** 2))
    else:
        groups = None if clusters is None else clusters[both]
        interval, test = mean_difference(differences, clusters=groups), sign_flip(differences, clusters=groups)
        spread = float(differences.std(ddof=1)) if count > 1 else nan
        if groups is not None and count > 1:
            # The spread of independent items that would give the clusters' own interval.
            spread = max(spread, interval.width / 2 / normal_quantile(interval.level) * float(np.sqrt(count)))
    return Effect(
        measure,
        float(before.mean()) if count else nan,
        float(after.mean()) if count else nan,
        interval,
        test,
        rose,
        fell,
        detectable(spread, count),
    )


def points(value: float) -> str:
    """Write a difference of 0..1 scores as points of 100.

    >>> points(0.0123), points(0.00004), points(0.01)
    ('1.23 points', 'less than 0.01 points', '1.00 point')
    """
    if isnan(value):
        return "an unknown number of points"
    if 0 < abs(value) < 0.00005:
        return "less than 0.01 points"
    shown = f"{100 * value:.2f}"
    return f"{shown} point{'' if shown == '1.00' else 's'}"


def signed(value: float) -> str:
    """Write a difference of 0..1 scores in points with its sign.

    >>> signed(0.012), signed(-0.012), signed(-0.0000001), signed(nan)
    ('+1.20', '−1.20', '0.00', 'n/a')
    """
    if isnan(value):
        return "n/a"
    shown = f"{100 * value:+.2f}".replace("-", "−")
    return "0.00" if shown in ("+0.00", "−0.00") else shown


def p_value(p: float) -> str:
    """Write a p-value after "p": with two figures, and never as zero.

    >>> p_value(0.0386), p_value(0.00001), p_value(1.0)
    ('= 0.039', '< 0.0001', '= 1')
    """
    return "< 0.0001" if p < 0.0001 else f"= {p:.2g}"
