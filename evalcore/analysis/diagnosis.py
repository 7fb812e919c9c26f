"""Everything that is known of why a run missed, in one pass with progress."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalcore.analysis.collisions import Collisions, find_collisions
from evalcore.analysis.fixes import Fixes, FixSearch
from evalcore.analysis.reasons import Reasons
from evalcore.analysis.reasons.find import Main, ReasonSearch, Surroundings, gathered
from evalcore.analysis.search import Set
from evalcore.scoring.chunks import Progress
from evalcore.scoring.preset import Preset
from evalcore.scoring.scores import Scores
from evalcore.text.steps import Step

Rows = npt.NDArray[np.int64]

CHUNK = 1024  # Failed items between two calls of progress: a few tenths of a second.
COLLISIONS = 0.05  # The share of the time that goes into collisions.


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """Fixes, reasons and collisions of the same scores."""

    scores: Scores
    fixes: Fixes
    reasons: Reasons
    collisions: Collisions


class Part(NamedTuple):
    """The fixes and main reasons of some failed rows."""

    fixes: list[tuple[int, Set]]
    reasons: list[Main]


class Diagnosing:
    """The diagnosis of one run on its way: some failed rows at a time, then all put together."""

    def __init__(self, scores: Scores, extra: Sequence[Step] = ()) -> None:
        self.scores = scores
        self.failed = np.flatnonzero(scores.em == 0)
        self.fixes = FixSearch(scores, extra)

    @property
    def parts(self) -> int:
        """Count the parts the failed rows make."""
        return -(-len(self.failed) // CHUNK)

    def part(self, number: int, reasons: ReasonSearch) -> Part:
        """Diagnose the failed rows of one part."""
        rows = self.failed[number * CHUNK : (number + 1) * CHUNK]
        found = self.fixes.of(rows)
        return Part(found, reasons.of(rows, self.fixes.gathered(rows, found)))

    def whole(self, parts: Iterable[Part], surroundings: Surroundings, collisions: Collisions) -> Diagnosis:
        """Put all parts, in their order, together."""
        parts = list(parts)
        fixes = self.fixes.gathered(self.failed, [each for part in parts for each in part.fixes])
        mains = (each for part in parts for each in part.reasons)
        return Diagnosis(self.scores, fixes, gathered(self.scores, fixes, mains, surroundings), collisions)


def diagnose(scores: Scores, pinned: Preset | None = None, extra: Sequence[Step] = (), progress: Progress | None = None) -> Diagnosis:
    """Find fixes, reasons and collisions of a run.

    `pinned` are settings the merged references are compared with; `extra`
    are steps tried beside the catalogue's. `progress(done, items)` is
    called now and then with growing `done`; what it raises stops the run.

    >>> from evalcore.scoring.score import score
    >>> found = diagnose(score(["STRASSE", "-5"], [["Straße"], ["5"]]))
    >>> found.reasons.counts()[0].reason.name, found.collisions.pairs[0].losses
    ('case', ('sign',))
    """
    report = progress or (lambda done, items: None)
    items, work = len(scores), Diagnosing(scores, extra)
    report(0, items)
    collisions = find_collisions(scores, pinned, lambda done, of: report(int(items * COLLISIONS * done / max(1, of)), items))
    reasons = ReasonSearch(scores)
    parts = []
    for number in range(work.parts):
        parts.append(work.part(number, reasons))
        report(done_items(items, (number + 1) / work.parts), items)
    report(items, items)
    return work.whole(parts, reasons.surroundings, collisions)


def done_items(items: int, share: float) -> int:
    """Tell a share of the parts, after the collisions, as items of the whole."""
    return int(items * (COLLISIONS + (1 - COLLISIONS) * share))
