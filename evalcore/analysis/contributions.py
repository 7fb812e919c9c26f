"""What every step of the settings contributes: in order, alone, and when it alone is left out."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.scoring.chunks import Progress
from evalcore.scoring.score import score
from evalcore.scoring.scores import Scores
from evalcore.text.steps import Step

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Contribution:
    """One step of the settings.

    `gained` and `lost`: rows that match after this step and did not before
    it, and the other way round, the steps taken in order. `alone`: rows
    that match with this step as the only one and not raw. `needed`: rows
    that no longer match when it alone is left out.
    """

    step: Step
    before: int
    gained: Rows
    lost: Rows
    alone: Rows
    needed: Rows

    @property
    def after(self) -> int:
        """Count the matches after this step."""
        return self.before + len(self.gained) - len(self.lost)


def contributions(scores: Scores, progress: Progress | None = None) -> tuple[Contribution, ...]:
    """Score the run after every step, with every step alone, and without every step.

    `progress(done, scorings)` is called now and then; what it raises stops the run.
    Empty: nothing for settings without steps.

    >>> found = contributions(score(["The End", "end"], [["end"], ["end"]]))
    >>> [(one.step.name, one.before, one.gained.tolist(), one.alone.tolist(), one.needed.tolist()) for one in found][::2]
    [('lower', 1, [], [], [0]), ('drop_articles', 1, [], [], [0])]
    """
    report = progress or (lambda done, scorings: None)
    steps = scores.preset.pipeline.steps
    total, done = 3 * len(steps), 0

    def hits(chosen: tuple[Step, ...]) -> npt.NDArray[np.bool_]:
        nonlocal done
        scored = score(scores.dataset, preset=scores.preset.with_steps(chosen), progress=lambda items, of: report(done, total))
        done += 1
        return np.asarray(scored.em == 1)

    if not steps:
        return ()
    final = np.asarray(scores.em == 1)
    raw = previous = hits(())
    found = []
    for number, step in enumerate(steps):
        now = final if number + 1 == len(steps) else hits(steps[: number + 1])
        alone = hits((step,))
        without = hits((*steps[:number], *steps[number + 1 :]))
        gained, lost = np.flatnonzero(now & ~previous), np.flatnonzero(previous & ~now)
        found.append(Contribution(step, int(previous.sum()), gained, lost, np.flatnonzero(alone & ~raw), np.flatnonzero(final & ~without)))
        previous = now
    report(total, total)
    return tuple(found)
