"""Two scores of the same items: what was fixed, what was broken."""

from dataclasses import dataclass

import numpy as np

from evalcore.scoring.metrics import Counts
from evalcore.scoring.scores import Scores


@dataclass(frozen=True, eq=False)
class Comparison:
    """The items whose EM differs, as row indexes.

    `fixed`: EM 0 before and 1 after; `broken`: the other way round.
    `compared` counts items scored on both sides; `only_before` and
    `only_after` hold the rows scored on one side alone.
    """

    before: Scores
    after: Scores
    fixed: Counts
    broken: Counts
    both_right: Counts
    both_wrong: Counts
    only_before: Counts
    only_after: Counts

    @property
    def compared(self) -> int:
        return len(self.fixed) + len(self.broken) + len(self.both_right) + len(self.both_wrong)


def compare(before: Scores, after: Scores) -> Comparison:
    """Compare two scores row by row.

    Raises: ValueError when they do not hold the same items in the same order.
    """
    if len(before) != len(after) or before.dataset.ids != after.dataset.ids:
        raise ValueError(f"the scores hold different items ({len(before)} and {len(after)}); compare scores of the same items in the same order")
    both = before.is_scored & after.is_scored
    was, now = before.em == 1, after.em == 1

    def rows(condition: "np.typing.NDArray[np.bool_]") -> Counts:
        return np.flatnonzero(condition)

    return Comparison(
        before,
        after,
        fixed=rows(both & ~was & now),
        broken=rows(both & was & ~now),
        both_right=rows(both & was & now),
        both_wrong=rows(both & ~was & ~now),
        only_before=rows(before.is_scored & ~after.is_scored),
        only_after=rows(after.is_scored & ~before.is_scored),
    )
